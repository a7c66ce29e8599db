/** What one cell holds at most, in UTF-16 code units. */
const maxCellText = 32_767;

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

/** What Excel takes at most in one link; a longer one makes it repair the file. */
const maxLinkLength = 2_079;

/** Allowed by the URL standard, refused by the stricter rules that Office goes by. */
const unescaped = /[\\^`{|}\s]/gu;

/** The address when a workbook may link to it: http and https alone, short enough; else null. */
export function linkTarget(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const address = new URL(url);
  if (!['http:', 'https:'].includes(address.protocol)) return null;
  const target = address.href
    .replace(unescaped, encodeURIComponent)
    // exceljs takes what ends in `!A1` for a place in the workbook
    .replaceAll('!', '%21');
  return target.length <= maxLinkLength ? target : null;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Text for an element or an attribute in quotes, without what XML cannot carry. */
export function xmlText(text: string): string {
  return cellText(text).replace(/[&<>"]/gu, (sign) => escapes[sign] ?? sign);
}
