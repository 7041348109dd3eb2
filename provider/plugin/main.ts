/**
 * The executable `pulumi-resource-podlumi`: podlumi as a resource plugin, for programs in every language of Pulumi. The engine
 * starts it with its own address, reads its port from the first line that it prints, and then calls it by gRPC.
 *
 * @packageDocumentation
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import engine from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Run } from "../core/call/run";
import { endWithEngine } from "../engine/end";
import { logTo } from "../engine/log";
import { spareMemory } from "../engine/memory";
import { service } from "./server";

spareMemory();

/** Bytes of a message: the schema and states exceed gRPC's default. */
const longest = 400 * 1024 * 1024;

// `pulumi plugin install --file` copies this folder only.
const schema = () => readFileSync(join(__dirname, "schema.json"), "utf8");
const { version } = JSON.parse(schema());

const [address] = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
if (address !== undefined) {
  const client = new EngineClient(address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
  logTo({ client, LogRequest: engine.LogRequest, LogSeverity: engine.LogSeverity });
}

const server = new Server({
  "grpc.max_receive_message_length": longest,
  "grpc.max_send_message_length": longest,
});
server.addService(ResourceProviderService, service(new Run(), version, schema));
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  process.stdout.write(`${port}\n`);
});
endWithEngine();
