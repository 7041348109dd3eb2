import { emulatedProject, project } from "../harness/emulated";
import { plugins } from "../harness/face";

emulatedProject("each");

const program = `import * as podlumi from "podlumi";
interface Wanted {
  size: number;
}
const wanted: Wanted = { size: 50 };
new podlumi.NetworkVolume("data", { ...wanted, dataCenter: "EU-RO-1" });
  new podlumi.Secret("token", { value: "one" });
`;
const onPlugin = program.replace('"podlumi"', '"podlumi/plugin"');

test.each([
  ["of the dynamic provider", program],
  ["of the plugin", onPlugin],
])(
  "a state tells where a program in TypeScript declares each resource %s",
  async (_face, text) => {
    const settings = { name: "specification", runtime: "nodejs", main: "program.ts", plugins };
    project.file("Pulumi.yaml", JSON.stringify(settings));
    project.file("program.ts", text);
    const { ok, printed } = await project.pulumi("up", "--yes", "--skip-preview");
    expect(ok ? "" : printed).toBe("");
    const { deployment } = JSON.parse((await project.pulumi("stack", "export")).printed);
    const positions = deployment.resources.map(
      ({ sourcePosition }: { sourcePosition: string }) => sourcePosition,
    );
    expect(positions).toEqual(
      expect.arrayContaining(["project:///program.ts#6,1", "project:///program.ts#7,3"]),
    );
  },
  60_000,
);
