/** The reason for a refusal. Each interface turns it into its own form of an error. */
export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    /** The status with which the REST interface answers. */
    readonly status: number,
    readonly detail: string,
    /** One line for each violation of the request schema. */
    readonly errors?: string[],
  ) {
    super(detail);
  }
}

export const badRequest = (detail: string) => new Problem(400, detail);
// assumes: status, value * */{id}: title, detail
export const notFound = (detail = "resource not found") => new Problem(404, detail);
export const conflict = (detail: string) => new Problem(409, detail);
// assumes: status, value PATCH *: title, detail, errors*
export const unprocessable = (...errors: string[]) => new Problem(422, "Request validation failed.", errors);

/** Lack of capacity has no code of its own, only this sentence (API: Pods, create). */
export const noCapacity = () => badRequest(NO_CAPACITY);
export const NO_CAPACITY =
  "There are no longer any instances available with the requested specifications. Please refresh and try again.";
/** A stopped pod keeps its host, but others may have rented the host's GPUs meanwhile. */
export const HOST_FULL = "There are not enough free GPUs on the host machine to start this pod.";
