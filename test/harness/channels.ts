import { runtime } from "@pulumi/pulumi";

// An engine may get the port of another engine that ran a moment ago. Clients in this process that share connections
// would then take the new engine for gone, and the program would end without a resource and without an error.
const { grpcClientOptions } = runtime as unknown as { grpcClientOptions: object };
Object.assign(grpcClientOptions, { "grpc.use_local_subchannel_pool": 1 });
