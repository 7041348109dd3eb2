/**
 * The parts that podlumi's functions for programs are built from. They run in the program's own process, which loads
 * this module with the first call.
 *
 * @packageDocumentation
 */
export { Api } from "./client/api";
export { ConfigurationError, ExpectedError, errorText } from "./client/errors";
export { adviseForCommands } from "./client/remedies";
export { path, segment } from "./client/rest";
export { environmentSettings, settings, unknownKeys } from "./config";
export { functions } from "./functions";
export { aboutObject, terminatePod, workerInWords } from "./functions/about-object";
export { wrongArguments } from "./functions/definition";
export { masked } from "./mask";
export { act } from "./resources/pod/life-cycle";
export { textsIn } from "./value";
