import { notFound } from "./problem";
import type { Service } from "./service";

/** A build of an endpoint's image from a repository on GitHub (API: Serverless, builds). */
export interface Build {
  id: string;
  status:
    | "PENDING"
    | "BUILDING"
    | "UPLOADING"
    | "TESTING"
    | "COMPLETED"
    | "FAILED"
    | "CANCELLED"
    | "TEST_FAILED";
  commitHash: string | null;
  commitMessage: string | null;
  branch: string | null;
  commitDate: string | null;
  imageName: string | null;
  startedAt: string | null;
  completedAt: string | null;
  error: string | null;
}

/** (differs, Builds: no image is built. REST cannot give an endpoint a repository, so only your own code adds builds.) */
export class Builds {
  private readonly of = new Map<string, Build[]>();

  constructor(private readonly service: Service) {}

  /** The newest build of an endpoint. */
  add(endpointId: string, build: Build): void {
    this.of.set(endpointId, [build, ...this.list(endpointId)]);
  }

  /** Newest first. */
  list(endpointId: string): Build[] {
    this.service.endpoints.get(endpointId);
    return this.of.get(endpointId) ?? [];
  }

  get(endpointId: string, id: string): Build {
    const found = this.list(endpointId).find((one) => one.id === id);
    if (found === undefined) throw notFound();
    return found;
  }
}
