import { z } from 'zod';
import { columnFormats } from '../core/number-format.ts';
import { chartSchema, nameSchema } from './chart-schema.ts';

const name = nameSchema;
const text = z.string().trim().min(1);

/**
 * How a workbook computes a column's cells again from other cells of the row, so that they follow what its
 * reader changes. It never says what a figure is: the SQL does, and a formula that gives another figure than
 * the SQL is not written.
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
  z.strictObject({ kind: z.literal('share'), of: name }).describe("the column ÷ its total's cell"),
  z
    .strictObject({ kind: z.literal('change'), of: name, from: name })
    .describe('one column ÷ an earlier one, less 1'),
  z
    .strictObject({ kind: z.literal('priced'), by: name, per: z.number().positive().default(1) })
    .describe('the column × the input ÷ per, once the input is changed'),
  z
    .strictObject({ kind: z.literal('as_given') })
    .describe('rests on the input, but not on cells: empty once the input is changed'),
]);

const columnSchema = z.strictObject({
  title: text.optional(),
  format: z.enum(columnFormats).optional(),
  null_note: text.optional(),
  html: z
    .union([z.boolean(), z.enum(['varied', 'known'])])
    .optional()
    .describe(
      'varied: in the HTML only where rows differ in it; known: only where some row has a value',
    ),
  primary: z.boolean().optional().describe('kept on narrow screens beside the key'),
  calculation: calculationSchema.optional(),
});

const sectionSchema = z.strictObject({
  name,
  title: text,
  description: text,
  layout: z
    .enum(['table', 'figures', 'posts', 'data'])
    .default('table')
    .describe("data: the rows of another section's chart; the HTML folds them under it"),
  key: z.array(name).default([]),
  sorted_by: name.nullable().default(null),
  total: text.nullable().default(null).describe('the label of the row that _total.sql gives'),
  chart: chartSchema.nullable().default(null),
  notes: z.array(text).default([]),
  columns: z.record(name, columnSchema).default({}),
});

const parameterSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), default: z.string().nullable(), help: text }),
  z.strictObject({ type: z.literal('integer'), default: z.int().nullable(), help: text }),
  z.strictObject({ type: z.literal('number'), default: z.number().nullable(), help: text }),
  z.strictObject({ type: z.literal('boolean'), default: z.boolean().nullable(), help: text }),
  z.strictObject({ type: z.literal('date'), default: z.iso.date().nullable(), help: text }),
]);

/** One cell of the workbook that its reader may change, and from which `priced` columns are computed again. */
const inputSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/),
  title: text,
  format: z.enum(columnFormats),
  section: name.describe('of layout figures: its only row has the value'),
  column: name,
  help: text.describe('how to change it, and what follows'),
});

/** report.yaml, as it is written. */
export const definitionSchema = z.strictObject({
  title: text,
  description: text,
  covers: z
    .enum(['posts', 'removed posts'])
    .default('posts')
    .describe('removed posts: the report reads report_removed, whatever --removed asks'),
  parameters: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/), parameterSchema).default({}),
  columns: z.record(name, columnSchema).default({}).describe('what columns of all sections share'),
  input: inputSchema.nullable().default(null),
  sections: z.array(sectionSchema).min(1),
  definitions: z.array(z.strictObject({ term: text, text })).default([]),
});

export type ColumnDefinition = z.infer<typeof columnSchema>;
export type Calculation = z.infer<typeof calculationSchema>;
export type SectionDefinition = z.infer<typeof sectionSchema>;
export type ParameterDefinition = z.infer<typeof parameterSchema>;
export type DefinitionFile = z.infer<typeof definitionSchema>;
