/** Throws when a package is not installed that only a part of podlumi needs, and that npm does not install with it. */
export function mustHave(name: string, needs: string, install: string, code: string): void {
  try {
    require.resolve(name);
  } catch {
    const text = `${needs} needs ${name}, which is not installed with podlumi: ${install} [${code}]`;
    throw Object.assign(new Error(text), { code });
  }
}
