import { z } from "zod";
import type { Route } from "./route";

const problem = {
  description: "Error",
  content: {
    "application/problem+json": {
      schema: {
        type: "object",
        required: ["title", "status", "detail"],
        properties: {
          title: { type: "string" },
          status: { type: "integer" },
          detail: { type: "string" },
          errors: { type: "array", items: { type: "string" } },
        },
      },
    },
  },
};

/** The OpenAPI document of the operations that this emulator serves, made from its routes. */
export function openApiOf(routes: Route[]): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = `/v2${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Service emulator", version: "2" },
    servers: [{ url: "/" }],
    security: [{ bearerAuth: [] }],
    components: { securitySchemes: { bearerAuth: { type: "http", scheme: "bearer" } } },
    paths,
  };
}

function operationOf({ path, operationId, summary, query, body, status, method }: Route): object {
  return {
    operationId,
    summary,
    parameters: [...pathParameters(path), ...(query ? queryParameters(query) : [])],
    ...(body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: z.toJSONSchema(body, { io: "input" }) } },
      },
    }),
    responses: {
      [method === "DELETE" ? 204 : (status ?? 200)]: { description: "OK" },
      default: problem,
    },
  };
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(query: z.ZodType): object[] {
  const { properties = {} } = z.toJSONSchema(query, { io: "output" });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    style: "form",
    explode: false,
    schema,
  }));
}
