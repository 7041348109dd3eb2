import { newId, timestamp } from "./ids";
import { badRequest, notFound } from "./problem";
import type { Service } from "./service";

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

/** Permissions for the service to pull from an AWS Elastic Container Registry. */
export class Delegations {
  private readonly records = new Map<string, Delegation>();

  constructor(private readonly service: Service) {}

  list(): Delegation[] {
    return structuredClone([...this.records.values()]);
  }

  get(id: string): Delegation {
    const record = this.records.get(id);
    if (!record) throw notFound("Delegation not found or access denied");
    return structuredClone(record);
  }

  create({ resource, name = null }: CreateDelegation): Delegation {
    // assumes: status, value POST /registries/delegations: tag
    const {
      region,
      user,
      repository,
      tag = "latest",
    } = (ARN.exec(resource) ?? IMAGE.exec(resource))?.groups ?? {};
    if (!region || !user || !repository) throw badRequest("Invalid ARN format");
    const id = newId();
    this.records.set(id, {
      id,
      name,
      delegatorUserId: this.service.userId,
      awsUser: user,
      repository,
      tag,
      awsRegion: region,
      dockerRegistryUri: `${user}.dkr.ecr.${region}.amazonaws.com`,
      createdAt: timestamp(this.service.clock.now()),
    });
    return this.get(id);
  }

  delete(id: string): void {
    this.get(id);
    this.records.delete(id);
  }
}
