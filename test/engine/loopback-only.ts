import { isIPv4, Socket } from "node:net";

/**
 * Lets tests connect to loopback only. Any other connection throws. It also fails the test, even when the code under
 * test swallows the error. (jest-setup.ts restricts the processes that the engine starts.)
 */
const connect = Socket.prototype.connect;
/** The hosts that the running test has tried to reach. */
export const attempts: string[] = [];

Socket.prototype.connect = function connectOnLoopback(this: Socket, ...args: unknown[]): Socket {
  const host = hostOf(args);
  if (isLoopback(host)) return Reflect.apply(connect, this, args);
  attempts.push(host);
  throw new Error(`Tests talk to loopback only, not to ${host}`);
};

afterEach(() => {
  const hosts = attempts.splice(0);
  if (hosts.length > 0) throw new Error(`Tests talk to loopback only, not to ${hosts.join(", ")}`);
});

afterAll(() => {
  Socket.prototype.connect = connect;
});

/** `connect` takes a path, or a port and a host, or options, or an array with options (calls from inside Node.js). */
function hostOf([first, second]: unknown[]): string {
  if (Array.isArray(first)) return hostOf(first);
  if (typeof first === "object" && first !== null && "host" in first && first.host) return String(first.host);
  return typeof second === "string" ? second : "localhost";
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}
