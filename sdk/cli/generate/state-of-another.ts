import { inLine } from "../../../provider/mask";
import { isRecord, type Properties } from "../../../provider/value";
import { contentOf, fromJson } from "../arguments";
import { CommandError, tell } from "../output";
import { terraformResources } from "../terraform";
import type { Found } from "./observe";

/** A resource in the state of another tool, and the ids that its object may have. */
interface Resource {
  readonly address: string;
  readonly ids: readonly unknown[];
}

/** Those of the objects that the state in a file has, of Terraform or of the vendor's Pulumi provider. Tells what the account lacks. */
export async function inStateOf(file: string, all: readonly Found[]): Promise<readonly Found[]> {
  const resources = await resourcesIn(file);
  const account = new Set<unknown>(all.map(({ id }) => id));
  for (const { address, ids } of resources)
    if (!ids.some((id) => account.has(id)))
      tell(`podlumi: left out, since this account does not have it: ${inLine(address)}`);
  const wanted = new Set(resources.flatMap(({ ids }) => ids));
  return all.filter(({ id }) => wanted.has(id));
}

async function resourcesIn(file: string): Promise<readonly Resource[]> {
  const json = fromJson("--state", await contentOf(file, "--state"));
  const found = ofTerraform(json) ?? ofPulumi(json);
  if (found === undefined)
    throw new CommandError(
      "--state takes a terraform.tfstate, or what `terraform show -json` or `pulumi stack export` prints",
    );
  return found;
}

function ofTerraform(json: unknown): Resource[] | undefined {
  return terraformResources(json)?.map(({ address, type, values }) => ({
    address,
    // An account has one list of keys.
    ids: type === "runpod_account_ssh_keys" ? ["ssh-keys"] : [values.id],
  }));
}

/** The forerunner of the vendor's provider makes up ids, and has the object's own one in an output. */
function ofPulumi(json: unknown): Resource[] | undefined {
  if (!isRecord(json) || !isRecord(json.deployment)) return undefined;
  const { resources = [] } = json.deployment as { resources?: readonly Properties[] };
  const managed = resources.filter(({ type, external }) => String(type).startsWith("runpod:") && !external);
  return managed.map(({ urn, id, outputs }) => ({
    address: String(urn),
    ids: [id, ...Object.values(Object(outputs)).map((output) => Object(output).id)],
  }));
}
