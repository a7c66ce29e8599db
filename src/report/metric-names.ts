import type { Language } from '../languages/phrases.ts';
import type { Database } from '../warehouse/database.ts';
import type { ColumnDefinition } from './definition-schema.ts';

/** How a metric is called in English. */
export interface MetricName {
  /** For example `Video views`. */
  readonly title: string;
  /** The same within a sentence: `video views`. */
  readonly noun: string;
}

/** Stands for the noun of any metric, in a phrase and in the words of a column. */
const anyMetric = '{metric}';

/** In the order in which reports list them. */
export async function readMetricNames(database: Database): Promise<MetricName[]> {
  return database.queryObjects<MetricName>('select title, noun from metrics order by position');
}

/**
 * The language with the names of metrics, which it has as titles alone, within sentences too: each noun, and each of its
 * phrases with `{metric}`, is added once for every metric. A phrase that the language has itself comes first.
 */
export function withMetricNames(language: Language, metrics: readonly MetricName[]): Language {
  const { phrases } = language;
  const general = [...phrases].filter(([phrase]) => phrase.includes(anyMetric));
  const added = metrics.flatMap(({ title, noun }): [string, string][] => {
    const name = phrases.get(title);
    if (name === undefined) return [];
    const sentences = general.map(([phrase, translation]): [string, string] => [
      phrase.replaceAll(anyMetric, noun),
      translation.replaceAll(anyMetric, name),
    ]);
    return [[noun, name], ...sentences];
  });
  return { ...language, phrases: new Map([...added, ...phrases]) };
}

/** The words of a column, with the nouns of all metrics where it has `{metric}`. */
export function wordsWithMetrics(
  words: NonNullable<ColumnDefinition['words']>,
  metrics: readonly MetricName[],
): true | readonly string[] {
  if (words === true) return words;
  return words.flatMap((word) => (word === anyMetric ? metrics.map(({ noun }) => noun) : [word]));
}
