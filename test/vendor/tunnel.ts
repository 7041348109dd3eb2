import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes the emulator answer at the service's own address. */
export interface Tunnel {
  /** The environment in which a program takes the tunnel, and trusts it. */
  env: Record<string, string>;
  close(): void;
}

const service = "api.runpod.io";

/**
 * A proxy that passes all requests of https to `emulator`. A provider whose address of the service is fixed needs no
 * change then, and cannot reach the service.
 */
export async function openTunnel(emulator: string): Promise<Tunnel> {
  const folder = mkdtempSync(join(tmpdir(), "podlumi-tunnel-"));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const names = ["-subj", `/CN=${service}`, "-addext", `subjectAltName=DNS:${service}`];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const files = ["-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", ...kind, ...names, ...files], { stdio: "pipe" });

  const agent = new Agent({ keepAlive: true });
  const pass = (asked: IncomingMessage, answer: ServerResponse) => {
    const { method, headers, url = "/" } = asked;
    const passed = request(new URL(url, emulator), { agent, method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  };
  const inside = createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, pass);
  const proxy = createServer().on("connect", (_request, socket: Socket) => {
    socket.on("error", () => socket.destroy());
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    inside.emit("connection", socket);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  return {
    env: {
      HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      NO_PROXY: "127.0.0.1,localhost",
      // Go reads the first, Node.js the second.
      SSL_CERT_FILE: certificate,
      NODE_EXTRA_CA_CERTS: certificate,
    },
    close() {
      proxy.close();
      proxy.closeAllConnections();
      inside.closeAllConnections();
      agent.destroy();
      rmSync(folder, { recursive: true });
    },
  };
}
