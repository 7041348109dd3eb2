/**
 * npm runs a command through a shell, which a signal may end without reaching the command. Once this process has lost that
 * shell, it ends as if it had got the signal. What npm did not start may outlive its shell, as with `nohup`.
 */
export function endWithShellOfNpm(): void {
  if (process.env.npm_command === undefined) return;
  const shell = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(look);
    process.kill(process.pid, "SIGTERM");
  }, 500);
  look.unref();
}
