/*
 * What JSON Schema's formats mean, for validators that come without them: RFC 3339 for dates and times,
 * RFC 9562 for UUIDs and the WHATWG's idea of a URL. Leap seconds and lower-case letters, which RFC 3339
 * leaves open, are refused: the client does not take them.
 */

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const timePattern = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (!year || !month || !day) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}

function isDateTime(text: string): boolean {
  return text[10] === 'T' && isDate(text.slice(0, 10)) && timePattern.test(text.slice(11));
}

/** By name; each says whether a text is of the format. */
export const formats = {
  date: isDate,
  'date-time': isDateTime,
  uuid: (text: string) => uuidPattern.test(text),
  uri: (text: string) => URL.canParse(text),
};
