import { z } from "zod";
import type { Fact } from "../page/state";
import { route } from "../rest/route";
import { newId, timestamp } from "../state/ids";
import { badRequest } from "../state/problem";
import { Objects } from "./objects";

export interface CreateDelegation {
  /** ARN of the repository in ECR, with the tag of an image or without; or the name of the image. */
  resource: string;
  name?: string | null;
}

export interface Delegation {
  id: string;
  name: string | null;
  delegatorUserId: string;
  awsUser: string;
  repository: string;
  tag: string;
  awsRegion: string;
  dockerRegistryUri: string;
  createdAt: string;
}

/**
 * The contract's example is an ARN without a tag, and its answer has the tag "latest". The guide of the console asks for an
 * image with its tag, and a client of the live service sends the image's name.
 */
const ARN =
  /^arn:aws:ecr:(?<region>[a-z0-9-]+):(?<user>\d{12}):repository\/(?<repository>[^:]+)(:(?<tag>[^:]+))?$/;
const IMAGE =
  /^(?<user>\d{12})\.dkr\.ecr\.(?<region>[a-z0-9-]+)\.amazonaws\.com\/(?<repository>[^:]+):(?<tag>[^:]+)$/;

const createDelegation = z.strictObject({ resource: z.string(), name: z.string().nullable().optional() });

/** Permissions for the service to pull from an AWS Elastic Container Registry. */
export class Delegations extends Objects<Delegation> {
  static readonly routes = [
    route({
      method: "GET",
      path: "/registries/delegations",
      operationId: "listDelegations",
      summary: "List ECR delegations",
      handle: ({ service }) => ({ delegations: service.delegations.list() }),
    }),
    route({
      method: "POST",
      path: "/registries/delegations",
      operationId: "createDelegation",
      summary: "Register an ECR delegation",
      body: createDelegation,
      status: 201,
      handle: ({ service, body }) => service.delegations.create(body),
    }),
    route({
      method: "DELETE",
      path: "/registries/delegations/{id}",
      operationId: "revokeDelegation",
      summary: "Revoke an ECR delegation",
      handle: ({ service, params }) => service.delegations.delete(params.id),
    }),
  ];

  static readonly page = {
    kind: "delegation" as const,
    facts: ({ repository, tag, awsRegion }: Delegation): Fact[] => [
      ["Repository", `${repository}:${tag}`],
      ["Region", awsRegion],
    ],
  };

  protected override readonly missing = "Delegation not found or access denied";

  create({ resource, name = null }: CreateDelegation): Delegation {
    // assumes: status, value POST /registries/delegations: tag
    const {
      region,
      user,
      repository,
      tag = "latest",
    } = (ARN.exec(resource) ?? IMAGE.exec(resource))?.groups ?? {};
    if (!region || !user || !repository) throw badRequest("Invalid ARN format");
    return this.store({
      id: newId(),
      name,
      delegatorUserId: this.service.userId,
      awsUser: user,
      repository,
      tag,
      awsRegion: region,
      dockerRegistryUri: `${user}.dkr.ecr.${region}.amazonaws.com`,
      createdAt: timestamp(this.service.clock.now()),
    });
  }
}
