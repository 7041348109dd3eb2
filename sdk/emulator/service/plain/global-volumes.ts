import { z } from "zod";
import type { Fact } from "../page/state";
import { notEmpty } from "../rest/requests";
import { route } from "../rest/route";
import { newId, timestamp } from "../state/ids";
import { Objects } from "./objects";

const name = z.string().max(191).regex(/\S/);

export interface GlobalVolume {
  id: string;
  /** Trimmed, and not unique. */
  name: string;
  createdAt: string;
  createdByUserId: string | null;
}

/** Storage without a data center that grows by itself. Whether the service deletes one in use is not known: here it does. */
export class GlobalVolumes extends Objects<GlobalVolume> {
  /** A beta of newer versions. The documentation shows no read of a single one, so there is none here. */
  static readonly routes = [
    route({
      method: "GET",
      path: "/global-volumes",
      operationId: "listGlobalVolumes",
      summary: "List global volumes",
      paged: "oldest first",
      handle: ({ service }) => ({ globalVolumes: service.globalVolumes.list() }),
    }),
    route({
      method: "POST",
      path: "/global-volumes",
      operationId: "createGlobalVolume",
      summary: "Create a global volume",
      body: z.strictObject({ name }),
      status: 201,
      handle: ({ service, body }) => service.globalVolumes.create(body),
    }),
    route({
      method: "PATCH",
      path: "/global-volumes/{id}",
      operationId: "updateGlobalVolume",
      summary: "Rename a global volume",
      body: notEmpty(z.strictObject({ name: name.optional() })),
      handle: ({ service, params, body }) => service.globalVolumes.update(params.id, body),
    }),
    route({
      method: "DELETE",
      path: "/global-volumes/{id}",
      operationId: "deleteGlobalVolume",
      summary: "Delete a global volume",
      handle: ({ service, params }) => service.globalVolumes.delete(params.id),
    }),
  ];

  static readonly page = { kind: "volume" as const, facts: (): Fact[] => [["where", "everywhere"]] };

  create({ name }: { name: string }): GlobalVolume {
    const { clock, userId } = this.service;
    const createdAt = timestamp(clock.now());
    return this.store({ id: `gsb_${newId()}`, name: name.trim(), createdAt, createdByUserId: userId });
  }

  update(id: string, { name }: { name?: string }): GlobalVolume {
    const before = this.get(id);
    return this.store({ ...before, name: name?.trim() ?? before.name });
  }
}
