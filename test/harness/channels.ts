import { runtime } from "@pulumi/pulumi";

// An engine may get the port of one that ran a moment ago in the same process. Clients that share their connections would
// believe that it is gone, and the program would end without a resource and without an error.
const { grpcClientOptions } = runtime as unknown as { grpcClientOptions: object };
Object.assign(grpcClientOptions, { "grpc.use_local_subchannel_pool": 1 });
