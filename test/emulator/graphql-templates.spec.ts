import { GPU } from "./client";
import { SAVE, startGraphql, TEMPLATE } from "./graphql-client";

describe("templates by GraphQL", () => {
  test("are created without an id, changed with one, deleted by name", async () => {
    const { run, emulator } = await startGraphql();
    const input = { ...TEMPLATE, volumeInGb: 20, volumeMountPath: "/w", ports: "80/http", readme: "# hi" };
    const created = (await run(SAVE, { input })).body.data?.saveTemplate;
    expect(created).toEqual({ ...input, id: created?.id, isServerless: false });
    const changed = await run(SAVE, { input: { ...TEMPLATE, id: created?.id, imageName: "app:2" } });
    expect(changed.body.data?.saveTemplate).toMatchObject({
      id: created?.id,
      imageName: "app:2",
      volumeInGb: 0,
      ports: "",
      readme: "",
    });
    const remove = "mutation ($templateName: String) { deleteTemplate(templateName: $templateName) }";
    expect((await run(remove, { templateName: "t" })).body).toEqual({ data: { deleteTemplate: null } });
    expect(emulator.service.isEmpty()).toBe(true);
    expect((await run(remove, { templateName: "t" })).body.errors?.[0]?.message).toContain("not found");
  });

  test("have unique names, and no volume when they are serverless", async () => {
    const { run } = await startGraphql();
    await run(SAVE, { input: TEMPLATE });
    const again = (await run(SAVE, { input: TEMPLATE })).body;
    expect(again).toMatchObject({
      data: { saveTemplate: null },
      errors: [{ extensions: { code: "RUNPOD" } }],
    });
    const serverless = { ...TEMPLATE, name: "s", isServerless: true, volumeInGb: 10 };
    expect((await run(SAVE, { input: serverless })).body.errors?.[0]?.message).toContain(
      "volumeInGb must be 0",
    );
    expect((await run(SAVE, { input: { ...serverless, volumeInGb: 0 } })).body.errors).toBeUndefined();
  });

  test("cannot be deleted while a pod uses them", async () => {
    const { run, emulator } = await startGraphql();
    const { id: templateId } = emulator.service.templates.create({ name: "t", image: "i" });
    emulator.service.pods.create({ name: "p", templateId, gpu: GPU });
    const { body } = await run('mutation { deleteTemplate(templateName: "t") }');
    expect(body.errors?.[0]?.message).toContain("in use");
  });
});
