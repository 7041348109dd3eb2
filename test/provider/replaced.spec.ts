import { secretKey } from "../../provider/identity";
import { declared, emulator, haveObjects, loseState, provider, stated, urnOf } from "./process";

// What the engine replaces by itself. It tells podlumi neither which object that is nor why.

const web = urnOf("Pod", "web");
const mounts = { persistent: { size: 20, path: "/data" } };
const encrypted = { [secretKey]: "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };

/** A pod whose inputs do not tell that it holds data: its template does. */
const madePod = () =>
  emulator.service.pods.create({
    name: "web",
    image: "org/app:1",
    gpu: { id: "NVIDIA L4", count: 1 },
    mounts,
  }).id;

/** A provider of a run for which the user has confirmed these losses. */
function begun(confirmed = "") {
  const begun = provider();
  begun.run.configure((key) => (key === "podlumi:confirmDataLoss" ? confirmed : undefined));
  return begun;
}

describe("a replacement without a comparison, as by replacementTrigger", () => {
  const inputs = { templateId: "t1", gpu: { id: "NVIDIA L4" }, name: "web" };
  /** The engine checks what is called "app" by now with the old inputs, and then without. */
  const replacing = async (run: ReturnType<typeof begun>, olds: object, urn = urnOf("Pod", "app")) => {
    const props = declared("pod", {
      ...inputs,
      image: undefined,
      ports: undefined,
      env: undefined,
      __urn: urn,
    });
    await run.pod.check({ ...olds }, props);
    await run.pod.check(undefined, props);
  };
  const refusal = (id: string) =>
    new RegExp(`\\(${id}\\): the data of mounts\\.persistent would be lost .*podlumi:confirmDataLoss ${id}`);

  test("of a renamed resource finds its object by the old inputs, secrets aside", async () => {
    const id = madePod();
    const outputs = { ...inputs, mounts };
    haveObjects(
      stated(urnOf("Pod", "app"), "x", { inputs: { ...inputs, name: "app" } }),
      stated(web, id, { inputs: { ...inputs, env: { A: encrypted } }, outputs }),
    );
    const olds = { ...inputs, env: { A: "hunter22" }, __urn: urnOf("Pod", "app") };
    await expect(replacing(begun(), olds)).rejects.toThrow(refusal(id));
    await replacing(begun(id), olds);
  });

  test("of a renamed resource in a renamed stack finds its object among others that are alike", async () => {
    const id = madePod();
    const outputs = { ...inputs, mounts };
    haveObjects(
      stated(urnOf("Pod", "other"), "x", { inputs, outputs }),
      stated(web, id, { inputs, outputs }),
    );
    const olds = { ...inputs, __urn: urnOf("Pod", "web", "former") };
    await expect(replacing(begun(), olds)).rejects.toThrow(refusal(id));
  });

  test("asks about each object that may be the one", async () => {
    const outputs = { ...inputs, mounts };
    haveObjects(
      stated(urnOf("Pod", "one"), "x", { inputs, outputs }),
      stated(urnOf("Pod", "two"), "y", { inputs, outputs }),
    );
    await expect(replacing(begun("x"), inputs)).rejects.toThrow(refusal("y"));
    await replacing(begun("x,y"), inputs);
  });

  test("goes by the state, although the service does not answer", async () => {
    const id = madePod();
    haveObjects(stated(web, id, { inputs, outputs: { ...inputs, mounts } }));
    emulator.faults.add({
      match: { method: "GET", path: `/pods/${id}` },
      when: "before",
      what: { status: 503 },
      times: 0,
    });
    await expect(replacing(begun(), inputs, web)).rejects.toThrow(refusal(id));
  });

  test("goes by the service where the state shows no data", async () => {
    const id = madePod();
    haveObjects(stated(web, id, { inputs, outputs: inputs }));
    await expect(replacing(begun(), inputs, web)).rejects.toThrow(refusal(id));
  });

  test("of what an interrupted run has deleted already needs no confirmation", async () => {
    haveObjects(stated(web, "x", { inputs, outputs: { ...inputs, mounts }, isGone: true }));
    await replacing(begun(), inputs, web);
  });

  test("fails where nothing tells which object it is, unless every loss is confirmed", async () => {
    madePod();
    const says = /does not tell which object is replaced.*PODLUMI-STATE-UNKNOWN/;
    await expect(replacing(begun(), inputs, web)).rejects.toThrow(says);
    loseState();
    await expect(replacing(begun(), inputs, web)).rejects.toThrow(says);
    await replacing(begun("all"), inputs, web);
  });
});
