import type { Api } from "../client/api";
import { isNotFound } from "../client/errors";
import { NotInSchemaError } from "../client/graphql";
import { path } from "../client/rest";
import type { Made, Observed } from "../core/definition";
import type { Properties } from "../core/value";

/** Where the service keeps secrets. */
export interface SecretStore {
  create(body: Properties): Promise<Made>;
  /** All secrets, or undefined where the service cannot tell. */
  list(): Promise<Made[] | undefined>;
  /** Undefined only when the service says that there is none. */
  read(id: string, state: Properties): Promise<Observed | undefined>;
  /** Absent where a value can only be replaced together with its secret. */
  setValue?(id: string, value: string): Promise<Observed>;
  delete(id: string): Promise<void>;
}

/**
 * The one place that decides where secrets live: REST `/account/secrets` when the service offers it, since GraphQL
 * retires in early 2027, else GraphQL. Asked once for each process.
 */
export function secretStore(api: Api): Promise<SecretStore> {
  return api.once("secrets", async () => {
    const offered = await api.rest.find("/account/secrets");
    return offered === undefined ? overGraphql(api) : overRest(api);
  });
}

interface RestSecret extends Observed {
  id: string;
}

/** (API: Secrets, REST) */
function overRest(api: Api): SecretStore {
  return {
    create: async (body) => observed(await api.rest.post<RestSecret>("/account/secrets", body)),
    list: async () => (await api.rest.list<RestSecret>("/account/secrets", "secrets")).map(observed),
    async read(id) {
      const secret = await api.rest.find<RestSecret>(path`/account/secrets/${id}`);
      return secret && observed(secret);
    },
    setValue: async (id, value) =>
      observed(await api.rest.patch<RestSecret>(path`/account/secrets/${id}`, { value })),
    delete: (id) => api.rest.delete(path`/account/secrets/${id}`),
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

const setSecretValue = /* GraphQL */ `
  mutation SetSecretValue($input: SecretValueUpdateInput!) {
    secretValueUpdate(input: $input) { id name description createdAt }
  }
`;

/** Executes nothing: the only field is skipped. What the schema lacks is refused all the same. */
const canSetSecretValue = /* GraphQL */ `
  mutation CanSetSecretValue {
    secretValueUpdate(input: { id: "", value: "" }) @skip(if: true) { id }
  }
`;

/** (specification, "GraphQL API": secretCreate, secretDelete; API: Secrets for what only some servers have) */
async function overGraphql({ graphql }: Api): Promise<SecretStore> {
  const store: SecretStore = {
    async list() {
      try {
        const { myself } = await graphql.query<{ myself: { secrets: RestSecret[] } }>("secrets", listSecrets);
        return myself.secrets.map(observed);
      } catch (error) {
        if (error instanceof NotInSchemaError) return undefined;
        throw error;
      }
    },
    async create(input) {
      const made = await graphql.mutation<{ secretCreate: RestSecret }>(
        "secretCreate",
        "create",
        createSecret,
        { input },
      );
      return observed(made.secretCreate);
    },
    async read(id, state) {
      const secrets = await store.list();
      if (secrets === undefined) return observed({ id, ...state });
      return secrets.find((secret) => secret.id === id);
    },
    async delete(id) {
      // The wording of a refusal decides nothing: what is no longer listed is deleted.
      await graphql.mutation("secretDelete", "delete", deleteSecret, { id }).catch(async (error) => {
        if (isNotFound(error)) return;
        const secrets = await store.list();
        if (secrets === undefined || secrets.some((secret) => secret.id === id)) throw error;
      });
    },
  };
  if (!(await graphql.has("CanSetSecretValue", canSetSecretValue))) return store;
  return {
    ...store,
    async setValue(id, value) {
      const variables = { input: { id, value } };
      const set = await graphql.mutation<{ secretValueUpdate: RestSecret }>(
        "secretValueUpdate",
        "change",
        setSecretValue,
        variables,
      );
      return observed(set.secretValueUpdate);
    },
  };
}

/** The outputs of a secret; the value is none of them, since it is never answered. */
function observed({ id, name, description, createdAt }: RestSecret): Made {
  return { id, name, description: description ?? null, createdAt: createdAt ?? null };
}
