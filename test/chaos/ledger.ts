import type { Emulator, LoggedRequest } from "../emulator";

/** Records who made each object, by the API key of the request, and who changed or deleted objects of others. */
export class Ledger {
  /** Changes and deletions of another owner's objects. Each is a sentence. */
  readonly touched: string[] = [];
  /** Deletions of objects with data that no version of a program asked for. Each is a sentence. */
  readonly lost: string[] = [];
  private readonly makers = new Map<string, string>();

  constructor(emulator: Emulator) {
    emulator.on("after", {}, (request, answer) => {
      if (answer === undefined || answer.status >= 300) return;
      const made = madeBy(request, String(answer.body));
      if (made !== undefined) this.makers.set(made, ownerOf(request));
      const target = targetOf(request);
      if (target !== undefined) this.check(request, target);
    });
  }

  /** The owner of an object: a stack's label, or `hand`. */
  ownerOf(id: string): string {
    return this.makers.get(id) ?? "hand";
  }

  private check(request: LoggedRequest, id: string): void {
    const owner = this.ownerOf(id);
    if (owner === ownerOf(request)) return;
    const what = request.operation ?? `${request.method} ${request.path}`;
    this.touched.push(`${ownerOf(request)} sent ${what} about ${id}, which is ${owner}'s`);
  }
}

/** The API key of a stack. Rotation changes it, but it still ends with the stack's label. */
export function keyOf(label: string, rotation: number): string {
  return `rpa_${rotation}_${label.repeat(4)}`;
}

function ownerOf({ client }: LoggedRequest): string {
  return client.slice(0, 1);
}

/** The id of the object that a request made. */
function madeBy(
  { interface: name, method, path, operation }: LoggedRequest,
  body: string,
): string | undefined {
  if (name === "graphql")
    return operation === "secretCreate" ? JSON.parse(body).data?.secretCreate?.id : undefined;
  return method === "POST" && !path.includes("/action") ? JSON.parse(body).id : undefined;
}

/** The id of the object that a request changed or deleted. */
function targetOf({ interface: name, method, path, body }: LoggedRequest): string | undefined {
  if (name === "rest") {
    const id = /^\/v2\/(?:(?:account|registries(?=\/delegations))\/)?[a-z-]+\/([^/?]+)/.exec(path)?.[1];
    return method === "GET" || (method === "POST" && !path.includes("/action")) ? undefined : id;
  }
  const { query = "", variables } = body as {
    query?: string;
    variables?: { id?: string; input?: { id?: string } };
  };
  if (!query.trim().startsWith("mutation") || query.includes("@skip")) return undefined;
  return variables?.id ?? variables?.input?.id;
}
