import { type Cloud, type DataCenter, dataCenters, type Gpu, offers } from "../catalog";
import type { Level, Unit } from "./capacity";
import type { Service } from "./service";

/** A data center, and its stock of some hardware. */
export interface Stock {
  id: string;
  name: string;
  availability: Level;
}

const LEVELS: Level[] = ["NONE", "LOW", "MEDIUM", "HIGH"];

export const best = (levels: Level[]): Level =>
  LEVELS[Math.max(0, ...levels.map((level) => LEVELS.indexOf(level)))] ?? "NONE";

/** The stock in each data center that has enough for `count` units now. */
export function placesOf(service: Service, unit: Unit, count: number, among: DataCenter[]): Stock[] {
  return among
    .map(({ id }) => ({ id, name: id, availability: service.capacity.level(unit, id, count) }))
    .filter(({ availability }) => availability !== "NONE");
}

export const offeringGpu = (gpu: Gpu) => dataCenters.filter((dataCenter) => offers(dataCenter, gpu));

export const inCloud = (gpu: Gpu, cloud: Cloud) => (cloud === "SECURE" ? gpu.secure : gpu.community);
