/** The options that Pulumi has for a resource, and what programs call all of them. */
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

/** Where an option of Pulumi belongs that stands among the arguments; empty for any other name. */
export function placeOfOption(key: string): string {
  return options.has(key)
    ? "; options of Pulumi stand after the arguments, in an object of their own (in YAML, under options)"
    : "";
}
