import { z } from 'zod';

/** The names of reports, sections and columns. They are also used as names of files and sheets. */
export const nameSchema = z.string().regex(/^[a-z0-9_-]+$/, 'use a-z, 0-9, _ and - only');

const name = nameSchema;

/** The section of layout `data` whose rows the chart draws. Null for the rows of its own section. */
const rows = name.nullable().default(null);

const part = name
  .nullable()
  .default(null)
  .describe(
    'the column that is true where x is a week, month or quarter that is not whole, which is hatched',
  );

/** The chart of a section, as defined in report.yaml. */
export const chartSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('bars'),
    x: name,
    y: name,
    previous: name.nullable().default(null),
    not_final: name.nullable().default(null).describe('the part of y that is of young posts'),
    target: name.nullable().default(null).describe('what y should be, drawn as a line'),
    marked: name
      .nullable()
      .default(null)
      .describe(
        'the column that is true for the bars that the report is about; the others are lighter',
      ),
    within: name
      .nullable()
      .default(null)
      .describe('the part of y that the report is about; the rest of its bar is lighter'),
    part,
    rows,
  }),
  z
    .strictObject({
      kind: z.literal('lines'),
      x: name,
      y: name,
      series: name.nullable().default(null),
      n: name.nullable().default(null).describe('posts, beside the name of a series'),
      steps: z.boolean().default(false).describe('a value holds until the next one, as sums do'),
      previous: name.nullable().default(null),
      part,
      rows,
    })
    .describe('a line for each series, over months, days or whole numbers'),
  z
    .strictObject({
      kind: z.literal('multiples'),
      facet: name,
      x: name,
      y: name,
      previous: name.nullable().default(null),
      part,
      rows,
    })
    .describe('small bars by month for each facet, on one scale'),
  z
    .strictObject({
      kind: z.literal('quartiles'),
      low: name,
      middle: name,
      high: name,
      value: name,
      rows: z.null().default(null),
    })
    .describe("drawn in the table's rows: band, tick and diamond; the total's value as a line"),
  z
    .strictObject({
      kind: z.literal('stacked'),
      group: name,
      part: name,
      value: name,
      share: name.describe('of its group, 0 to 1; null: the group has no such part'),
      rows,
    })
    .describe('a bar of shares for each group'),
  z.strictObject({
    kind: z.literal('heatmap'),
    row: name,
    column: name,
    value: name,
    n: name,
    minimum: z.int().min(1).default(1),
    rows,
  }),
  z
    .strictObject({
      kind: z.literal('calendar'),
      row: name,
      x: name.describe('the first day of a stretch of days'),
      to: name.describe('its last day'),
      part: name.describe('the state of its days, in words'),
      level: name.describe('how good that is: 0 empty, 1 hatched, 2 half a cell, 3 a full one'),
      rows,
    })
    .describe('a row of days for each name, a cell for each of the last 91'),
]);

export type ChartDefinition = z.infer<typeof chartSchema>;

export interface DrawnColumn {
  /** Its key in report.yaml, for example `y`. */
  readonly part: string;
  readonly column: string;
  /** The kind of value that the chart can draw there. Null for any kind. */
  readonly kind: 'number' | null;
}

/** The keys of a chart that do not name a column. */
const settings = new Set(['kind', 'rows', 'steps', 'minimum']);

const labels = new Set(['x', 'to', 'marked', 'series', 'facet', 'group', 'part', 'row', 'column']);

/** Returns the columns that a chart names, in the chart's order. */
export function drawnColumns(chart: ChartDefinition): DrawnColumn[] {
  return Object.entries(chart).flatMap(([part, column]) =>
    settings.has(part) || typeof column !== 'string'
      ? []
      : [{ part, column, kind: labels.has(part) ? null : 'number' }],
  );
}
