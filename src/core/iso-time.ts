const form =
  /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):\d{2})(?::(\d{2}(?:\.\d+)?))?(?:[Zz]|([+-]\d{2})(?::?(\d{2}))?)?$/;

/**
 * Reads an ISO 8601 date and time, to the millisecond. A time without `Z` or an offset is in UTC. Returns null for
 * any other text, and for a day or a time of day that does not exist. The macro time_of in sql/load/begin.sql
 * accepts every text that this function does.
 */
export function readIsoTime(text: string): Date | null {
  const [whole, day = '', minute = '', second = '00', hours = '+00', minutes = '00'] =
    form.exec(text) ?? [];
  if (whole === undefined || !isInCalendar(day)) return null;
  const time = new Date(`${day}T${minute}:${second}${hours}:${minutes}`);
  return Number.isNaN(time.getTime()) ? null : time;
}

/** Returns false for a day such as 30 February, which JavaScript reads as 2 March. */
function isInCalendar(day: string): boolean {
  return new Date(`${day}T00:00Z`).getUTCDate() === Number(day.slice(-2));
}
