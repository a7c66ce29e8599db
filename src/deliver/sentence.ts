import { z } from 'zod';
import type { Formatter } from '../languages/number-format.ts';

/** A sentence that is recorded with its values, so that each reader gets it in their language. */
export interface Sentence {
  /** In English, with placeholders as in all phrases. */
  readonly phrase: string;
  readonly values: Readonly<Record<string, Value>>;
}

/** Parts are put together with a comma where the placeholder's format is `list`, else with a semicolon. */
type Value = string | number | readonly Sentence[];

export const sentenceSchema: z.ZodType<Sentence> = z.lazy(() =>
  z.object({
    phrase: z.string(),
    values: z.record(z.string(), z.union([z.string(), z.number(), z.array(sentenceSchema)])),
  }),
);

export function sentence(phrase: string, values: Sentence['values'] = {}): Sentence {
  return { phrase, values };
}

/** The sentence as terminals and records have it: in English, with values as jobs.yaml spells them. */
export function plainSentence(said: Sentence): string {
  return filledIn(said, plainSentence, (phrase, values) =>
    phrase.replaceAll(/\{(\w+):(\w+)\}/g, (_, name: string, format: string) => {
      const value = String(values[name]);
      return format === 'phrase' ? value.toLowerCase() : value;
    }),
  );
}

/** The sentence in the language of a reader, from its capital letter to its full stop. */
export function saidSentence(said: Sentence, { say }: Formatter): string {
  const inWords = (each: Sentence): string => filledIn(each, inWords, say);
  const words = inWords(said);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function filledIn(
  { phrase, values }: Sentence,
  inWords: (part: Sentence) => string,
  fill: (phrase: string, values: Record<string, string | number>) => string,
): string {
  const filled = Object.entries(values).map(([name, value]) => {
    if (typeof value !== 'object') return [name, value] as const;
    const separator = phrase.includes(`{${name}:list}`) ? ', ' : '; ';
    return [name, value.map(inWords).join(separator)] as const;
  });
  return fill(phrase, Object.fromEntries(filled));
}
