import { createHash } from 'node:crypto';

/** RFC 8785, for JSON without fractions beyond a double and without integers beyond 2^53. */
function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${members.join(',')}}`;
}

/** What `webhook_events.event_key` is documented to be. */
export function eventKeyOf(event) {
  return createHash('sha256').update(canonicalJson(event)).digest('hex');
}
