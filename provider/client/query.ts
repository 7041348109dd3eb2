/** A query string, `""` when it has nothing to say. Lists are separated by commas, which stay as they are. (API: Catalog) */
export function query(parameters: object): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const pairs = given.map(([name, value]) => `${name}=${[value].flat().map(encodeURIComponent).join(",")}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
