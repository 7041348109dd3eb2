import { readFileSync } from "node:fs";
import { emulatedProject, emulator, project, pulumi } from "../harness/emulated";
import { describeJava, installJava } from "../harness/languages";
import { programOf } from "../harness/page";

const SOURCE = "src/main/java/myproject/App.java";

/** Every kind. */
const program = (size: number) => `package myproject;

import com.pulumi.Pulumi;
import com.pulumi.podlumi.*;
import com.pulumi.podlumi.enums.*;
import com.pulumi.podlumi.inputs.*;
import com.pulumi.podlumi.outputs.*;
import java.util.Map;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            var data = new NetworkVolume("data", NetworkVolumeArgs.builder()
                .size(${size})
                .dataCenter("EU-RO-1")
                .type(VolumeType.Standard)
                .build());
            var ghcr = new RegistryAuth("ghcr", RegistryAuthArgs.builder()
                .username("bot")
                .password("hunter22")
                .build());
            var token = new Secret("token", SecretArgs.builder().value("hunter23").build());
            new RegistryDelegation("ecr", RegistryDelegationArgs.builder()
                .resource("arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1")
                .build());
            new SshKeys("keys", SshKeysArgs.builder().keys("ssh-ed25519 AAAA ada@example.com").build());
            var worker = new Template("worker", TemplateArgs.builder()
                .image("org/app:1")
                .serverless(true)
                .env(token.reference().applyValue(reference -> Map.of("TOKEN", reference)))
                .build());
            var trainer = new Pod("trainer", PodArgs.builder()
                .image("org/app:1")
                .gpu(PodGpuArgs.builder().id("NVIDIA L4").build())
                .cloud(Cloud.Secure)
                .ports("22/tcp")
                .registry(ghcr.id())
                .mounts(PodMountsArgs.builder()
                    .network(NetworkMountArgs.builder().volumeId(data.id()).path("/workspace").build())
                    .build())
                .dataCenterIds("EU-RO-1")
                .build());
            var llm = new ServerlessEndpoint("llm", ServerlessEndpointArgs.builder()
                .type(EndpointType.Queue)
                .templateId(worker.id())
                .templateRevision(worker.revision())
                .gpu(EndpointGpuArgs.builder().pools("ADA_24").build())
                .scaling(ServerlessEndpointScalingArgs.builder()
                    .type(ServerlessEndpointScalingType.QueueDelay)
                    .queueDelay(4.0)
                    .build())
                .verify(VerifyArgs.builder().input(Map.of("prompt", "hello")).build())
                .build());
            new Cluster("training", ClusterArgs.builder()
                .image("org/app:1")
                .type(ClusterType.Training)
                .compute(ClusterComputeArgs.builder()
                    .gpuTypeId("NVIDIA H200")
                    .gpuCountPerPod(8)
                    .podCount(2)
                    .build())
                .build());
            ctx.export("port", trainer.ssh().applyValue(ssh -> ssh.direct().map(PodSshEndpoint::port).orElse(0)));
            ctx.export("run", llm.requestUrls().applyValue(urls -> urls.runSync().orElse("")));
            ctx.export("gpus", PodlumiFunctions.getGpuTypes().applyValue(found -> found.gpus().size()));
        });
    }
}
`;

describeJava("a program in Java goes through its whole life:", () => {
  emulatedProject("all");

  test("the program of the page is previewed; every kind is created and changed, a second run changes nothing, and it goes down without a trace", async () => {
    project.file("Pulumi.yaml", "name: specification\nruntime: java\n");
    await installJava(project);
    expect(withoutSpace(readFileSync("test/engine/language-java/pom.xml", "utf8"))).toContain(
      withoutSpace(programOf("docs/languages.md", "xml")),
    );
    project.file(SOURCE, programOf("docs/languages.md", "java"));
    await pulumi("config", "set", "--secret", "hfToken", "hunter24");
    expect(await pulumi("preview")).toContain("+ 4 to create");
    project.file(SOURCE, program(50));
    const up = await pulumi("up", "--yes", "--skip-preview");
    expect(up).toContain("+ 10 created");
    expect(up).toMatch(/port *: \d{4,}/);
    expect(up).toMatch(/run *: "http\S+runsync"/);
    expect(up).toMatch(/gpus *: \d\d/);
    project.file(SOURCE, program(60));
    expect(await pulumi("up", "--yes", "--diff")).toMatch(/~ size: 50 => 60/);
    expect(await pulumi("preview", "--expect-no-changes")).toContain("10 unchanged");
    await pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes");
    await pulumi("destroy", "--yes", "--skip-preview");
    expect(emulator.service.isEmpty()).toBe(true);
  });
});

const withoutSpace = (text: string) => text.replace(/\s/g, "");
