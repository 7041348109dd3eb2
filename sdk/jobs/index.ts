/**
 * podlumi/jobs: the jobs of Serverless endpoints, for any program, with or without Pulumi.
 *
 * @packageDocumentation
 */
export {
  ConfigurationError,
  NoAnswerError,
  ServiceError,
  UnknownOutcomeError,
} from "../../provider/client/errors";
export type {
  CancelledJob,
  CompletedJob,
  FailedJob,
  FinishedJob,
  Job,
  JobReceipt,
  JobState,
  JobTimes,
  QueuedJob,
  RunningJob,
  TimedOutJob,
} from "../../provider/client/job";
export { isFinished } from "../../provider/client/job";
export type { Problem } from "../../provider/client/remedies";
export type { Batch, Batches } from "./batch";
export type { BatchStatus } from "./batch-report";
export { Endpoint } from "./endpoint";
export * from "./errors";
export type { CallOptions, EndpointOptions } from "./options";
export type { QueueHealth, StreamChunk } from "./report";
export type { JobPolicy, JobRequest, S3Config } from "./request";
export type { Schema, SchemaIssue, SchemaResult } from "./schema";
