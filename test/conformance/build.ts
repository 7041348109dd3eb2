import type { Build } from "../../sdk/emulator/service/state/builds";

/** A build that has failed. */
export const build: Build = {
  id: "build_1",
  status: "FAILED",
  commitHash: "abc1234",
  commitMessage: "bump model",
  branch: "main",
  commitDate: "2026-06-01T12:00:00Z",
  imageName: "registry.runpod.net/repo:abc1234",
  startedAt: "2026-06-01T12:00:05Z",
  completedAt: "2026-06-01T12:04:31Z",
  error: "no handler",
};
