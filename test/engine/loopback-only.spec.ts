import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { attempts } from "./loopback-only";

// An address that is reserved for documentation (RFC 5737).
const ELSEWHERE = "192.0.2.1";

test.each([
  ["a socket", async () => connect(443, ELSEWHERE)],
  ["fetch", async () => fetch(`https://${ELSEWHERE}/`)],
])("%s cannot reach another machine, and the attempt is held against the test", async (_, reach) => {
  await expect(reach()).rejects.toThrow();
  expect(attempts.splice(0)).toEqual([ELSEWHERE]);
});

test("a server on loopback can be reached by address and by name", async () => {
  const server = createServer((_, response) => response.end("here"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    for (const host of ["127.0.0.1", "localhost"]) {
      expect(await (await fetch(`http://${host}:${port}/`)).text()).toBe("here");
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
