import { html, raw } from 'hono/html';
import { cleanText } from './plain-text.ts';

/** HTML that is already escaped; it can be made by `markup` and `trusted` alone. */
export type Markup = ReturnType<typeof raw>;
type Insert = Markup | string | number | null | false | readonly Insert[];

/**
 * A template that escapes inserted strings and removes their control characters. All text of a document enters the
 * page through it.
 */
export function markup(strings: TemplateStringsArray, ...inserts: readonly Insert[]): Markup {
  const page = html(strings, ...inserts.map(cleanInsert));
  if (page instanceof Promise) throw new TypeError('a template of the page cannot wait');
  return page;
}

/**
 * Marks our own style sheet or script, or what a library has escaped, as safe, so that it is not escaped. Never use it
 * for text of a document.
 */
export function trusted(text: string): Markup {
  return raw(text);
}

function cleanInsert(insert: Insert): Insert {
  if (typeof insert === 'string') return cleanText(insert);
  return isList(insert) ? insert.map(cleanInsert) : insert;
}

/** Markup is a string object at run time, so only real arrays are lists. */
function isList(insert: Insert): insert is readonly Insert[] {
  return Array.isArray(insert);
}
