import * as pulumi from "@pulumi/pulumi";
import { InferenceService } from "./inference-service";

const config = new pulumi.Config();
const models = config.requireObject<Record<string, { model: string; maxWorkers: number }>>("models");

const services = Object.entries(models).map(
  ([name, args]) => new InferenceService(`${name}-${pulumi.getStack()}`, args),
);

export const urls = services.map(({ url }) => url);
