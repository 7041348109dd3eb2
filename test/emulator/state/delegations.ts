import { newId, timestamp } from "./ids";
import { badRequest, notFound } from "./problem";
import type { Service } from "./service";

export interface CreateDelegation {
  /** ARN of the ECR repository, with the tag of an image. */
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

const ARN = /^arn:aws:ecr:([a-z0-9-]+):(\d{12}):repository\/([^:]+):([^:]+)$/;

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
    const [, awsRegion, awsUser, repository, tag] = ARN.exec(resource) ?? [];
    if (!awsRegion || !awsUser || !repository || !tag) throw badRequest("Invalid ARN format");
    const id = newId();
    this.records.set(id, {
      id,
      name,
      delegatorUserId: this.service.userId,
      awsUser,
      repository,
      tag,
      awsRegion,
      dockerRegistryUri: `${awsUser}.dkr.ecr.${awsRegion}.amazonaws.com`,
      createdAt: timestamp(this.service.clock.now()),
    });
    return this.get(id);
  }

  delete(id: string): void {
    this.get(id);
    this.records.delete(id);
  }
}
