/** A query string, `""` without parameters. Lists are joined by commas, which are not escaped. (API: Catalog) */
export function query(parameters: object): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const pairs = given.map(([name, value]) => `${name}=${[value].flat().map(encodeURIComponent).join(",")}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
