import { notFound } from "./problem";
import type { Service } from "./service";

export type LogSource = "container" | "system";

interface Line {
  at: number;
  source: LogSource;
  line: string;
}

export interface LogEvent extends Line {
  /** Number of the line among the lines of the same instant, from 1. */
  sequence: number;
}

/**
 * The logs of pods and workers: lines about their status, and lines that tests write.
 * (differs, Logs: containers write none. The service's own lines are made up.)
 */
export class Logs {
  private readonly written = new Map<string, Line[]>();

  constructor(private readonly service: Service) {}

  /** For tests: adds a line to the log of a pod or a worker. */
  write(id: string, source: LogSource, line: string): void {
    const at = this.service.clock.now();
    this.written.set(id, [...(this.written.get(id) ?? []), { at, source, line }]);
  }

  ofPod(id: string): LogEvent[] {
    const pod = this.service.pods.record(id);
    const now = this.service.clock.now();
    const steps = pod.status.past(now);
    const lines = steps.map(({ at, value }): Line => ({ at, source: "system", line: `pod is ${value}` }));
    const boots = steps.filter(({ value }) => value === "RUNNING");
    const started = boots.map(({ at }): Line => ({ at, source: "container", line: "container started" }));
    // A boot starts a new container, so older container lines are gone. System lines stay.
    const boot = steps.findLast(({ value }) => value === "STARTING")?.at ?? now;
    const all = [...lines, ...started, ...(this.written.get(id) ?? [])];
    return events(all.filter(({ source, at }) => source === "system" || at >= boot));
  }

  ofWorker(endpointId: string, workerId: string): LogEvent[] {
    const { fleet } = this.service.endpoints.record(endpointId);
    const now = this.service.clock.now();
    fleet.settle(now);
    const worker = fleet.workers.find(({ id }) => id === workerId);
    if (!worker) throw notFound();
    const lines: Line[] = [{ at: worker.createdAt, source: "system", line: "worker is starting" }];
    if (now >= worker.readyAt)
      lines.push({ at: worker.readyAt, source: "container", line: "worker is ready" });
    return events([...lines, ...(this.written.get(workerId) ?? [])]);
  }
}

function events(lines: Line[]): LogEvent[] {
  const seen = new Map<number, number>();
  return lines
    .sort((a, b) => a.at - b.at)
    .map((line) => {
      const sequence = (seen.get(line.at) ?? 0) + 1;
      seen.set(line.at, sequence);
      return { ...line, sequence };
    });
}
