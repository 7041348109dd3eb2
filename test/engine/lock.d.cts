/** What {@link once} does. */
export interface Work {
  /** Whether there is nothing left to do. */
  isDone: () => boolean;
  /** What a process says that waits for another one. */
  waiting: string;
  work: () => Promise<unknown>;
}

/**
 * Does something unless it is done. When several processes ask at the same time, one does it and the others wait.
 *
 * @param lock the folder that this process makes for that, touches regularly, and removes at the end with all that is in it
 */
export function once(lock: string, work: Work): Promise<void>;
