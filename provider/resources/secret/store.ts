import type { Api } from "../../client/api";
import { timeOf } from "../../client/clock";
import { type Collection, type Item, itemIn } from "../../client/collection";
import { ExpectedError, hasStatus } from "../../client/errors";
import { orIfNotInSchema } from "../../client/graphql";
import { type Observed, type ServiceObject, setElsewhere } from "../../core/kind";
import { partsOfDescription } from "../../core/mark/carried";
import type { Properties } from "../../value";

/** The calls for secrets, over REST or GraphQL. */
interface SecretStore extends Pick<Collection, "delete"> {
  create(body: Properties): Promise<ServiceObject>;
  /** All secrets; undefined when the service cannot list them. */
  list(age?: number): Promise<ServiceObject[] | undefined>;
  /** The secret, at most `age` milliseconds old. Undefined only when the service says that there is none. */
  read(id: string, state: Properties, age?: number): Promise<Observed | undefined>;
  /** Absent where the service cannot change a secret in place, so that it must be replaced. */
  readonly update?: Collection["update"];
}

/**
 * Chooses REST `/account/secrets` when the service offers it, because GraphQL retires in early 2027. Otherwise it
 * chooses GraphQL. The service is asked once per process.
 */
export async function secretStore(api: Api): Promise<SecretStore> {
  const secrets = api.collection("/account/secrets", "secrets");
  const areInRest = await api.once("whether REST has secrets", async () => {
    // Two responses must agree that it has none, since one may be wrong: GraphQL may have to replace what REST changes in place.
    if ((await isAnswering(secrets)) || (await isAnswering(secrets))) return true;
    api.log(
      "REST has no secrets here, so GraphQL is used for them. The service retires GraphQL in early 2027",
    );
    return false;
  });
  return areInRest ? overRest(secrets) : overGraphql(api);
}

async function isAnswering(collection: Collection): Promise<boolean> {
  try {
    await collection.list();
    return true;
  } catch (error) {
    if (hasStatus(error, 404)) return false;
    throw error;
  }
}

/** (API: Secrets, REST) */
function overRest(secrets: Collection): SecretStore {
  return {
    create: async (body) => dated(await secrets.create(body)),
    list: async (age) => (await secrets.list(age)).map(dated),
    async read(id, state, age) {
      const secret = await secrets.find(id, age);
      if (secret === undefined) return undefined;
      return { ...dated(secret), ...(isSetElsewhere(secret, state) && { value: setElsewhere }) };
    },
    update: async (id, patch) => dated(await secrets.update(id, patch)),
    delete: (id) => secrets.delete(id),
  };
}

const createSecret = /* GraphQL */ `
  mutation CreateSecret($input: SecretCreateInput!) {
    secretCreate(input: $input) { id name description }
  }
`;

const deleteSecret = /* GraphQL */ `
  mutation DeleteSecret($id: ID!) {
    secretDelete(id: $id)
  }
`;

const listSecrets = /* GraphQL */ `
  query Secrets {
    myself { secrets { id name description createdAt } }
  }
`;

/** Only what each server with GraphQL has: all that can change a secret have it over REST. (API: GraphQL, secretCreate and secretDelete; Secrets) */
function overGraphql(api: Api): SecretStore {
  const all = async () => (await api.graphql.list<Item>("secrets", listSecrets)).map(observed);
  const shared = api.shared<ServiceObject>("secrets of GraphQL", { all });
  const { seen } = shared;
  return {
    async create({ description, ...plain }) {
      const send = (input: Properties) =>
        api.graphql.mutation("secretCreate", "create", createSecret, { input });
      // The specification has no `description`, but the public service has.
      const response = await send({ ...plain, description }).catch(
        orIfNotInSchema(() => {
          if (partsOfDescription(description).text !== "") throw noDescription();
          return send(plain);
        }),
      );
      const created = observed(itemIn("GraphQL secretCreate", response));
      seen.add(created);
      return created;
    },
    list: (age) => shared.list(age).catch(orIfNotInSchema(() => undefined)),
    read: (id, state, age) => shared.find(id, age).catch(orIfNotInSchema(() => observed({ id, ...state }))),
    async delete(id) {
      // Do not interpret the refusal's wording: a secret that is no longer listed is deleted.
      try {
        await api.graphql.mutation("secretDelete", "delete", deleteSecret, { id });
        seen.deleted(id);
        return true;
      } catch (error) {
        seen.changed(id);
        const isListed = async () => (await shared.find(id)) !== undefined;
        if (await isListed().catch(orIfNotInSchema(() => true))) throw error;
        seen.deleted(id);
        return false;
      }
    },
  };
}

const noDescription = () =>
  new ExpectedError("the service takes no description of a secret: remove it", "PODLUMI-REFUSED");

/** The outputs of a secret over REST, which tells when its value was set. */
function dated(secret: Item): ServiceObject {
  return { ...observed(secret), valueLastUpdatedAt: secret.valueLastUpdatedAt ?? null };
}

/** Responses may round times to seconds. */
const rounding = 2_000;

/** The value was set since the state was written. A state of GraphQL, or of an earlier release, does not tell. */
function isSetElsewhere({ valueLastUpdatedAt }: Item, state: Properties): boolean {
  if (state.valueLastUpdatedAt === undefined || typeof valueLastUpdatedAt !== "string") return false;
  return !(timeOf(valueLastUpdatedAt) - timeOf(String(state.valueLastUpdatedAt)) < rounding);
}

/** The outputs of a secret, without the value, which the service never returns. */
function observed({ id, name, description, createdAt }: Item): ServiceObject {
  return { id, name, description: description ?? null, createdAt: createdAt ?? null };
}
