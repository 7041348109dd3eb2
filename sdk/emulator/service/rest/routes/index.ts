import type { Route } from "../route";
import { accountRoutes, secretRoutes, sshKeyRoutes } from "./account";
import { billingRoutes } from "./billing";
import { catalogRoutes } from "./catalog";
import { clusterRoutes } from "./clusters";
import { globalVolumeRoutes } from "./global-volumes";
import { podRoutes } from "./pods";
import { registryRoutes, registryUpdateRoutes } from "./registries";
import { serverlessRoutes } from "./serverless";
import { templateRoutes } from "./templates";
import { volumeRoutes } from "./volumes";

/** Which paths and operations the REST interface has beside those that it always has. */
export type Paths = Record<"restSecrets" | "accountPaths" | "globalVolumes" | "registryUpdate", boolean>;

/** All operations of the REST interface. */
export function routesOf({ restSecrets, accountPaths, globalVolumes, registryUpdate }: Paths): Route[] {
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
    ...(globalVolumes ? globalVolumeRoutes : []),
    ...(accountPaths ? accountRoutes : []),
    ...(registryUpdate ? registryUpdateRoutes : []),
  ];
}
