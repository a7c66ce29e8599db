import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { dataRoot } from '../core/package-root.ts';

export interface Language {
  /** A BCP 47 tag, for example `de`. */
  readonly code: string;
  /** Translations by English phrase. A phrase without a translation stays English. */
  readonly phrases: ReadonlyMap<string, string>;
}

/** English has other words only for names that the API gives and for what it gave. */
export const english: Language = {
  code: 'en',
  phrases: new Map([
    ['api', 'given by the service'],
    ['MultiImage', 'Carousel of images'],
    ['MultiImage posts', 'Carousels of images'],
    ['QuotePost', 'Quote post'],
    ['QuotePosts', 'Quote posts'],
  ]),
};

/** The folder with a file for each language but English, such as de.yaml: English phrases and their translations. */
const folder = join(dataRoot, 'languages');

export function languageCodes(): string[] {
  const codes = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => basename(file, '.yaml'));
  return [english.code, ...codes].sort();
}

/** @param code one of {@link languageCodes} */
export async function readLanguage(code: string): Promise<Language> {
  if (code === english.code) return english;
  const text = await readFile(join(folder, `${code}.yaml`), 'utf8');
  // The YAML library is slow to load, and English does not need it.
  const { parseYaml } = await import('../core/yaml-source.ts');
  return { code, phrases: new Map(Object.entries(parseYaml(text).value as object)) };
}

export function translate(phrase: string, { phrases }: Language): string {
  return phrases.get(phrase) ?? phrase;
}

/** Translates a word that may contain numbers: `the others (3)` by the phrase `the others (#)`. */
export function translateWord(word: string, { phrases }: Language): string {
  const numbers = word.match(/\d+/g) ?? [];
  const found = phrases.get(word) ?? phrases.get(withoutNumbers(word));
  return found?.replaceAll('#', () => numbers.shift() ?? '') ?? word;
}

export function withoutNumbers(word: string): string {
  return word.replaceAll(/\d+/g, '#');
}

/**
 * Matches the placeholders of phrases. `{name:format}` is the value of that name in the report's locale, or with the
 * format `phrase` another phrase with the same values. `{n|post|posts}` is the singular or the plural for a value, in
 * which `#` is the value: `{n|Your post has|Your # posts have}`.
 */
export const placeholder = /\{([a-z0-9_]+)(?::([a-z_]+)|\|([^|{}]*)\|([^|{}]*))\}/g;
