import { z } from "zod";
import { createSecret, sshKeys, updateSecret } from "../requests";
import { route } from "../route";

/** Only newer versions of the interface have these. */
export const accountRoutes = [
  route({
    method: "GET",
    path: "/account",
    operationId: "getAccount",
    summary: "Whose account it is",
    handle: ({ service }) => ({ id: service.userId, email: "user@example.com" }),
  }),
  route({
    method: "GET",
    path: "/account/limits",
    operationId: "getAccountLimits",
    summary: "What the account may spend and how many workers it may have",
    scope: "account:read",
    handle: ({ service }) => service.allowance.limits(),
  }),
  route({
    method: "GET",
    path: "/billing/balance",
    operationId: "getAccountBalance",
    summary: "The account's balance",
    scope: "billing:read",
    handle: ({ service }) => service.allowance.balance(),
  }),
];

export const sshKeyRoutes = [
  route({
    method: "GET",
    path: "/account/ssh-keys",
    operationId: "getSshKeys",
    summary: "List the account's public keys",
    handle: ({ service }) => ({ keys: service.sshKeys.list() }),
  }),
  route({
    method: "PUT",
    path: "/account/ssh-keys",
    operationId: "updateSshKeys",
    summary: "Replace the account's public keys",
    body: sshKeys,
    handle: ({ service, body }) => ({ keys: service.sshKeys.replace(body.keys) }),
  }),
];

/** Only newer versions of the interface have these. */
export const secretRoutes = [
  route({
    method: "GET",
    path: "/account/secrets",
    operationId: "listSecrets",
    summary: "List secrets, without their values",
    query: z.object({ name: z.string().optional() }),
    handle: ({ service, query }) => ({ secrets: service.secrets.list(query.name) }),
  }),
  route({
    method: "POST",
    path: "/account/secrets",
    operationId: "createSecret",
    summary: "Store a secret",
    body: createSecret,
    status: 201,
    handle: ({ service, body }) => service.secrets.create(body),
  }),
  route({
    method: "GET",
    path: "/account/secrets/{id}",
    operationId: "getSecret",
    summary: "Read a secret, without its value",
    handle: ({ service, params }) => service.secrets.get(params.id),
  }),
  route({
    method: "PATCH",
    path: "/account/secrets/{id}",
    operationId: "updateSecret",
    summary: "Change the value or description of a secret",
    body: updateSecret,
    handle: ({ service, params, body }) => service.secrets.update(params.id, body),
  }),
  route({
    method: "DELETE",
    path: "/account/secrets/{id}",
    operationId: "deleteSecret",
    summary: "Delete a secret",
    handle: ({ service, params }) => service.secrets.delete(params.id),
  }),
];
