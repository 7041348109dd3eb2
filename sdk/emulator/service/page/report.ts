import type { Account } from "../account";
import type { LoggedRequest } from "../emulator";
import type { Fault, What } from "../faults/fault";
import { type Faults, isOver } from "../faults/plan";
import type { RateLimiter } from "../rate-limit";
import type { JobRecord } from "../state/job";
import type { Service } from "../state/service";
import { accountOf } from "./account";
import type { FaultReport, JobRow, LimitReport, PageState, RequestRow } from "./state";

/** The page gets the latest rows of each list. */
const ROWS = 200;

const newest = <T>(items: readonly T[]) => items.slice(-ROWS).reverse();
const withoutQuery = (path: string) => path.split("?")[0] ?? "";

/** The present state of the emulator. */
export function reportOf({ service, log, faults, limiter }: Account): PageState {
  return {
    account: accountOf(service),
    requests: newest(log).map(requestRow),
    jobs: newest(service.jobs.list()).map((job) => jobRow(job, service)),
    faults: faultReport(faults),
    limits: limitReport(limiter),
  };
}

/** Copies field by field, so that a new field does not reach the page by accident. */
function requestRow(request: LoggedRequest): RequestRow {
  const { id, at, interface: name, method, path, operation, status, duration, fault } = request;
  return { id, at, interface: name, method, path: withoutQuery(path), operation, status, duration, fault };
}

function jobRow(
  { id, endpointId, status, queuedAt, startedAt, finishedAt, workerId }: JobRecord,
  service: Service,
) {
  const row: JobRow = {
    id,
    endpoint: service.endpoints.find(endpointId)?.settings.name ?? endpointId,
    status,
    at: queuedAt,
    worker: workerId,
  };
  return startedAt === undefined || finishedAt === undefined
    ? row
    : { ...row, duration: finishedAt - startedAt };
}

function faultReport({ plan, injected }: Faults): FaultReport {
  return {
    plan: plan.map((planned) => ({
      id: planned.id,
      text: textOf(planned.fault),
      injected: planned.injected,
      isOver: isOver(planned),
    })),
    injected: newest(injected).map(({ id, request }) => ({
      id,
      request: request.id,
      at: request.at,
      method: request.method,
      path: withoutQuery(request.path),
    })),
  };
}

/** A fault in words: "status 502 before POST /pods, 3 times". */
function textOf({ match, when, what, times = 1, skip = 0, probability = 1 }: Fault): string {
  const subject = [match.interface, match.method, match.path, match.operation].filter(Boolean).join(" ");
  return [
    `${whatText(what)} ${when} ${subject || "any request"}`,
    times === 0 || times === Number.POSITIVE_INFINITY
      ? "until ended"
      : times === 1
        ? "once"
        : `${times} times`,
    ...("later" in what ? [`effect ${what.later} ms later`] : []),
    ...(skip > 0 ? [`after ${skip} others`] : []),
    ...(probability < 1 ? [`with probability ${probability}`] : []),
  ].join(", ");
}

function whatText(what: What): string {
  if ("rateLimited" in what) return `rate limit for ${what.rateLimited.retryAfter} s`;
  if ("later" in what) return what.reset ? "reset" : `status ${what.status ?? 504}`;
  if ("answer" in what) return `answer ${what.answer.status}`;
  const [name = "", value] = Object.entries(what)[0] ?? [];
  return value === true ? name : `${name} ${value}`;
}

function limitReport({ enforce, windows }: RateLimiter): LimitReport {
  return { windows: enforce ? windows.map((window) => ({ ...window, left: Math.max(0, window.left) })) : [] };
}
