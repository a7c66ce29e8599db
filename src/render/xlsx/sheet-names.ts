import { cellText, shortenTo } from './cell-text.ts';

const maxLength = 31;

/** Excel keeps this name to itself. */
const reserved = 'history';

/**
 * Names for sheets, in order: as given where Excel allows it. Forbidden signs become `_`, longer
 * names are cut, and names that are equal but for their case get a number.
 */
export function sheetNames(names: readonly string[]): string[] {
  const taken = new Set([reserved]);
  return names.map((name) => {
    const free = freeName(allowedName(name), taken);
    taken.add(free.toLowerCase());
    return free;
  });
}

function allowedName(name: string): string {
  const allowed = cellText(name)
    .replace(/[[\]:*?/\\\t\n]/gu, '_')
    .replaceAll("'", '’')
    .trim();
  return shortenTo(allowed === '' ? 'sheet' : allowed, maxLength);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `_${number}`;
    const candidate = shortenTo(name, maxLength - suffix.length) + suffix;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}
