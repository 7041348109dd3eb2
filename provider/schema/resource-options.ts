/** Pulumi's options of a resource, and the names that programs have for the object with them. */
const options: ReadonlySet<string> = new Set([
  "opts",
  "options",
  "additionalSecretOutputs",
  "aliases",
  "customTimeouts",
  "deleteBeforeReplace",
  "deletedWith",
  "dependsOn",
  "hideDiffs",
  "hooks",
  "ignoreChanges",
  "import",
  "parent",
  "protect",
  "provider",
  "providers",
  "replaceOnChanges",
  "replaceWith",
  "replacementTrigger",
  "retainOnDelete",
  "transformations",
  "transforms",
]);

/** For an option of Pulumi among the arguments; empty for any other name. */
export function placeOfOption(key: string): string {
  return options.has(key)
    ? "; options of Pulumi stand after the arguments, in an object of their own (in YAML, under options)"
    : "";
}
