/**
 * Program: finds or installs the Pulumi engine. Prints the folder to put on PATH, as the only line on standard output.
 * Usage: `PATH="$(npm run -s engine):$PATH" pulumi …`
 */
import { enginePath } from "./index";

enginePath()
  .then((folder) => console.log(folder))
  .catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
