/**
 * Returns the address of what is below another one, whose path loses the slashes at its end.
 * @param path begins with a slash. If it has no query, that of `base` stays
 */
export function addressBelow(base: string, path: string): URL {
  const { pathname, search } = new URL(base);
  const below = new URL(path, base);
  below.pathname = pathname.replace(/\/+$/, '') + below.pathname;
  below.search ||= search;
  return below;
}
