import { NetworkVolume } from "podlumi";
import { attached, labelDrift, labelEdits, labels } from "./labels";
import { lifeCycle } from "./life-cycle";

lifeCycle({
  kind: "network volume",
  collection: "network-volumes",
  resource: NetworkVolume,
  base: { size: 20, dataCenter: "EU-RO-1", deleteTimeout: 60 },
  full: {
    args: { ...labels, name: "models", size: 50, type: "STANDARD" },
    holds: { ...attached, name: "models", size: 50, dataCenter: "EU-RO-1", type: "STANDARD" },
  },
  edits: [
    ...labelEdits,
    {
      title: "another name",
      to: { name: "renamed" },
      op: "update",
      shows: ["name"],
      holds: { name: "renamed" },
    },
    { title: "more space", to: { size: 40 }, op: "update", shows: ["size"], holds: { size: 40 } },
    { title: "less space", from: { size: 40 }, to: {}, op: "replace", shows: ["size"], holds: { size: 20 } },
    {
      title: "another data center",
      to: { dataCenter: "US-KS-2" },
      op: "replace",
      shows: ["dataCenter"],
      holds: { dataCenter: "US-KS-2" },
    },
    {
      title: "another tier",
      from: { type: "STANDARD" },
      to: { type: "HIGH_PERFORMANCE" },
      op: "replace",
      shows: ["type"],
      holds: { type: "HIGH_PERFORMANCE" },
    },
    { title: "the tier left to the data center", from: { type: "STANDARD" }, to: {}, op: "same" },
  ],
  drifts: [
    {
      title: "a name",
      behind: { name: "theirs" },
      shows: ["name"],
      holds: { name: expect.stringMatching(/^r0-/) },
    },
    labelDrift,
  ],
});
