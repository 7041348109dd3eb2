import type { NetworkVolumeArgs } from "../network-volume";
import type { Parts } from "./mapping";
import { identity, mapping, part, to } from "./mapping";
import type { Draft } from "./note";
import { dataCenters, number, text } from "./value";

/** (API: Network volumes; the bodies and responses of REST v1) */
const table = {
  name: to("name", text),
  size: part(number),
  dataCenterId: part(dataCenters),
  id: identity("volume", "another one, which is empty"),
};

type V1 = Parts<typeof table>;

export const networkVolume = mapping(table, ({ size, dataCenterId }: V1, draft: Draft<NetworkVolumeArgs>) => {
  if (size === undefined) draft.note("decide", "size", "is missing: give size, in GB");
  else {
    if (size < 10) draft.note("changed", "size", "REST v2 has no volumes below 10 GB: it is 10 GB now");
    draft.put("size", Math.max(size, 10));
  }
  const [dataCenter, another] = dataCenterId ?? [];
  if (dataCenter !== undefined && another === undefined) draft.put("dataCenter", dataCenter);
  else draft.note("decide", "dataCenterId", "must be one data center: give dataCenter, such as EU-RO-1");
});
