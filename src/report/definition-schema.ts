import { z } from 'zod';
import { columnFormats } from '../languages/number-format.ts';
import { chartSchema, nameSchema } from './chart-schema.ts';

const name = nameSchema;
const text = z.string().trim().min(1);

/**
 * How a column follows from other columns of its row: for totals of filtered or folded rows, and to name the posts
 * behind a figure. It never defines a figure: the SQL does.
 */
const calculationSchema = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('ratio'),
      of: name,
      to: name,
      times: z.number().positive().default(1),
    })
    .describe('one column ÷ another, × times'),
  z
    .strictObject({ kind: z.literal('share'), of: name })
    .describe('the column ÷ its sum over all posts'),
  z
    .strictObject({ kind: z.literal('change'), of: name, from: name })
    .describe('one column ÷ an earlier one, less 1'),
]);

const columnSchema = z.strictObject({
  title: text.optional().describe("the column's head; by default its name"),
  format: z
    .enum(columnFormats)
    .optional()
    .describe("how values are printed; by default by the SQL's type"),
  format_by: name
    .optional()
    .describe(
      'the column that has the format of each row, for figures of several kinds in one column',
    ),
  null_note: text.optional().describe('one sentence: what it means that a value is not known'),
  html: z
    .union([z.boolean(), z.enum(['varied', 'known'])])
    .optional()
    .describe(
      'varied: in the HTML only where rows differ in it, or those that have a ratio in that; known: only where some row has a value',
    ),
  unlike: z
    .array(name)
    .optional()
    .describe('columns: in the HTML only where some row has another value than in each of them'),
  primary: z.boolean().optional().describe('kept on narrow screens beside the key'),
  colored_where: name
    .optional()
    .describe(
      'for the format pp: the column that is true in rows whose difference has a colour; none has one without it',
    ),
  calculation: calculationSchema
    .optional()
    .describe('how it follows from other columns of the row'),
  words: z
    .union([z.literal(true), z.array(text)])
    .optional()
    .describe(
      "the report's own words, which `language` translates: all values, or only these, with # for a number and {metric} for the name of a metric",
    ),
});

/** The charts whose columns follow from the dimension and the figure of a section. */
const madeChartSchema = z.enum(['bars', 'lines', 'quartiles', 'heatmap']);

const sectionSchema = z.strictObject({
  name: name.describe('of its SQL file without .sql, of its CSV and its sheet'),
  title: text.describe('its heading, short'),
  description: text.describe('one line: what is shown, in which unit'),
  empty: text.nullable().default(null).describe('what stands for the rows where there are none'),
  layout: z
    .enum(['table', 'figures', 'posts', 'sentences', 'data'])
    .default('table')
    .describe(
      "table; sentences: the column `text` is a sentence with placeholders for the other columns, and those of `columns` are kept; figures: one row as labels and values; posts: led by post texts; data: the rows of another section's chart; the HTML folds them under it",
    ),
  appendix: z
    .boolean()
    .default(false)
    .describe('after the sections that answer the question: folded, and printed on request only'),
  key: z.array(name).default([]).describe('columns that tell its rows apart'),
  sorted_by: name.nullable().default(null).describe('the column that the SQL sorts by, descending'),
  several: name
    .nullable()
    .default(null)
    .describe(
      'the column that its rows are there to compare: where all have one value of it, only data files have the section',
    ),
  total: text.nullable().default(null).describe('the label of the row that _total.sql gives'),
  chart: chartSchema.nullable().default(null).describe('drawn above the table'),
  basis: text
    .nullable()
    .default(null)
    .describe(
      'what it is based on, such as `n = {posts:count}`: filled from the row of _facts.sql and `rows`, their number; not said where it counts none',
    ),
  notes: z
    .array(text)
    .default([])
    .describe('sentences under the table, filled and left out likewise'),
  columns: z.record(name, columnSchema).default({}).describe('by their name in the SQL'),
});

/** A section as it is written: what follows from its dimension can be left out. */
const writtenSectionSchema = sectionSchema
  .extend({
    name: sectionSchema.shape.name.optional(),
    title: text
      .optional()
      .describe(
        'its heading, short; without one, posts, left_out, summary and campaign_days are those of the built-in reports, beside what is given',
      ),
    description: sectionSchema.shape.description.optional(),
    total: text.nullish().describe('the label of the row of totals; null: none'),
    chart: z
      .union([madeChartSchema, chartSchema])
      .nullish()
      .describe('drawn above the table; with `by` also a mere kind, of which the columns follow'),
    hides: z
      .array(name)
      .default([])
      .describe('columns that only the data files have, as `html: false` says of one'),
    by: z
      .array(name)
      .min(1)
      .max(2)
      .or(name)
      .optional()
      .describe(
        'a dimension, two of them, or time: weeks, months or quarters by the length of the period. Rows, title, order, sentence, notes, basis and total follow; what is given besides replaces them',
      ),
    figure: name.optional().describe("with `by`: instead of the report's"),
    shows: z.array(name).optional().describe("with `by`: its columns, instead of the report's"),
    adds: z.array(name).default([]).describe('with `by`: columns after those'),
  })
  .superRefine((section, context) => {
    if (section.by !== undefined) return;
    const message = 'missing; only a section `by` a dimension can do without';
    if (section.name === undefined) context.addIssue({ code: 'custom', path: ['name'], message });
    if (typeof section.chart !== 'string') return;
    const alone = `${section.chart} alone needs \`by\`; write { kind: ${section.chart}, … } with its columns`;
    context.addIssue({ code: 'custom', path: ['chart'], message: alone });
  });

function refuseRepeated(
  sections: readonly { readonly name?: string | undefined }[],
  context: z.RefinementCtx,
): void {
  const names = sections.map((section) => section.name);
  names.forEach((repeated, at) => {
    if (repeated === undefined || names.indexOf(repeated) === at) return;
    const message = `the section ${repeated} appears twice; give each section its own name`;
    context.addIssue({ code: 'custom', path: [at, 'name'], message });
  });
}

const help = text.describe('one sentence, in `report list`');
const whenUnset = 'where --set gives none; null: not set';

function parameterOf<Type extends string, Value extends z.ZodType>(type: Type, value: Value) {
  const fallback = value.nullable().describe(whenUnset);
  return z.strictObject({ type: z.literal(type), default: fallback, help });
}

const parameterSchema = z.discriminatedUnion('type', [
  parameterOf('text', z.string()),
  parameterOf('integer', z.int()),
  parameterOf('number', z.number()),
  parameterOf('boolean', z.boolean()),
  parameterOf('date', z.iso.date()),
]);

const termSchema = z.strictObject({
  term: text.describe('the word'),
  text: text.describe('what it means, with its formula'),
});

const columnsSchema = z.record(name, columnSchema).default({});

const unlessGiven = text.nullable().default(null);

const dimensionSchema = z.strictObject({
  title: text,
  word: text,
  description: text,
  noun: unlessGiven,
  total: unlessGiven,
  sort: z.enum(['time', 'figure', 'natural']),
  order: unlessGiven,
  type: z.enum(['date', 'integer']).nullable().default(null),
  sentence: text,
  needs_details: z.boolean().default(false),
  groups: text,
});

const figureSchema = z.strictObject({
  title: text,
  scope: z.enum(['posts', 'videos']),
  dividend: text,
  divisor: unlessGiven,
  previous: unlessGiven,
  target: unlessGiven,
  young: unlessGiven,
  counted: text,
  sum: text,
  basis: text,
  sentence: unlessGiven,
  below: unlessGiven,
});

/** The content of reports/shared.yaml: what several reports share. Each key has a comment there. */
export const sharedSchema = z.strictObject({
  columns: columnsSchema,
  sections: z.record(
    name,
    sectionSchema.pick({
      title: true,
      description: true,
      empty: true,
      layout: true,
      appendix: true,
      key: true,
      columns: true,
    }),
  ),
  definitions: z.array(termSchema),
  dimensions: z.record(name, dimensionSchema),
  inner_dimensions: z.record(name, text),
  amounts: z.record(name, text),
  figures: z.record(name, figureSchema),
});

/** The content of report.yaml. */
export const definitionSchema = z.strictObject({
  title: text.describe("the report's heading"),
  description: text.optional().describe('one line, in lists of reports; by default the title'),
  first: z.boolean().default(false).describe('true: the first in lists of reports'),
  internal: z
    .boolean()
    .default(false)
    .describe(
      'true: it names people or checks the work itself, so it goes to no client unless a job says so',
    ),
  shows_cards: z.boolean().default(true).describe('false: pages show a section in their place'),
  covers: z
    .enum(['posts', 'removed posts', 'videos', 'readings'])
    .default('posts')
    .describe(
      'videos: what an empty report has none of; removed posts: the report reads report_removed, whatever --removed asks; readings: its findings are about what was read, and hold where days were not',
    ),
  compares: z
    .boolean()
    .default(true)
    .describe('false: nothing in it is compared, whatever --compare asks, and no page says so'),
  parameters: z
    .record(z.string().regex(/^[a-z][a-z0-9_]*$/), parameterSchema)
    .default({})
    .describe('values that the SQL takes as $name, and --set name=value gives'),
  shared_columns: z
    .boolean()
    .default(false)
    .describe(
      'true: columns of the names that the built-in reports share are called what they are there',
    ),
  columns: columnsSchema.describe('what columns of all sections share'),
  what_if: z
    .array(name)
    .default([])
    .describe(
      'sections with a total and the columns impressions, emv and effective_cpm: the workbook prices them again at a CPM that its reader may change',
    ),
  figure: name
    .nullable()
    .default(null)
    .describe('what its sections `by` a dimension rank, draw and compare'),
  chooses_figure: z
    .boolean()
    .default(false)
    .describe(
      'true: it leads with the first figure of the scorecard that at least half of its posts have, else the first that any has; false: with its own, and only where no post has that with another',
    ),
  groups: name
    .nullable()
    .default(null)
    .describe(
      'the table of _views.sql that has the rows of its sections `by` a dimension, where these are no sums of posts: dimension, name, posts, and the columns that they show; the figure is one of these',
    ),
  shows: z
    .array(name)
    .default([])
    .describe('the columns of its sections `by` a dimension, each where it applies'),
  sections: z
    .array(writtenSectionSchema)
    .min(1)
    .superRefine(refuseRepeated)
    .describe('in the order of the page'),
  definitions: z
    .array(z.union([termSchema, text.describe('a term that the built-in reports share')]))
    .default([])
    .describe('what the words of the report mean, at its end'),
});

export type ColumnDefinition = z.infer<typeof columnSchema>;
export type Calculation = z.infer<typeof calculationSchema>;
export type MadeChart = z.infer<typeof madeChartSchema>;
export type WrittenSection = z.infer<typeof writtenSectionSchema>;

/** A section with all that follows from its dimension. */
export interface SectionDefinition extends z.infer<typeof sectionSchema> {
  /** The index of the section among those of report.yaml. */
  readonly index: number;
  /**
   * The grain of time that a report's period must fit to have this section; `month` fits any, and `over year` one of a
   * month or two, whose section is about the 12 months up to its end. Null for sections of any period.
   */
  readonly grain: 'week' | 'month' | 'quarter' | 'over year' | null;
  /** The title of the section's figure. */
  readonly figure: string | null;
  /** The phrases that its title and description name; see {@link Formatter.say}. */
  readonly words?: Readonly<Record<string, string>> | undefined;
}
export type ParameterDefinition = z.infer<typeof parameterSchema>;
export type DefinitionFile = z.infer<typeof definitionSchema>;
export type TermDefinition = z.infer<typeof termSchema>;
export type SharedFile = z.infer<typeof sharedSchema>;

/** What a section is `by`, and what it shows of its groups (reports/shared.yaml). */
export type Dimension = z.infer<typeof dimensionSchema> & { readonly name: string };
export type Figure = z.infer<typeof figureSchema> & { readonly name: string };

/** Returns the JSON Schema of report.yaml in draft 7, the version that editors support best. */
export function definitionJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(definitionSchema, { io: 'input', target: 'draft-7' });
}

/** Returns the text of the JSON Schema, which `report new` writes. */
export function definitionJsonSchemaText(): string {
  return `${JSON.stringify(definitionJsonSchema(), null, 2)}\n`;
}
