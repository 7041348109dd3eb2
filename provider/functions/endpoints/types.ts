/** Which endpoint. */
export interface OfEndpoint {
  endpointId: string;
}
