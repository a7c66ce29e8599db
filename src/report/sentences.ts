import { z } from 'zod';
import { type Cell, type Formatter, columnFormats, isFormat } from '../languages/number-format.ts';
import { placeholder } from '../languages/phrases.ts';
import type { ReportCard } from './report-document.ts';
import { ReportDefinitionError } from './report-errors.ts';
import { quoteText } from '../warehouse/sql-text.ts';
import {
  type SectionQuery,
  keepInstead,
  keepRows,
  pathOf,
  runSectionQuery,
} from './section-query.ts';
import { trendSchema } from './section-table.ts';

/**
 * Returns the sentences of a file such as `by_month.finding.sql`, in its order. The column `text` holds the
 * sentence. In it, `{name:format}` stands for the value of another column of the row, and `{name:phrase}` for
 * a phrase that may name further values. A sentence is omitted if it is null or would contain an unknown
 * value. Of one that goes on with a phrase after a space or a comma, such as `, {share:share} of all`, that phrase alone is.
 * @throws ReportDefinitionError for a placeholder without a column or with an unknown format
 */
export async function readSentences(query: SectionQuery, formatter: Formatter): Promise<string[]> {
  return (await readSentenceRows(query, formatter)).flatMap(({ sentence }) => sentence ?? []);
}

interface SentenceRow {
  /** Null if it would contain an unknown value. */
  readonly sentence: string | null;
  readonly values: ReadonlyMap<string, Cell>;
}

/** Returns the same sentences, each with the other values of its row. */
export async function readSentenceRows(
  query: SectionQuery,
  formatter: Formatter,
): Promise<SentenceRow[]> {
  const { columns, rows } = await runSectionQuery(query);
  if (!columns.some(({ name }) => name === 'text')) {
    const names = columns.map(({ name }) => name).join(', ');
    throw new ReportDefinitionError(
      `${pathOf(query)} has no column text, which holds the sentence; it has ${names}`,
    );
  }
  return rows.map((row) => {
    const values = new Map(columns.map((column, index) => [column.name, row[index] ?? null]));
    return { sentence: fillSentence(values, formatter, pathOf(query)), values };
  });
}

/**
 * Fills in the placeholders of a sentence.
 * @param path the file that contains the row
 * @throws ReportDefinitionError as above
 */
export function fillSentence(
  values: ReadonlyMap<string, Cell>,
  formatter: Formatter,
  path: string,
): string | null {
  const template = values.get('text') ?? null;
  const isKnown = (text: string) => !namedValues(text, values, path).includes(null);
  if (template === null || !isKnown(String(template))) return null;
  const said = [...values].map(([name, value]): [string, Cell] => [
    name,
    typeof value === 'string' && isAddition(value) && !isKnown(value) ? null : value,
  ]);
  return formatter.say(String(template), Object.fromEntries(said));
}

/**
 * Fills in a text of report.yaml from the row of `_facts.sql`. Null where it would contain an unknown value, or count none.
 * @throws ReportDefinitionError as above
 */
export function fillText(
  text: string,
  facts: ReadonlyMap<string, Cell>,
  formatter: Formatter,
  path: string,
): string | null {
  const countsNone = [...text.matchAll(placeholder)].some(
    ([, name = '', format = 'count']) => format === 'count' && Number(facts.get(name)) === 0,
  );
  return countsNone ? null : fillSentence(new Map([...facts, ['text', text]]), formatter, path);
}

/** True for a phrase without which its sentence is still one. */
function isAddition(phrase: string): boolean {
  return /^[ ,;]/.test(phrase);
}

/** Returns the values that a template's placeholders name, and those that its phrases name. */
function namedValues(template: string, values: ReadonlyMap<string, Cell>, path: string): Cell[] {
  return [...template.matchAll(placeholder)].flatMap(([written, name = '', format]) => {
    const value = values.get(name);
    if (value === undefined) {
      throw new ReportDefinitionError(`${path}: ${written} names a column that does not exist`);
    }
    if (format === 'phrase' && value !== null) {
      const named = namedValues(String(value), values, path);
      return isAddition(String(value)) ? [] : named;
    }
    if (format !== undefined && format !== 'phrase' && !isFormat(format)) {
      throw new ReportDefinitionError(`${path}: ${written} has an unknown format`);
    }
    return [value];
  });
}

/**
 * Fills in the sentences of a section with the layout `sentences` and keeps these rows, which the document and data files
 * then read.
 * @param names the columns that are kept; `text` has the sentences
 */
export async function keepSentences(
  query: SectionQuery,
  names: readonly string[],
  formatter: Formatter,
): Promise<void> {
  const rows = await readSentenceRows(query, formatter);
  const { columns } = await runSectionQuery(query, 0);
  const kept = columns.filter(({ name }) => names.includes(name));
  const selects = rows.map(({ sentence, values }) =>
    kept.map(({ name, type }) => {
      const cell = name === 'text' ? sentence : (values.get(name) ?? null);
      return `${cell === null ? 'null' : quoteText(String(cell))}::${type} as "${name}"`;
    }),
  );
  const none = kept.map(({ name, type }) => `null::${type} as "${name}"`);
  await keepInstead(
    query,
    selects.length === 0
      ? `select ${none.join(', ')} where false`
      : selects.map((cells) => `select ${cells.join(', ')}`).join(' union all '),
  );
}

const figureReferenceSchema = z
  .string()
  .regex(/^[a-z0-9_-]+\.[a-z0-9_-]+$/, 'write it as section.column')
  .transform((text) => {
    const [section = '', column = ''] = text.split('.');
    return { section, column };
  })
  .nullable()
  .default(null);

const cardSchema = z.object({
  label: z.string(),
  figure: z.string().nullable().default(null),
  format: z.enum(columnFormats),
  value: z.union([z.number(), z.bigint(), z.string()]).nullable(),
  previous: z.union([z.number(), z.bigint(), z.string()]).nullable().default(null),
  trend: trendSchema.or(z.tuple([])).nullable().default(null),
  note: z.string().nullable().default(null),
  basis: z.string().nullable().default(null),
  cell: figureReferenceSchema,
  previous_cell: figureReferenceSchema,
});

/**
 * Returns the cards of `_cards.sql`, one for each row. The columns are label, format and value; optionally
 * figure (its name, whatever the language), previous, trend (a list of doubles), note and basis; and optionally cell and previous_cell, the
 * two figures in sections with one row (`summary.emv`). Label, note and basis may contain placeholders for other
 * columns of the row, as sentences do.
 */
export async function readCards(query: SectionQuery, { say }: Formatter): Promise<ReportCard[]> {
  const { columns, rows } = await runSectionQuery(query);
  return rows.map((row) => {
    const values = Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]));
    const card = cardSchema.safeParse(values);
    if (card.success) {
      const { trend, previous_cell: previousCell, ...rest } = card.data;
      return {
        ...rest,
        label: say(rest.label, values),
        note: rest.note && say(rest.note, values),
        basis: rest.basis && say(rest.basis, values),
        previousCell,
        trend: drawableTrend(trend ?? []),
      };
    }
    throw new ReportDefinitionError(`${pathOf(query)}: ${z.prettifyError(card.error)}`);
  });
}

const cardFiguresSchema = z.object({
  format: z.enum(columnFormats),
  value: z.coerce.number().nullable(),
  previous: z.coerce.number().nullable().default(null),
  target: z.coerce.number().nullable().default(null),
});

/** Returns the figures of `_cards.sql`, whose rows are kept. A row that is no card has none. */
export async function readCardFigures(query: SectionQuery) {
  await keepRows(query);
  const { columns, rows } = await runSectionQuery(query);
  return rows.flatMap((row) => {
    const values = Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]));
    return cardFiguresSchema.safeParse(values).data ?? [];
  });
}

/** Returns the trend if a line can be drawn: it needs at least two months and some value. */
function drawableTrend(trend: readonly (number | null)[]): readonly (number | null)[] {
  return trend.length < 2 || trend.every((value) => value === null) ? [] : trend;
}
