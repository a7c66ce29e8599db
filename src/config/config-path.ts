/** From the top of the file: keys of mappings and indexes of lists. */
export type ConfigPath = readonly (string | number)[];

/** `jobs.daily.reports[0].period`; a key of other characters as `workspaces["a b"]`. */
export function formatPath(path: ConfigPath): string {
  return path.map(formatSegment).join('').replace(/^\./, '');
}

/** The same text for the same place, and for no other. */
export function pathKey(path: ConfigPath): string {
  return JSON.stringify(path);
}

const secretPlaces = [
  /^workspaces\.[^.]+\.api_key$/,
  /^webhooks\.(?:token|signing_secret)(?:\.\d+)?$/,
];

/** Whether the value there is a secret or a list of them, which no message may show. */
export function isSecretPath(path: ConfigPath): boolean {
  const place = path.map((segment) => String(segment).replaceAll('.', '_')).join('.');
  return secretPlaces.some((pattern) => pattern.test(place));
}

function formatSegment(segment: string | number): string {
  if (typeof segment === 'number') return `[${segment}]`;
  return /^[\w-]+$/.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
}
