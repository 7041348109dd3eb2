import { emulatedProject, project } from "../harness/emulated";

emulatedProject("all");

const program = `import * as podlumi from "podlumi";
interface Wanted {
  size: number;
}
const wanted: Wanted = { size: 50 };
new podlumi.NetworkVolume("data", { ...wanted, dataCenter: "EU-RO-1" });
  new podlumi.Secret("token", { value: "one" });
`;

test("a state tells where a program in TypeScript declares each resource", async () => {
  project.file("Pulumi.yaml", "name: specification\nruntime: nodejs\nmain: program.ts\n");
  project.file("program.ts", program);
  const { ok, printed } = await project.pulumi("up", "--yes", "--skip-preview");
  expect(ok ? "" : printed).toBe("");
  const { deployment } = JSON.parse((await project.pulumi("stack", "export")).printed);
  const positions = deployment.resources.map(
    ({ sourcePosition }: { sourcePosition: string }) => sourcePosition,
  );
  expect(positions).toEqual(
    expect.arrayContaining(["project:///program.ts#6,1", "project:///program.ts#7,3"]),
  );
}, 60_000);
