/** Stands in place of the stack of an error that the engine shows at its resource. */
export const shownAtResource = "shown at its resource";

/** Keeps the host of dynamic providers from printing such an error at the stack, too: it prints `${error}: ${error.stack}`. */
export function showErrorsOnce(): void {
  const host = console;
  const print = host.error;
  host.error = (...texts: unknown[]) => {
    if (!String(texts[0]).endsWith(`podlumi: ${shownAtResource}`)) print.apply(host, texts);
  };
}
