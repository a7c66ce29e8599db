/** What one cell holds at most, in UTF-16 code units. */
export const maxCellText = 32_767;

/** Whatever XML 1.0 cannot carry: controls, and the two non-characters at the end of the first plane. */
const illegal = /[^\P{Cc}\t\n\u0085]|[\ufffe\uffff]/gu;
const halfPairs = /\p{Cs}/gu;
/** Code units of which one at least is in any text that changes; most texts have none. */
const suspect = /[\0-\u0008\u000b-\u001f\u007f-\u009f\ud800-\udfff\ufffe\uffff]/;

/**
 * Text as a workbook can hold it: legal in XML, one kind of line end, halves of surrogate pairs
 * replaced, cut at the limit of a cell with `…`.
 */
export function cellText(text: string): string {
  if (!suspect.test(text)) return shortenTo(text, maxCellText);
  const legal = text.replace(/\r\n?/gu, '\n').replace(illegal, '').replace(halfPairs, '\ufffd');
  return shortenTo(legal, maxCellText);
}

/** The first `limit` code units, with `…` for what is left out; a surrogate pair is not parted. */
export function shortenTo(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/u, '')}…`;
}
