import { badRequest } from "./problem";
import type { PersistentMount } from "./templates";

export interface NetworkMount {
  volumeId: string;
  path: string;
}

/** Only one of the two kinds may be set. */
export interface Mounts {
  persistent?: PersistentMount;
  network?: NetworkMount[];
}

function checkKinds({ persistent, network }: Mounts): void {
  if (persistent && network) throw badRequest("mounts.persistent and mounts.network are mutually exclusive");
}

/** Checks the mounts of a new pod (API: Pods, create). */
export function checkMounts(mounts: Mounts, isCpu: boolean): void {
  checkKinds(mounts);
  if (mounts.persistent && isCpu) throw badRequest("mounts.persistent is not supported on CPU pods");
}

/**
 * The mounts of a pod after a PATCH. It can change paths, and let a persistent mount grow. It cannot change the kind
 * or the network volume, nor remove a mount (API: Pods, update and storage).
 */
export function patchMounts(current: Mounts, given: Mounts = {}): Mounts {
  checkKinds(given);
  const { persistent, network } = given;
  if (persistent) {
    if (!current.persistent) throw badRequest("the kind of a mount is fixed at create");
    if (persistent.size < current.persistent.size) throw badRequest("a persistent mount cannot be reduced");
    return { persistent: { ...persistent } };
  }
  if (network) {
    const [mount] = network;
    const [mounted] = current.network ?? [];
    if (!mount) throw badRequest("mounts cannot be removed");
    if (!mounted) throw badRequest("the kind of a mount is fixed at create");
    if (mount.volumeId !== mounted.volumeId) throw badRequest("the volume of a network mount is immutable");
    return { network: [{ ...mount }] };
  }
  return current;
}
