import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";
import "./sdk-in-jest";

type LanguageServer = new (program: () => Promise<unknown>) => UntypedServiceImplementation;
// Pulumi's package does not contain the declarations of this module.
const { LanguageServer } = require("@pulumi/pulumi/automation/server") as { LanguageServer: LanguageServer };

/**
 * Serves a program from this process while a command runs, as the Automation API does. A process for each program takes a
 * second more. `flags` tell the command about the server.
 */
export async function withInline<T>(program: string, command: (flags: string[]) => Promise<T>): Promise<T> {
  const server = new Server();
  server.addService(LanguageRuntimeService, new LanguageServer(async () => outputsOf(program)));
  try {
    const port = await new Promise<number>((done, failed) => {
      const credentials = ServerCredentials.createInsecure();
      server.bindAsync("127.0.0.1:0", credentials, (error, port) => (error ? failed(error) : done(port)));
    });
    return await command([`--client=127.0.0.1:${port}`, "--exec-kind=auto.inline"]);
  } finally {
    server.forceShutdown();
  }
}

/** Runs a program in JavaScript. Its exports are the outputs of the stack. */
function outputsOf(program: string): unknown {
  const module = { exports: {} };
  new Function("require", "module", "exports", program)(require, module, module.exports);
  return module.exports;
}
