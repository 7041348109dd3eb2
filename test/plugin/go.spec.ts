import { emulatedProject, emulator, project, pulumi } from "../harness/emulated";
import { describeGo, installGo } from "../harness/languages";
import { programOf } from "../harness/page";

/** Every kind. */
const program = (size: number) => `package main

import (
	"example.com/pulumi-podlumi/sdk/go/podlumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		data, err := podlumi.NewNetworkVolume(ctx, "data", &podlumi.NetworkVolumeArgs{
			Size:       pulumi.Int(${size}),
			DataCenter: pulumi.String("EU-RO-1"),
			Type:       podlumi.VolumeTypeStandard,
		})
		if err != nil {
			return err
		}
		ghcr, err := podlumi.NewRegistryAuth(ctx, "ghcr", &podlumi.RegistryAuthArgs{
			Username: pulumi.String("bot"),
			Password: pulumi.String("hunter22"),
		})
		if err != nil {
			return err
		}
		token, err := podlumi.NewSecret(ctx, "token", &podlumi.SecretArgs{Value: pulumi.String("hunter23")})
		if err != nil {
			return err
		}
		if _, err := podlumi.NewRegistryDelegation(ctx, "ecr", &podlumi.RegistryDelegationArgs{
			Resource: pulumi.String("arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1"),
		}); err != nil {
			return err
		}
		if _, err := podlumi.NewSshKeys(ctx, "keys", &podlumi.SshKeysArgs{
			Keys: pulumi.ToStringArray([]string{"ssh-ed25519 AAAA ada@example.com"}),
		}); err != nil {
			return err
		}
		worker, err := podlumi.NewTemplate(ctx, "worker", &podlumi.TemplateArgs{
			Image:      pulumi.String("org/app:1"),
			Serverless: pulumi.Bool(true),
			Env:        pulumi.StringMap{"TOKEN": token.Reference},
		})
		if err != nil {
			return err
		}
		trainer, err := podlumi.NewPod(ctx, "trainer", &podlumi.PodArgs{
			Image:    pulumi.String("org/app:1"),
			Gpu:      &podlumi.PodGpuArgs{Id: pulumi.String("NVIDIA L4")},
			Cloud:    podlumi.CloudSecure,
			Ports:    pulumi.ToStringArray([]string{"22/tcp"}),
			Registry: ghcr.ID(),
			Mounts: &podlumi.PodMountsArgs{Network: podlumi.NetworkMountArray{
				&podlumi.NetworkMountArgs{VolumeId: data.ID(), Path: pulumi.String("/workspace")},
			}},
			DataCenterIds: pulumi.ToStringArray([]string{"EU-RO-1"}),
		})
		if err != nil {
			return err
		}
		llm, err := podlumi.NewServerlessEndpoint(ctx, "llm", &podlumi.ServerlessEndpointArgs{
			Type:             podlumi.EndpointTypeQueue,
			TemplateId:       worker.ID(),
			TemplateRevision: worker.Revision,
			Gpu:              &podlumi.EndpointGpuArgs{Pools: pulumi.ToStringArray([]string{"ADA_24"})},
			Scaling: &podlumi.ServerlessEndpointScalingArgs{
				Type:       podlumi.ServerlessEndpointScalingTypeQueueDelay,
				QueueDelay: pulumi.Float64(4),
			},
			Verify: &podlumi.VerifyArgs{Input: pulumi.Map{"prompt": pulumi.String("hello")}},
		})
		if err != nil {
			return err
		}
		if _, err := podlumi.NewCluster(ctx, "training", &podlumi.ClusterArgs{
			Image: pulumi.String("org/app:1"),
			Type:  podlumi.ClusterTypeTraining,
			Compute: &podlumi.ClusterComputeArgs{
				GpuTypeId:      pulumi.String("NVIDIA H200"),
				GpuCountPerPod: pulumi.Int(8),
				PodCount:       pulumi.Int(2),
			},
		}); err != nil {
			return err
		}
		ctx.Export("port", trainer.Ssh.Direct().Port())
		ctx.Export("run", llm.RequestUrls.RunSync())
		return nil
	})
}
`;

describeGo("a program in Go goes through its whole life:", () => {
  emulatedProject("all");

  test("the program of the page is previewed; every kind is created and changed, a second run changes nothing, and it goes down without a trace", async () => {
    project.file("Pulumi.yaml", "name: specification\nruntime: go\n");
    await installGo(project);
    project.file("main.go", programOf("docs/languages.md", "go"));
    expect(await pulumi("preview")).toContain("+ 3 to create");
    project.file("main.go", program(50));
    const up = await pulumi("up", "--yes", "--skip-preview");
    expect(up).toContain("+ 10 created");
    expect(up).toMatch(/port *: \d+/);
    expect(up).toMatch(/run *: "http\S+runsync"/);
    project.file("main.go", program(60));
    expect(await pulumi("up", "--yes", "--diff")).toMatch(/~ size: 50 => 60/);
    expect(await pulumi("preview", "--expect-no-changes")).toContain("10 unchanged");
    await pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes");
    await pulumi("destroy", "--yes", "--skip-preview");
    expect(emulator.service.isEmpty()).toBe(true);
  });
});
