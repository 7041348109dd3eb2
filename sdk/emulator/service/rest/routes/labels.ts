import { z } from "zod";
import { type Labels, type Resource, resourceTypes } from "../../state/labels";
import type { Service } from "../../state/service";
import { validate } from "../../validation";
import { type Call, type Route, route, type Scope } from "../route";

const resourceType = z.enum(resourceTypes);
// assumes: field POST /tags: resources
const resource = z.strictObject({ id: z.string().min(1), type: resourceType });
const resources = z.array(resource).max(100).optional();

/** (API: Tags, create) */
const createTag = z.strictObject({
  key: z
    .string()
    .min(1)
    .max(191)
    .regex(/\S/)
    .refine((key) => !/^\s*runpod:/i.test(key), "the prefix runpod: is reserved")
    .transform((key) => key.trim()),
  value: z.string().max(191),
  resources,
});

/** (API: Cost centers, create) */
const createCostCenter = z.strictObject({
  value: z
    .string()
    .min(1)
    .max(50)
    .regex(/\S/)
    .transform((value) => value.trim()),
  resources,
});

interface Group {
  root: string;
  list: string;
  /** Of an operation: `createTag`. */
  name: string;
  noun: string;
  read?: Scope;
  write?: Scope;
  of(service: Service): Labels;
}

/** Routes that tags and cost centers have alike. */
const shared = ({ root, list, name, noun, read, write, of }: Group): Route[] => {
  const path = `${root}/{id}/resources/{resourceType}/{resourceId}`;
  const target = ({ params }: Call<unknown, unknown>): Resource => ({
    id: params.resourceId,
    type: validate(resourceType, params.resourceType),
  });
  return [
    route({
      method: "GET",
      // assumes: status GET /tags
      path: root,
      operationId: `list${name}s`,
      summary: `List ${noun}s`,
      ...(read && { scope: read }),
      paged: "oldest first",
      handle: ({ service }) => ({ [list]: of(service).list() }),
    }),
    route({
      method: "GET",
      path: `${root}/{id}`,
      operationId: `get${name}`,
      summary: `Read a ${noun}`,
      ...(read && { scope: read }),
      handle: ({ service, params }) => of(service).get(params.id),
    }),
    route({
      method: "DELETE",
      path: `${root}/{id}`,
      operationId: `delete${name}`,
      summary: `Delete a ${noun}`,
      ...(write && { scope: write }),
      handle: ({ service, params }) => of(service).delete(params.id),
    }),
    route({
      method: "PUT",
      path,
      operationId: `attach${name}`,
      summary: `Give a resource a ${noun}`,
      ...(write && { scope: write }),
      handle: (call) => of(call.service).attach(call.params.id, target(call)),
    }),
    route({
      method: "DELETE",
      path,
      operationId: `detach${name}`,
      summary: `Take a ${noun} from a resource`,
      ...(write && { scope: write }),
      handle: (call) => of(call.service).detach(call.params.id, target(call)),
    }),
  ];
};

/** A beta of newer versions. Paths of tags are those before the release. */
export const labelRoutes: Route[] = [
  ...shared({
    root: "/tags",
    list: "tags",
    name: "Tag",
    noun: "tag",
    read: "tags:read",
    write: "tags:write",
    of: ({ tags }) => tags,
  }),
  route({
    method: "POST",
    path: "/tags",
    operationId: "createTag",
    summary: "Create a tag",
    scope: "tags:write",
    body: createTag,
    status: 201,
    handle: ({ service, body }) => service.tags.create(body),
  }),
  ...shared({
    root: "/cost-centers",
    list: "costCenters",
    name: "CostCenter",
    noun: "cost center",
    of: ({ costCenters }) => costCenters,
  }),
  route({
    method: "POST",
    path: "/cost-centers",
    operationId: "createCostCenter",
    summary: "Create a cost center",
    body: createCostCenter,
    status: 201,
    handle: ({ service, body }) => service.costCenters.create(body),
  }),
  route({
    method: "GET",
    path: "/cost-centers/{id}/resources",
    operationId: "listCostCenterResources",
    summary: "List what is in a cost center",
    paged: "oldest first",
    handle: ({ service, params }) => ({ resources: service.costCenters.resources(params.id) }),
  }),
];
