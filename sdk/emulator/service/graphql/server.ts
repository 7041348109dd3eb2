import type { FastifyInstance, FastifyReply } from "fastify";
import {
  buildSchema,
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import { getVariableValues } from "graphql/execution";
import type { Account } from "../account";
import { asServiceError } from "./errors";
import { rootOf } from "./root";
import { typeDefs } from "./schema";

interface GraphqlRequest {
  query?: unknown;
  variables?: Record<string, unknown> | null;
  operationName?: string | null;
}

const schemas = new Map<string, GraphQLSchema>();

/** All accounts of this process share a schema. To build one takes longer than to start an account. */
function schemaOf(text: string): GraphQLSchema {
  const schema = schemas.get(text) ?? buildSchema(text);
  schemas.set(text, schema);
  return schema;
}

/** The GraphQL interface: one address, POST only, no introspection. */
export function serveGraphql(app: FastifyInstance): void {
  app.post("/", async (request, reply) => {
    const { accepts, graphql } = request.account;
    // assumes: status GraphQL *
    if (!graphql.enabled) return fail(reply, 410, new GraphQLError("The GraphQL API has been retired."));
    const { api_key } = request.query as { api_key?: string };
    const key = api_key ?? /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    if (!key || !accepts(key)) return fail(reply, 401, new GraphQLError("Unauthorized"));

    // The original request of a late effect has been counted already.
    const limit = request.isLate ? undefined : graphql.limiter?.take();
    reply.headers({ ...limit?.headers });
    if (limit?.exceeded) return fail(reply, 429, new GraphQLError("Too Many Requests"));

    const { query, variables, operationName } = (request.body ?? {}) as GraphqlRequest;
    if (typeof query !== "string") return fail(reply, 400, new GraphQLError("Must provide a query string."));
    const document = parsed(query);
    if (document instanceof GraphQLError) return fail(reply, 400, document);
    const schema = schemaOf(typeDefs(graphql));
    const faults = validate(schema, document, [...specifiedRules, NoSchemaIntrospectionCustomRule]);
    if (faults.length > 0)
      return fail(reply, 400, ...faults.map((fault) => withCode(fault, "GRAPHQL_VALIDATION_FAILED")));
    const badVariables = variableErrors(schema, document, variables ?? {});
    if (badVariables.length > 0) return fail(reply, 400, ...badVariables);

    const { data, errors } = await execute({
      schema,
      document,
      rootValue: rootFor(request.account, document, operationName, request.lag),
      variableValues: variables,
      operationName,
    });
    // assumes: field, value, header GraphQL *
    return reply.send({ ...(errors && { errors: errors.map(asServiceError) }), data });
  });
}

/** Only queries lag. Mutations act on the present account and return it. */
function rootFor(
  { service, past }: Account,
  document: DocumentNode,
  name: string | null | undefined,
  lag: number | undefined,
) {
  if (getOperationAST(document, name)?.operation === "mutation") past.note();
  const { myself } = rootOf(past.listed(lag));
  const { pod } = rootOf(past.read(lag));
  return { ...rootOf(service), myself, pod };
}

/** Variables of the wrong type fail the request, like any other violation of the schema. */
function variableErrors(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Record<string, unknown>,
): GraphQLError[] {
  const errors = document.definitions.flatMap((definition) => {
    if (definition.kind !== "OperationDefinition") return [];
    return getVariableValues(schema, definition.variableDefinitions ?? [], variables).errors ?? [];
  });
  return errors.map((error) => withCode(error, "BAD_USER_INPUT"));
}

function parsed(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query);
  } catch (error) {
    if (error instanceof GraphQLError) return withCode(error, "GRAPHQL_PARSE_FAILED");
    throw error;
  }
}

const withCode = ({ message, nodes, source, positions, path }: GraphQLError, code: string) =>
  new GraphQLError(message, { nodes, source, positions, path, extensions: { code } });

function fail(reply: FastifyReply, status: number, ...errors: GraphQLError[]): FastifyReply {
  return reply.status(status).send({ errors });
}

/** The first field of the first operation. It serves as the name of the request. */
export function operationOf(body: unknown): string | undefined {
  const { query } = (body ?? {}) as GraphqlRequest;
  const document = typeof query === "string" ? parsed(query) : undefined;
  if (!document || document instanceof GraphQLError) return undefined;
  const operation = document.definitions.find((definition) => definition.kind === "OperationDefinition");
  const field = operation?.selectionSet.selections.find((selection) => selection.kind === "Field");
  return field?.name.value;
}
