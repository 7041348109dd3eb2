import { ofPlainKinds } from "../../plain";
import type { Route } from "../route";
import { accountRoutes, secretRoutes, sshKeyRoutes } from "./account";
import { billingRoutes } from "./billing";
import { catalogRoutes } from "./catalog";
import { clusterRoutes } from "./clusters";
import { labelRoutes } from "./labels";
import { podRoutes } from "./pods";
import { registryRoutes, registryUpdateRoutes } from "./registries";
import { serverlessRoutes } from "./serverless";
import { templateRoutes } from "./templates";
import { volumeRoutes } from "./volumes";

/** Which paths and operations the REST interface has beside those that it always has. */
export type Paths = Record<
  "restSecrets" | "accountPaths" | "globalVolumes" | "registryUpdate" | "labels",
  boolean
>;

/** All operations of the REST interface. */
export function routesOf(paths: Paths): Route[] {
  const { restSecrets, accountPaths, registryUpdate, labels } = paths;
  const plain = ofPlainKinds(({ routes }, name) =>
    name in paths && !paths[name as keyof Paths] ? [] : routes,
  );
  return [
    ...podRoutes,
    ...clusterRoutes,
    ...serverlessRoutes,
    ...templateRoutes,
    ...volumeRoutes,
    ...registryRoutes,
    ...sshKeyRoutes,
    ...catalogRoutes,
    ...billingRoutes,
    ...(restSecrets ? secretRoutes : []),
    ...Object.values(plain).flat(),
    ...(accountPaths ? accountRoutes : []),
    ...(registryUpdate ? registryUpdateRoutes : []),
    ...(labels ? labelRoutes : []),
  ];
}
