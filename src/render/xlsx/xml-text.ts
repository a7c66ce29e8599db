import { cellText } from './cell-text.ts';

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
