// Texts about what the account may have, and what has room.

export const noBalance = (balance: string) =>
  `the account is prepaid and its balance is ${balance}, so nothing of this can start: add funds in RunPod's console`;

interface TooManyWorkers {
  /** Of this endpoint. */
  readonly asked: number;
  /** Of all endpoints. */
  readonly wanted: number;
  readonly limit: number;
  /** `llm (abc) 3`, or empty. */
  readonly others: string;
  /** `chat 2`, or empty. */
  readonly added?: string;
}

/** How many each endpoint has, what else the run adds, and how to have fewer. */
export function tooManyWorkers({ asked, wanted, limit, others, added = "" }: TooManyWorkers): string {
  const each = [`this one ${asked}`, others].filter(Boolean).join(", ");
  const fitting = limit - wanted + asked;
  const ways = [
    fitting > 0 && `lower workers.max to at most ${fitting}`,
    (added !== "" || others !== "") && "lower that of another one",
  ].filter((way) => typeof way === "string");
  const next =
    ways.length === 0
      ? "Ask the service for more"
      : `${ways.length === 1 ? "To fit," : "Either"} ${ways.join(", or ")}`;
  const beside = added === "" ? "" : `; this run adds ${added}`;
  return `all endpoints together could have ${wanted} workers, and the account's quota is ${limit}: ${each}${beside}. ${next}`;
}

export const othersHaveWorkers = (count: number, each: string) =>
  `If the quota of workers is the reason: the account's other endpoints may have ${count}, ${each}`;

/** What every place answered, for how many seconds that was retried, and the stock by the catalog: `NVIDIA L4 LOW`. */
export function noRoom(answers: string, seconds: number, stock: string, ways: string): string {
  const facts = [stock !== "" && `by the catalog ${stock}`, seconds > 0 && `after ${seconds} s`].filter(
    Boolean,
  );
  return `${answers} If there is no capacity${facts.length === 0 ? "" : ` (${facts.join(", ")})`}, ${ways}`;
}

export const placesForPod = "add places to placements, or set capacityTimeout";

export const placesForPinned =
  "leave out dataCenterIds, which can rule out the Community cloud, or set capacityTimeout";

export const placesForCluster = "allow more dataCenterIds, or set capacityTimeout";

/** A sentence that follows the refusal of a start. */
export const hostIsFull =
  "A stopped pod is bound to its host, whose GPUs may be taken: set capacityTimeout to wait, or replace the pod (`pulumi up --replace`)";
