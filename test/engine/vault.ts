import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The secrets provider of the stacks of specifications. */
export const secretsProvider = "hashivault://specification";

/**
 * As much of Vault's transit engine as a stack needs: it keeps the key of the stack. The engine itself encrypts the secrets
 * with that key. Its other way, a passphrase, takes a million rounds of SHA-256 in every command: a third of its time.
 */
export async function startVault(): Promise<void> {
  const server = createServer(async (request, response) => {
    const { plaintext, ciphertext } = JSON.parse(await textOf(request));
    const data = request.url?.includes("/transit/encrypt/")
      ? { ciphertext: `vault:v1:${plaintext}` }
      : { plaintext: String(ciphertext).replace("vault:v1:", "") };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  server.unref();
  process.env.VAULT_SERVER_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.VAULT_SERVER_TOKEN = "specification";
}

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}
