import { afterUnclear, failAsRead, hasStatus, ServiceError, unreadable } from "./errors";
import { errorOf } from "./response";
import type { Effect, HttpResponse, Send } from "./transport";

type Library = typeof import("graphql-request", { with: { "resolution-mode": "import" }});

/** The service's GraphQL schema lacks something that the request uses. (API: GraphQL, transport) */
export class NotInSchemaError extends ServiceError {}

/** For a request that the schema does not know. The service has done nothing then. */
export function orIfNotInSchema<Other>(otherwise: () => Other): (error: unknown) => Other {
  return (error) => {
    if (error instanceof NotInSchemaError) return otherwise();
    throw error;
  };
}

/** The service will retire GraphQL in early 2027. (API: GraphQL) */
export const isRetired = (error: unknown) => hasStatus(error, 410);

/** GraphQL. The key is a query parameter. (API: GraphQL) */
export class Graphql {
  constructor(
    private readonly send: Send,
    private readonly address: string,
    private readonly apiKey: string,
  ) {}

  query<T>(name: string, document: string): Promise<T> {
    return this.call<T>(name, "read", document).catch(failAsRead);
  }

  /** The account's list of this name. */
  async list<T>(name: string, document: string): Promise<T[]> {
    const { myself } = await this.query<{ myself: Record<string, T[]> | null }>(name, document);
    const items = myself?.[name];
    if (Array.isArray(items)) return items;
    throw unreadable(`GraphQL ${name}`, 200, `it has no list of ${name}`);
  }

  /** The value of the mutation's field `name` in the response. Throws when it is missing, because the response then proves nothing. */
  async mutation(name: string, effect: Effect, document: string, variables: object): Promise<unknown> {
    const data = await this.call<Record<string, unknown>>(name, effect, document, variables);
    if (!(name in data)) throw unreadable(`GraphQL ${name}`, 200, "it does not have the mutation");
    return data[name];
  }

  /** True when the schema knows a document: none where it is retired. The service executes it, so it must have no effect. */
  async has(name: string, document: string): Promise<boolean> {
    try {
      await this.query(name, document);
      return true;
    } catch (error) {
      if (error instanceof NotInSchemaError || isRetired(error)) return false;
      throw error;
    }
  }

  private async call<T>(name: string, effect: Effect, document: string, variables?: object): Promise<T> {
    const call = `GraphQL ${name}`;
    let response: HttpResponse | undefined;
    // Loaded late, because most programs never use GraphQL. `require`, because Jest in users' projects refuses `import()`.
    const { ClientError, GraphQLClient }: Library = require("graphql-request");
    const client = new GraphQLClient(this.address, {
      fetch: async (_address, init) => {
        const url = new URL(this.address);
        url.searchParams.set("api_key", this.apiKey);
        const body = String(init?.body);
        const headers = { accept: "application/json", "content-type": "application/json" };
        response = await this.send({ call, effect, method: "POST", url, headers, body });
        return new Response(response.body, {
          status: response.status,
          headers: { "content-type": "application/json" },
        });
      },
    });
    try {
      const data = await client.request<T>(document, variables);
      if (typeof data === "object" && data !== null) return data;
    } catch (error) {
      if (response === undefined) throw error;
      const errors = error instanceof ClientError ? (error.response.errors ?? []) : [];
      // They come with status 200, and only bodies of failures are masked elsewhere.
      const messages = errors.map(({ message }) => String(message).replaceAll(this.apiKey, "[secret]"));
      const code = String(errors[0]?.extensions?.code ?? "GraphQL error");
      throw afterUnclear(failureOf(call, response, messages, code), response.unclear);
    }
    throw unreadable(call, 200, "it has no data");
  }
}

/** Has the service's own messages only. Those of graphql-request contain the variables, which may be secret. */
function failureOf(call: string, response: HttpResponse, messages: readonly string[], code: string): Error {
  const { status } = response;
  if (status === 400 && messages.length > 0) {
    const detail = "the schema does not have what was asked for";
    return new NotInSchemaError(call, status, { title: "Bad Request", detail, errors: messages });
  }
  if (status !== 200 || messages.length === 0) return errorOf(call, response);
  const detail = messages.join("; ").replace(/\.$/, "");
  // A refusal by GraphQL has the status of a success, and a code.
  const remedy = { code: "PODLUMI-REFUSED", next: "" };
  return new ServiceError(
    call,
    status,
    { title: "with an error", code, detail, errors: [] },
    undefined,
    remedy,
  );
}
