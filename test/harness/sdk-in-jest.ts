import { log, runtime } from "@pulumi/pulumi";

// An engine may get the port of another engine that ran a moment ago. Clients in this process that share connections
// would then take the new engine for gone, and the program would end without a resource and without an error.
const { grpcClientOptions } = runtime as unknown as { grpcClientOptions: object };
Object.assign(grpcClientOptions, { "grpc.use_local_subchannel_pool": 1 });

// A component registers its outputs later than its program ends, perhaps when the engine has closed a run that failed. The process of
// a program ignores this rejection. Jest would fail the file with it.
type Operations = { suppressUnhandledGrpcRejections: (operation: Promise<unknown>) => Promise<unknown> };
const operations = require("@pulumi/pulumi/runtime/rpc") as Operations;
const { isGrpcError } = require("@pulumi/pulumi/errors") as { isGrpcError: (error: Error) => boolean };
operations.suppressUnhandledGrpcRejections = (operation) =>
  operation.catch((error) => {
    if (!isGrpcError(error)) throw error;
  });

// The SDK keeps a stack for each promise, to name those that never end. Jest maps each frame, which took a fifth of its process's time here.
type Promises = { debuggablePromise: (promise: Promise<unknown>, context?: unknown) => Promise<unknown> };
const promises = require("@pulumi/pulumi/runtime/debuggable") as Promises;
const { debuggablePromise } = promises;
promises.debuggablePromise = (...given) => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return debuggablePromise(...given);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};

// The SDK sends the engine some messages for each resource, and the engine drops them without `--debug`.
Object.assign(log, { debug: async () => undefined });
