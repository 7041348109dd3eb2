import { STORAGE_PRICE } from "../prices";
import type { EndpointRecord } from "./endpoints";
import { type PodRecord, type PodStatus, rateOf } from "./pod";
import { badRequest } from "./problem";
import type { Service } from "./service";
import type { VolumeRecord } from "./volumes";
import { workerRate } from "./workers";

type BucketSize = "hour" | "day" | "week" | "month" | "year";

interface BillingRequest {
  /** RFC 3339. */
  startTime?: string;
  /** RFC 3339, exclusive. */
  endTime?: string;
  bucketSize?: BucketSize;
  /** How many of the latest buckets, the present one included. */
  lastN?: number;
}

export interface Bucket {
  from: number;
  to: number;
}

interface Window extends Bucket {
  bucketSize: BucketSize;
  buckets: Bucket[];
}

/** USD by cost component. */
export type Amounts = { totalAmount: number } & Record<string, number>;

const HOUR = 3_600_000;
/** Earlier times are cut off: `Date.UTC` takes a year below 100 for one of the 20th century. */
const EARLIEST = Date.UTC(1900, 0);
const DEFAULT_PERIOD = 30 * 24 * HOUR;
/** Compute is billed in these states. Disk is billed in every state. */
const COMPUTES: PodStatus[] = ["PROVISIONING", "STARTING", "RUNNING", "ERROR"];

/** The spend of the account, computed from the history of its objects and the emulator's prices. */
export class Billing {
  constructor(private readonly service: Service) {}

  /** The requested window, extended to whole buckets (API: Billing, startTime, endTime and lastN). */
  window({ startTime, endTime, bucketSize = "day", lastN }: BillingRequest): Window {
    if (lastN !== undefined && (startTime ?? endTime) !== undefined)
      throw badRequest("lastN excludes startTime and endTime");
    const now = this.service.clock.now();
    const end = endTime === undefined ? now : Date.parse(endTime);
    const begin = startTime === undefined ? now - DEFAULT_PERIOD : Date.parse(startTime);
    let from = floor(Math.max(begin, EARLIEST), bucketSize);
    let to = floor(end, bucketSize) === end ? end : next(floor(end, bucketSize), bucketSize);
    if (lastN !== undefined) {
      to = next(floor(now, bucketSize), bucketSize);
      from = before(floor(now, bucketSize), bucketSize, lastN - 1);
    }
    if (from >= to) throw badRequest("startTime must be before endTime");
    // Nothing was spent before the account began, nor will be after now, however long the request's window is.
    const buckets: Bucket[] = [];
    const first = Math.max(from, floor(this.service.since, bucketSize));
    for (let start = first; start < Math.min(to, now); start = next(start, bucketSize))
      buckets.push({ from: start, to: next(start, bucketSize) });
    return { from, to, bucketSize, buckets };
  }

  pod(pod: PodRecord, bucket: Bucket): Amounts {
    const spans = pod.status.spans(bucket.from, this.until(bucket));
    const hours = (wanted: (status: PodStatus) => boolean) =>
      spans.filter(({ value }) => wanted(value)).reduce((sum, { ms }) => sum + ms / HOUR, 0);
    const compute = hours((status) => COMPUTES.includes(status)) * rateOf(pod);
    const gb = pod.container.disk + (pod.mounts.persistent?.size ?? 0);
    return total({
      gpuAmount: pod.gpu ? compute : 0,
      cpuAmount: pod.cpu ? compute : 0,
      diskAmount: hours((status) => status !== "TERMINATED") * gb * STORAGE_PRICE.disk,
    });
  }

  /** Clusters have no CPU pods, and the emulator does not charge for the network between pods. */
  cluster(pods: PodRecord[], bucket: Bucket): Amounts {
    const all = pods.map((pod) => this.pod(pod, bucket));
    const sum = (key: string) => all.reduce((sum, amounts) => sum + (amounts[key] ?? 0), 0);
    return total({ gpuAmount: sum("gpuAmount"), diskAmount: sum("diskAmount"), networkingAmount: 0 });
  }

  serverless({ fleet, settings }: EndpointRecord, bucket: Bucket): Amounts {
    fleet.settle(this.service.clock.now());
    const hours = [...fleet.workers, ...fleet.past].reduce((sum, { readyAt, endedAt }) => {
      const ms = Math.min(endedAt ?? this.until(bucket), this.until(bucket)) - Math.max(readyAt, bucket.from);
      return sum + Math.max(0, ms) / HOUR;
    }, 0);
    const compute = hours * workerRate(settings);
    return total({
      gpuAmount: settings.gpu ? compute : 0,
      cpuAmount: settings.cpu ? compute : 0,
      diskAmount: hours * settings.container.disk * STORAGE_PRICE.disk,
      feeAmount: 0,
    });
  }

  volume({ size, type }: VolumeRecord, bucket: Bucket): Amounts {
    const gbHours = size
      .spans(bucket.from, this.until(bucket))
      .reduce((sum, { value, ms }) => sum + (value * ms) / HOUR, 0);
    const amount = gbHours * STORAGE_PRICE[type];
    return total({
      standardAmount: type === "STANDARD" ? amount : 0,
      highPerformanceAmount: type === "HIGH_PERFORMANCE" ? amount : 0,
    });
  }

  /** Only the past of a bucket is billed. */
  private until(bucket: Bucket): number {
    return Math.min(bucket.to, this.service.clock.now());
  }
}

function total(parts: Record<string, number>): Amounts {
  return { totalAmount: Object.values(parts).reduce((sum, part) => sum + part, 0), ...parts };
}

/** The start of the bucket that contains a time, in UTC. Weeks start on Monday. */
function floor(time: number, size: BucketSize): number {
  const date = new Date(time);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (size) {
    case "hour":
      return Date.UTC(year, month, day, date.getUTCHours());
    case "day":
      return Date.UTC(year, month, day);
    case "week":
      return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7));
    case "month":
      return Date.UTC(year, month);
    case "year":
      return Date.UTC(year, 0);
  }
}

/** The start of the bucket that comes `count` buckets before another one, but none before the earliest time. */
function before(start: number, size: BucketSize, count: number): number {
  const date = new Date(start);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const ms = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR };
  const months = { month: 1, year: 12 };
  const from =
    size === "month" || size === "year"
      ? Date.UTC(year, month - count * months[size])
      : start - count * ms[size];
  return floor(Math.max(Number.isNaN(from) ? EARLIEST : from, EARLIEST), size);
}

function next(start: number, size: BucketSize): number {
  const date = new Date(start);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (size) {
    case "hour":
      return start + HOUR;
    case "day":
      return Date.UTC(year, month, day + 1);
    case "week":
      return Date.UTC(year, month, day + 7);
    case "month":
      return Date.UTC(year, month + 1);
    case "year":
      return Date.UTC(year + 1, 0);
  }
}
