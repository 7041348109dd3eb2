import type { Service } from "./service";

/** A GPU type or a CPU flavor. */
export type Unit = { gpu: string; cpu?: undefined } | { cpu: string; gpu?: undefined };
export type Level = "NONE" | "LOW" | "MEDIUM" | "HIGH";

/** The free GPUs of a type and vCPUs of a flavor. Unlimited by default. */
export class Capacity {
  private readonly limits = new Map<string, number>();

  constructor(private readonly service: Service) {}

  /** Leaves `free` units to rent, in one data center or in all together. Infinity removes the limit. */
  set({ free, dataCenter, ...unit }: Unit & { dataCenter?: string; free: number }): void {
    this.limits.set(key(unit, dataCenter), free + this.inUse(unit, dataCenter));
  }

  free(unit: Unit, dataCenter: string): number {
    const left = (where?: string) => {
      const limit = this.limits.get(key(unit, where)) ?? Number.POSITIVE_INFINITY;
      // Counts only if there is a limit: with many pods counting is slow, and a catalog asks for each unit in each
      // place.
      return limit === Number.POSITIVE_INFINITY ? limit : limit - this.inUse(unit, where);
    };
    return Math.max(0, Math.min(left(), left(dataCenter)));
  }

  /**
   * The catalog's level of stock, for a request of `count` units. (differs, Stock: there is capacity for everything,
   * unless a fault or a limit takes it away. The thresholds of LOW, MEDIUM and HIGH are made up. Only pods reduce the
   * stock: whether workers share it is not published.)
   */
  level(unit: Unit, dataCenter: string, count = 1): Level {
    const free = this.free(unit, dataCenter);
    if (free < count) return "NONE";
    return free < 4 * count ? "LOW" : free < 16 * count ? "MEDIUM" : "HIGH";
  }

  /** Stopped pods have released their compute. */
  private inUse(unit: Unit, dataCenter?: string): number {
    return this.service.pods
      .records()
      .filter((pod) => dataCenter === undefined || pod.dataCenterId === dataCenter)
      .filter((pod) => pod.status.at(this.service.clock.now()) !== "EXITED")
      .reduce((sum, pod) => {
        if (unit.gpu) return sum + (pod.gpu?.id === unit.gpu ? pod.gpu.count : 0);
        return sum + (pod.cpu && pod.cpu.id === unit.cpu ? pod.cpu.vcpuCount : 0);
      }, 0);
  }
}

const key = (unit: Unit, dataCenter = "*") => `${unit.gpu ?? unit.cpu} in ${dataCenter}`;
