import { NoAnswerError, ServiceError } from "../../provider/client/errors";
import { remedyOfRest } from "../../provider/client/remedies";
import * as data from "../../provider/words/data";
import * as inUse from "../../provider/words/in-use";
import * as limits from "../../provider/words/limits";
import * as names from "../../provider/words/names";
import * as plugin from "../../provider/words/plugin";
import * as references from "../../provider/words/references";
import * as requests from "../../provider/words/requests";
import * as waits from "../../provider/words/waits";
import * as whose from "../../provider/words/whose";
import { textsOf } from "../harness/texts";

// Pulumi prints an error two or three times, and a warning in the preview and in the `up`: so each is short.

const pod = 'pod "web" (vae374gediszy8)';
const holder = 'Pod "app" of shop/prod';
const template = 'template "worker" (tpl8k2m4n6)';
const confirm = "run `pulumi config set podlumi:confirmDataLoss 13zyf88a02`";
const refusal = "DELETE /templates/tpl8k2m4n6 answered 400 Bad Request: Template in use [request 9f1c].";
const answer =
  "POST /pods answered 400 Bad Request: There are no instances currently available [request 9f1c].";

/** A text for each export: a new one has to be measured, too. */
type Samples<Words> = { readonly [Name in keyof Words]: string };

const ofData: Samples<typeof data> = {
  dataLoss: data.dataLoss(
    ["size: the program changes it from 100 to 50"],
    "the data on it",
    "Write 100",
    confirm,
  ),
  dataLossUnknown: data.dataLossUnknown("dataCenter", "network volume", "the data on it", confirm),
  replaceByCommand: data.replaceByCommand,
  dataIsLost: data.dataIsLost("size", "network volume", "13zyf88a02", "the data on it"),
  confirmationIsSpent: data.confirmationIsSpent("podlumi:confirmDataLoss", "13zyf88a02"),
};

const ofUse: Samples<typeof inUse> = {
  usedBy: inUse.usedBy(['endpoint "chat" (ep8k2m4n6p)', pod], 180),
  maybeUsedBy: inUse.maybeUsedBy(refusal, ['endpoint "chat" (ep8k2m4n6p)'], 180),
  usedByNobodyKnown: inUse.usedByNobodyKnown(refusal, 180),
};

const ofLimits: Samples<typeof limits> = {
  noBalance: limits.noBalance("$0.00"),
  tooManyWorkers: limits.tooManyWorkers({
    asked: 5,
    wanted: 12,
    limit: 10,
    others: "chat (ep8k2m4n6p) 7",
  }),
  othersHaveWorkers: limits.othersHaveWorkers(7, "chat (ep8k2m4n6p) 7"),
  noRoom: limits.noRoom(answer, 60, "NVIDIA L4 LOW", limits.placesForPod),
  placesForPod: limits.placesForPod,
  placesForPinned: limits.placesForPinned,
  placesForCluster: limits.placesForCluster,
  hostIsFull: limits.hostIsFull,
};

const ofNames: Samples<typeof names> = {
  nameTwice: names.nameTwice("template", 'Template "base"', "the other one"),
  nameTaken: names.nameTaken(template, "tpl8k2m4n6"),
  nameMustBecomeFree: names.nameMustBecomeFree(template, "tpl8k2m4n6", 60),
  nameOfAnother: names.nameOfAnother('network volume "models" (13zyf88a02)', '"13zyf88a02"'),
};

const ofPlugin: Samples<typeof plugin> = {
  servesAnother: plugin.servesAnother,
  notInPlace: plugin.notInPlace(["dataCenter"], "network volume"),
};

const ofReferences: Samples<typeof references> = {
  volumeElsewhere: references.volumeElsewhere("EU-RO-1", '"US-KS-2"'),
  volumesElsewhere: references.volumesElsewhere('"EU-RO-1"', '"US-KS-2"'),
  volumeTwice: references.volumeTwice("EU-RO-1", 0),
  templateForEndpoints: references.templateForEndpoints,
  templateForPods: references.templateForPods,
  readmeWouldOverwrite: references.readmeWouldOverwrite(["startScript"]),
};

const ofRequests: Samples<typeof requests> = {
  gone: requests.gone,
  notNew: requests.notNew(pod, "vae374gediszy8"),
  mayBeCreated: requests.mayBeCreated("POST /network-volumes got no answer (ECONNRESET)", [], 30),
  createMayBeTakenOver: requests.createMayBeTakenOver("network volume"),
  createMayAppear: requests.createMayAppear("network volume"),
  updateMayTakeEffect: requests.updateMayTakeEffect,
  updateMayHaveChanged: requests.updateMayHaveChanged(["image"]),
  mayBeDeleted: requests.mayBeDeleted,
  detachedBefore: requests.detachedBefore("networkVolumes"),
  withoutVariables: requests.withoutVariables,
  noLabels: requests.noLabels("tags"),
  tooManyTries: requests.tooManyTries(100),
  expired: requests.expired("8h", "2026-11-29T12:00:00Z"),
};

const ofWaits: Samples<typeof waits> = {
  continueWaiting: waits.continueWaiting,
  podNotReady: waits.podNotReady("STARTING", 900, "RUNNING"),
  podStopped: waits.podStopped,
  podFailed: waits.podFailed,
  clusterNotReady: waits.clusterNotReady(1, 2, 900),
  clusterFailed: waits.clusterFailed('pod "train-0" (vae374gediszy8)', "ERROR"),
  podsLeft: waits.podsLeft(["vae374gediszy8"], 300),
  clusterIsGone: waits.clusterIsGone,
  noWorkers: waits.noWorkers,
  rolloutNotDone: waits.rolloutNotDone("release 7 is on 50 % of the workers (1 of 2)", 900),
  noHealthyWorker: waits.noHealthyWorker(900),
  verificationFailed: waits.verificationFailed("job-1-e1", "is FAILED: out of memory", "release 7"),
};

const ofWhose: Samples<typeof whose> = {
  heldByAnother: whose.heldByAnother(holder),
  leavesHeld: whose.leavesHeld("pod", "vae374gediszy8", holder),
  declaredTwice: whose.declaredTwice("network volume", "13zyf88a02", 'NetworkVolume "models"'),
  singleTwice: whose.singleTwice("SSH keys", 'SshKeys "team"'),
  readOnly: whose.readOnly(
    "template",
    "tpl8k2m4n6",
    "is a public one of another account, which alone changes and deletes it",
  ),
  adoptDiffers: whose.adoptDiffers("network volume", "13zyf88a02", ['dataCenter is "EU-RO-1" there']),
  removeAdopt: whose.removeAdopt,
  adoptRenamed: whose.adoptRenamed("pod", "web", "vae374gediszy8"),
  adoptNothing: whose.adoptNothing("network volume", "models", "; did you mean “model”?"),
  adoptSeveral: whose.adoptSeveral("network volume", "models", ["13zyf88a02", "24abg99b13"]),
  importedMark: whose.importedMark("pod", holder, "vae374gediszy8"),
  adoptedWithoutMark: whose.adoptedWithoutMark("tpl8k2m4n6"),
  staysLeftOver: whose.staysLeftOver(pod),
  stateUnknown: whose.stateUnknown(pod, "vae374gediszy8"),
  newInOtherAccount: whose.newInOtherAccount("user_2bXk", "user_9fQz"),
  goneInOtherAccount: whose.goneInOtherAccount("user_2bXk", "user_9fQz"),
  keysWouldGo: whose.keysWouldGo("ssh-ed25519 me@example.com"),
  knownKeysWouldGo: whose.knownKeysWouldGo("ssh-ed25519 me@example.com"),
};

/** The service's own word is short here: nobody but the service can shorten it. */
const problem = { title: "Failed", detail: "No", errors: [], known: true };
const statuses = [401, 402, 403, 404, 410, 422, 429, 500];
const failureOf = (status: number, known: boolean) => {
  const remedy = remedyOfRest("PATCH", "/pods/vae374gediszy8")(status, { known });
  return new ServiceError("PATCH /pods/vae374gediszy8", status, { ...problem, known }, "9f1c", remedy);
};
const ofClient = {
  ...Object.fromEntries(
    statuses.flatMap((status) =>
      [true, false].map((known) => [`${status} ${known}`, failureOf(status, known).message]),
    ),
  ),
  unreachable: new NoAnswerError("POST /pods", "https://rest.runpod.io", false, "ENOTFOUND").message,
  unanswered: new NoAnswerError("POST /pods", "https://rest.runpod.io", true, "ECONNRESET").message,
};

/** The texts, and the longest ordinary beginning that a verb puts before them. */
const all: [string, object][] = [
  ['will not replace network volume "models" (13zyf88a02): ', ofData],
  ['could not delete template "worker" (tpl8k2m4n6): ', ofUse],
  ['could not create pod "web": ', ofLimits],
  ['could not create template "worker": ', ofNames],
  ["", ofPlugin],
  ['could not create pod "web": mounts.network[0].volumeId ', ofReferences],
  ['could not create network volume "models": ', ofRequests],
  ['pod "web" (vae374gediszy8) exists but is not ready: ', ofWaits],
  ['will not change pod "web" (vae374gediszy8): ', ofWhose],
  ['could not update pod "web" (vae374gediszy8): ', ofClient],
];

/** The sentences of a text; commands and quotations are no sentences. */
function sentencesIn(text: string): number {
  const own = text.replace(/`[^`]*`|"[^"]*"|\[request \w+\]/g, "x");
  return own.split(/[.?!]\s+(?=\S)/).length;
}

describe.each(all)("after %j, every text is short", (beginning, samples) => {
  test.each(Object.entries(samples))("%s", (_name, text) => {
    expect(`${beginning}${text}`.length).toBeLessThanOrEqual(240);
    expect(sentencesIn(text)).toBeLessThanOrEqual(2);
    expect(text).not.toMatch(/urn:|__|(^|[.:] )(What|Whether) /);
  });
});

test("every text elsewhere in the provider is short, too", () => {
  const texts = textsOf("provider");
  expect(texts.length).toBeGreaterThan(300);
  const long = texts.filter(
    ({ text }) =>
      text.length > 240 - 25 || sentencesIn(text) > 2 || /(^|[.:] )(What|Whether) |urn:/.test(text),
  );
  expect(long).toEqual([]);
});
