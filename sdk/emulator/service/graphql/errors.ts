import { GraphQLError } from "graphql";
import { Problem } from "../state/problem";

/** A broken rule becomes an error with the code RUNPOD. Any other error is reported without details. */
export function asServiceError(error: GraphQLError): GraphQLError {
  const { originalError, path, nodes } = error;
  if (originalError instanceof Problem)
    return new GraphQLError([originalError.detail, ...(originalError.errors ?? [])].join(" "), {
      path,
      nodes,
      extensions: { code: "RUNPOD" },
    });
  return new GraphQLError("Something went wrong. Please try again later or contact support.", {
    path,
    nodes,
    extensions: { code: "INTERNAL_SERVER_ERROR" },
  });
}
