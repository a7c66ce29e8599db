import { z } from 'zod';
import { columnFormats } from '../core/number-format.ts';
import type { ReportCard } from './report-document.ts';
import { ReportDefinitionError } from './report-errors.ts';
import { pathOf, runSectionQuery, type SectionQuery } from './section-query.ts';

const place = z
  .string()
  .regex(/^[a-z0-9_-]+\.[a-z0-9_-]+$/, 'write it as section.column')
  .transform((text) => {
    const [section = '', column = ''] = text.split('.');
    return { section, column };
  })
  .nullable()
  .default(null);

/** A list of doubles comes as its JSON. */
function listOf(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('it takes a list of numbers');
    return z.NEVER;
  }
}

const cardSchema = z.object({
  label: z.string(),
  format: z.enum(columnFormats),
  value: z.union([z.number(), z.bigint(), z.string()]).nullable(),
  previous: z.union([z.number(), z.bigint(), z.string()]).nullable().default(null),
  trend: z
    .string()
    .transform(listOf)
    .pipe(z.array(z.number().nullable()))
    .or(z.tuple([]))
    .nullable()
    .default(null),
  note: z.string().nullable().default(null),
  cell: place,
  previous_cell: place,
});

/**
 * The cards of `_cards.sql`, a row each: label, format, value; and, where there are any, previous, trend (a list
 * of doubles), note, and where the two figures stand among the sections with one row (`summary.emv`): cell and
 * previous_cell.
 */
export async function readCards(query: SectionQuery): Promise<ReportCard[]> {
  const { columns, rows } = await runSectionQuery(query);
  return rows.map((row) => {
    const card = cardSchema.safeParse(
      Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])),
    );
    if (card.success) {
      const { trend, previous_cell: previousCell, ...rest } = card.data;
      return { ...rest, previousCell, trend: drawable(trend ?? []) };
    }
    throw new ReportDefinitionError(`${pathOf(query)}: ${z.prettifyError(card.error)}`);
  });
}

/** A line needs two months, and something in them. */
function drawable(trend: readonly (number | null)[]): readonly (number | null)[] {
  return trend.length < 2 || trend.every((value) => value === null) ? [] : trend;
}
