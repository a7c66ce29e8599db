/** The longest text in a cell, in UTF-16 code units. */
const maxCellText = 32_767;

/** The characters that XML 1.0 cannot hold: controls, and the two non-characters at the end of the first plane. */
const illegal = /[^\P{Cc}\t\n\u0085]|[\ufffe\uffff]/gu;
const halfPairs = /\p{Cs}/gu;
/** A quick test for texts that may need a change; most texts do not match. */
const suspect = /[\0-\u0008\u000b-\u001f\u007f-\u009f\ud800-\udfff\ufffe\uffff]/;

/**
 * Text that a workbook can hold: legal in XML, with one kind of line end, lone surrogates replaced, and cut with `…` at
 * the limit of a cell.
 */
export function cellText(text: string): string {
  if (!suspect.test(text)) return shortenTo(text, maxCellText);
  const legal = text.replace(/\r\n?/gu, '\n').replace(illegal, '').replace(halfPairs, '\ufffd');
  return shortenTo(legal, maxCellText);
}

/** The text cut to `limit` code units with `…`; a surrogate pair is not split. */
export function shortenTo(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/u, '')}…`;
}

/** Cuts names at `limit`, and numbers one that is taken; names that differ only in case are the same. */
export function uniqueNames(limit: number, ...reserved: string[]): (name: string) => string {
  const taken = new Set(reserved);
  return (name) => {
    let free = shortenTo(name, limit);
    for (let number = 2; taken.has(free.toLowerCase()); number += 1)
      free = `${shortenTo(name, limit - ` ${number}`.length)} ${number}`;
    taken.add(free.toLowerCase());
    return free;
  };
}

/** The longest link that Excel accepts; it repairs a file with a longer one. */
const maxLinkLength = 2_079;

/** The characters that the URL standard allows, but Office does not. */
const unescaped = /[\\^`{|}\s]/gu;

/** The target of a link that a workbook may contain: http or https, and short enough; null for any other. */
export function linkTarget(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const address = new URL(url);
  if (!['http:', 'https:'].includes(address.protocol)) return null;
  const target = address.href
    .replace(unescaped, encodeURIComponent)
    // exceljs takes an address that ends in `!A1` for a cell of the workbook.
    .replaceAll('!', '%21');
  return target.length <= maxLinkLength ? target : null;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Text for an element or a quoted attribute, without characters that XML cannot hold. */
export function xmlText(text: string): string {
  return cellText(text).replace(/[&<>"]/gu, (sign) => escapes[sign] ?? sign);
}
