import { createServer, type IncomingMessage, type Server } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Account } from "./account";
import { newApp } from "./app";
import { type Paths, routesOf } from "./rest/routes";

/** The apps of this process, by the paths that their REST has. To make one takes longer than all else that an account needs. */
const apps = new Map<string, Promise<FastifyInstance>>();

const accounts = new WeakMap<IncomingMessage, Account>();

function appWith(paths: Paths): Promise<FastifyInstance> {
  const key = JSON.stringify(paths);
  const app = apps.get(key) ?? newApp(routesOf(paths), (request) => accounts.get(request) as Account);
  apps.set(key, app);
  return app;
}

/** The HTTP server of an account, whose interfaces it shares with the other accounts of this process. It does not listen yet. */
export async function serverOf(account: Account, paths: Paths): Promise<Server> {
  const app = await appWith(paths);
  const { keepAliveTimeout, requestTimeout } = app.server;
  const server = createServer((request, response) => {
    accounts.set(request, account);
    app.routing(request, response);
  });
  server.on("clientError", (error, socket) => app.server.emit("clientError", error, socket));
  return Object.assign(server, { keepAliveTimeout, requestTimeout });
}
