/** An endpoint. */
export interface OfEndpoint {
  /** Id of the endpoint. */
  endpointId: string;
}

/** A build of an endpoint. */
export interface OfBuild extends OfEndpoint {
  /** Id of the build, as {@link getBuilds} or a release has it. */
  buildId: string;
}
