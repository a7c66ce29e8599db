import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { dataRoot } from './package-root.ts';

/** A language that reports are written in. */
export interface Language {
  /** BCP 47, for example `de`. */
  readonly code: string;
  /** By the English phrase. What has no translation stays English. */
  readonly phrases: ReadonlyMap<string, string>;
}

export const english: Language = { code: 'en', phrases: new Map() };

/** One file a language, such as de.yaml: English phrases and their translations. English needs none. */
const folder = join(dataRoot, 'core', 'languages');

/** Sorted. */
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
  // it takes long to load, and English needs none
  const { parseYaml } = await import('./yaml-source.ts');
  return { code, phrases: new Map(Object.entries(parseYaml(text).value as object)) };
}

export function translate(phrase: string, { phrases }: Language): string {
  return phrases.get(phrase) ?? phrase;
}

/** A word that may hold a number: the phrase `the others (#)` is that of `the others (3)`. */
export function translateWord(word: string, { phrases }: Language): string {
  const numbers = word.match(/\d+/g) ?? [];
  const found = phrases.get(word) ?? phrases.get(withoutNumbers(word));
  return found?.replaceAll('#', () => numbers.shift() ?? '') ?? word;
}

export function withoutNumbers(word: string): string {
  return word.replaceAll(/\d+/g, '#');
}

/**
 * `{name:format}`: the value of that name, written as the report's locale has it; of the format `phrase`, a phrase
 * with the same values. `{name|one|many}`: the word that goes with the value, `{n|post|posts}`.
 */
export const placeholder = /\{([a-z0-9_]+)(?::([a-z_]+)|\|([^|{}]*)\|([^|{}]*))\}/g;
