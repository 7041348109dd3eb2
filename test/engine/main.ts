/**
 * Program: makes sure of the Pulumi engine and prints, as the only line on standard output, the folder to put
 * on PATH. Usage: `PATH="$(npm run -s engine):$PATH" pulumi …`
 */
import { enginePath } from "./index";

enginePath()
  .then((folder) => console.log(folder))
  .catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
