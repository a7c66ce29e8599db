import type { Cell, ColumnFormat, Formatter } from '../core/number-format.ts';
import { columnFormats } from '../core/number-format.ts';
import { isolate } from '../core/text-direction.ts';
import { ReportDefinitionError } from './report-errors.ts';
import { columnPlaces, pathOf, runSectionQuery, type SectionQuery } from './section-query.ts';

/**
 * `{name:format}`: the value of that column in the same row, written as the report's locale has it.
 * `{name|one|many}`: the word that goes with the value, `{n|post|posts}`.
 */
export const placeholder = /\{([a-z0-9_]+)(?::([a-z_]+)|\|([^|{}]*)\|([^|{}]*))\}/g;

/**
 * The sentences of a file such as `by_month.finding.sql`, in its order. Its column `text` holds the sentence
 * with `{name:format}` where a value of another column of the row goes. A sentence that is null, or would
 * name a value that is not known, is not said. Values that run from right to left are isolated, so that a
 * name at its beginning does not turn the sentence.
 * @throws ReportDefinitionError for a placeholder without its column or of no known format
 */
export async function readSentences(query: SectionQuery, formatter: Formatter): Promise<string[]> {
  return (await readSentenceRows(query, formatter)).map(({ sentence }) => sentence);
}

interface SentenceRow {
  readonly sentence: string;
  readonly values: ReadonlyMap<string, Cell>;
}

/** The same, each with the other values of its row. */
export async function readSentenceRows(
  query: SectionQuery,
  formatter: Formatter,
): Promise<SentenceRow[]> {
  const { columns, rows } = await runSectionQuery(query);
  columnPlaces(columns, ['text'], query, 'holds the sentence');
  return rows.flatMap((row) => {
    const values = new Map(columns.map((column, index) => [column.name, row[index] ?? null]));
    const sentence = fillSentence(values, formatter, pathOf(query));
    return sentence === null ? [] : [{ sentence, values }];
  });
}

/** @param path of the file that the row is of. @throws ReportDefinitionError as above */
export function fillSentence(
  values: ReadonlyMap<string, Cell>,
  formatter: Formatter,
  path: string,
): string | null {
  const template = values.get('text') ?? null;
  if (template === null) return null;
  const parts = [...String(template).matchAll(placeholder)].map((match) => {
    const [written, name = '', format, one = '', many = ''] = match;
    const value = values.get(name);
    if (value === undefined) {
      throw new ReportDefinitionError(`${path}: ${written} names a column that is not there`);
    }
    if (format === undefined) return { value, text: Math.round(Number(value)) === 1 ? one : many };
    if (!isFormat(format)) {
      throw new ReportDefinitionError(`${path}: ${written} has no known format`);
    }
    return { value, text: isolate(formatter.format(value, format, { prose: true })) };
  });
  if (parts.some(({ value }) => value === null)) return null;
  const texts = parts.map(({ text }) => text);
  return String(template).replace(placeholder, () => texts.shift() ?? '');
}

function isFormat(text: string): text is ColumnFormat {
  return (columnFormats as readonly string[]).includes(text);
}
