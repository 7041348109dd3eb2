// Texts about requests, and what they may have done. Objects come as `pod "web" (7h9k2m4n6p)`.

export const gone =
  "it is gone: somebody deleted it. Run `pulumi refresh`, then `pulumi up` creates it again";

export const notNew = (object: string, id: string) =>
  `the service answered with the ${object}, which was there before, so it has created nothing. To make that one the resource's own, ` +
  `write adopt: "${id}"`;

/** A create of which nothing tells whether it has created an object. `failure` says what came of the request. */
export function mayBeCreated(failure: string, objects: readonly string[], seconds: number): string {
  return objects.length === 0
    ? `${failure}, and no such object has appeared within ${seconds} s. Look with \`npx podlumi ls\` in a few minutes: write adopt with ` +
        "its id, or else run `pulumi up` again"
    : `${failure}, and since then there is the ${objects.join(", the ")}. If it is yours, write adopt with its id, or else run ` +
        "`pulumi up` again";
}

// Sentences that follow the failure of a request.

export const createMayBeTakenOver = (noun: string) =>
  `An earlier request may still create the ${noun}, which the next \`pulumi up\` then takes over`;

export const createMayAppear = (noun: string) =>
  `An earlier request may still create the ${noun}: look with \`npx podlumi ls\` in a few minutes, and write adopt with its id`;

export const updateMayTakeEffect =
  "It may still take effect. The next `pulumi up` sends the program's values again";

export const updateMayHaveChanged = (fields: readonly string[]) =>
  `An earlier update may have changed ${fields.join(", ")}: run \`pulumi refresh\`, which shows what the object has`;

export const mayBeDeleted = "It may be gone by now: run `pulumi refresh` before the next `pulumi up`";

export const detachedBefore = (volumes: string) =>
  `Before that, its ${volumes} were detached, so that its workers have none: the next \`pulumi up\` sets what the program says`;

export const withoutVariables =
  "the service returned the object without its variables (env), so an update would remove those that it does not show. Nothing was " +
  "changed: run the command again in a minute";

export const noLabels = (property: "tags" | "costCenter") =>
  `the service has no ${property === "tags" ? "tags" : "cost centers"}: they are a beta, which this account or address does not have. ` +
  `Leave ${property === "tags" ? "tags and podlumi:defaultTags" : property} out`;

export const tooManyTries = (times: number) =>
  `a hook has had this tried ${times} times, the most that Pulumi allows: the next \`pulumi up\` continues. Let the hook give up sooner`;

export const expired = (limit: unknown, end: unknown) =>
  `its time limit of ${limit} ended at ${end}. To keep it, change or remove expiresAfter; otherwise run \`npx podlumi sweep --expired\` ` +
  "and then `pulumi refresh`";
