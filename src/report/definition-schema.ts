import { z } from 'zod';
import { columnFormats } from '../core/number-format.ts';

/** Names of reports, sections and columns become names of files and sheets. */
export const namePattern = /^[a-z0-9_-]+$/;

const name = z.string().regex(namePattern, 'use a-z, 0-9, _ and - only');
const text = z.string().trim().min(1);

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
});

const chartSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('bars'),
    x: name,
    y: name,
    previous: name.nullable().default(null),
  }),
  z.strictObject({
    kind: z.literal('heatmap'),
    row: name,
    column: name,
    value: name,
    n: name,
    minimum: z.int().min(1).default(1),
  }),
]);

const sectionSchema = z.strictObject({
  name,
  title: text,
  description: text,
  layout: z.enum(['table', 'figures', 'posts']).default('table'),
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
  sections: z.array(sectionSchema).min(1),
  definitions: z.array(z.strictObject({ term: text, text })).default([]),
});

export type ColumnDefinition = z.infer<typeof columnSchema>;
export type SectionDefinition = z.infer<typeof sectionSchema>;
export type ParameterDefinition = z.infer<typeof parameterSchema>;
export type DefinitionFile = z.infer<typeof definitionSchema>;
