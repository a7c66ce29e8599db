export const dayMs = 86_400_000;

/** The day of an instant in an IANA time zone, as YYYY-MM-DD. */
export function dayOf(instant, timezone) {
  return formatOf(timezone).format(instant);
}

const formats = new Map();

function formatOf(timezone) {
  const known = formats.get(timezone);
  if (known) return known;
  // the Swedish way of writing days is ISO 8601's
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' });
  formats.set(timezone, format);
  return format;
}
