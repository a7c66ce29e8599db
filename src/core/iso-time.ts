const form =
  /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):\d{2})(?::(\d{2}(?:\.\d+)?))?(?:[Zz]|([+-]\d{2})(?::?(\d{2}))?)?$/;

/**
 * The moment that a text in ISO 8601 names, to its millisecond: a date and a time with `Z` or an offset, or
 * without, then UTC. Null when it is none, or has a day or a time of day that does not exist. The macro time_of of
 * sql/load/begin.sql reads all that this one does.
 */
export function readIsoTime(text: string): Date | null {
  const [whole, day = '', minute = '', second = '00', hours = '+00', minutes = '00'] =
    form.exec(text) ?? [];
  if (whole === undefined || !isInCalendar(day)) return null;
  const time = new Date(`${day}T${minute}:${second}${hours}:${minutes}`);
  return Number.isNaN(time.getTime()) ? null : time;
}

/** JavaScript takes 30 February for 2 March. */
function isInCalendar(day: string): boolean {
  const midnight = new Date(`${day}T00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
