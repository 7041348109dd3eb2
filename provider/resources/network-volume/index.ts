import * as z from "zod";
import { inCollection } from "../../client/collection";
import { hasStatus } from "../../client/errors";
import type { Definition } from "../../core/kind";
import { change, replace, resized, update } from "../../schema/field";
import { measured } from "../../schema/schemas";
import { isUnknown } from "../../value";
import { networkVolumeWarnings } from "../catalog-advice";
import { dataCenterId, name } from "../container";
import { deleteTimeout, deleteWhenFree, usesVolume } from "../in-use";
import { labelled } from "../labels";
import { notInCatalog } from "../room";
import { networkVolumeShape, s3EndpointOf } from "./outputs";
import type { NetworkVolumeArgs } from "./types";

/** (API: Network volumes) */
export const networkVolume: Definition<NetworkVolumeArgs> = labelled("NETWORK_VOLUME", {
  type: "NetworkVolume",
  noun: "network volume",
  fields: {
    name: update(name),
    size: change(measured("GB", z.int().min(10).max(4096)), resized, { lasting: true }),
    dataCenter: replace(dataCenterId),
    type: replace(z.enum(["STANDARD", "HIGH_PERFORMANCE"]).optional()),
    deleteTimeout,
  },
  advice: { warnings: networkVolumeWarnings },
  data: { held: () => "the data on it" },
  outputs: {
    shape: networkVolumeShape,
    repeats: { s3Endpoint: "dataCenter" },
    derive: (_inputs, { dataCenter }) => ({
      s3Endpoint: isUnknown(dataCenter) ? dataCenter : s3EndpointOf(dataCenter),
    }),
  },
  ...inCollection("networkVolumes"),
  create: (api, body) =>
    api.networkVolumes.create(body).catch(async (error) => {
      if (!hasStatus(error, 400)) throw error;
      throw (await notInCatalog(api, networkVolumeWarnings, body, error)) ?? error;
    }),
  delete: deleteWhenFree((api, id) => api.networkVolumes.delete(id), usesVolume),
});
