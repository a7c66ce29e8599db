import { z } from 'zod';
import { fieldOf, itemsOf } from '../core/json.ts';
import {
  addressRule,
  amount,
  bound,
  dayRule,
  endpointRule,
  fileRule,
  outRule,
  pathRule,
  subjectRule,
  text,
} from './value-kinds.ts';

export const periodNames = [
  'last_7_days',
  'last_30_days',
  'last_90_days',
  'this_month',
  'last_month',
  'this_quarter',
  'last_quarter',
  'this_year',
  'all',
] as const;

const periodSchema = z.union([
  z.enum(periodNames),
  bound(
    z.strictObject({
      from: text('First day, inclusive', dayRule).optional(),
      to: text('Last day, inclusive', dayRule).optional(),
    }),
    ({ from, to }, report) => {
      if (from === undefined && to === undefined) report([], 'must have from, to or both');
      if (typeof from === 'string' && typeof to === 'string' && from > to)
        report([], `from must not be after to, got ${from} and ${to}`);
    },
  ),
]);

export const reportFormats = [
  'csv',
  'xlsx',
  'html',
  'pdf',
  'json',
  'parquet',
  'md',
  'table',
] as const;
const defaultFormats: readonly (typeof reportFormats)[number][] = ['csv', 'xlsx', 'html'];

/** The formats of one file, which a mail can carry. */
const attachedFormats = ['pdf', 'xlsx', 'html'] as const;

export const compareModes = ['previous', 'year', 'none'] as const;

/** The placeholder that tells one client's files from another's. */
const clientPlaceholder = '{client}';
const needsClient = `must have ${clientPlaceholder}: each client gets files of its own`;

const filtersSchema = z.strictObject({
  label: names('Names of labels: only posts that have one of them'),
  campaign: names('Names of campaigns: only their posts'),
  type: names('Types of posts, such as Video'),
});

const s3TargetSchema = z.strictObject({
  bucket: text('The bucket'),
  prefix: text(
    'What its keys begin with; the placeholders of `out` are filled in; default: {report}-{to}/, for clients {client}/{report}-{to}/',
    outRule,
  ).optional(),
  endpoint: text('The address of a server other than Amazon’s', endpointRule).optional(),
  region: text('Such as eu-central-1; default: us-east-1').optional(),
});

const deliveryKeys = z.strictObject({
  mail: z
    .union([z.literal('client'), z.array(text('An address', addressRule)).min(1)])
    .describe('By mail to whom: client (the addresses in its `to`), or addresses')
    .optional(),
  s3: s3TargetSchema.describe('Into object storage').optional(),
  command: z
    .array(text('The program or an argument; {folder} and the placeholders of `out` are filled in'))
    .min(1)
    .describe('To a program of yours, which finds the files in {folder}')
    .optional(),
  subject: text(
    'Of a mail; {client} {report} {period} {job} are filled in; default: {client}: {report}, {period}',
    subjectRule,
  ).optional(),
  body: text(
    'Of a mail: a text file whose paragraphs stand above the figures',
    pathRule,
  ).optional(),
  attach: z
    .array(z.enum(attachedFormats))
    .describe(
      'Which of the formats go along; default: none by mail, else all files. The first are kept where a mail would be too large',
    )
    .optional(),
  file: text(
    'What attached files are called, without their ending; {client} {report} {period} {from} {to} {job} are filled in; default: {client}-{report}-{period}',
    fileRule,
  ).optional(),
  hold: z.boolean().describe('Whether it waits for `postledger deliver approve`').default(false),
  if_empty: z
    .enum(['send', 'skip'])
    .describe('What becomes of a report without posts')
    .default('send'),
  when_incomplete: z
    .enum(['hold', 'send', 'skip'])
    .describe(
      'What becomes of a report over days that were not read: it waits until they were, goes out marked, or does not',
    )
    .default('hold'),
});

const deliverySchema = bound(deliveryKeys, ({ mail, s3, command, subject, body }, report) => {
  const targets = [mail, s3, command].filter((target) => target !== undefined);
  if (targets.length !== 1) report([], 'must have one of mail, s3 and command');
  if (mail === undefined && (subject !== undefined || body !== undefined))
    report([], 'has a subject or body, which only a mail has');
});

const reportKeys = z.strictObject({
  report: text(
    'A built-in report (`postledger report list`) or a folder of yours under reports/ beside this file',
  ),
  period: periodSchema
    .describe('The days that the report covers, by date of publication: a name, or from and to')
    .default('all'),
  formats: z
    .array(z.enum(reportFormats))
    .min(1)
    .describe('One file or folder each')
    .default([...defaultFormats]),
  for: z
    .union([z.literal('each'), z.array(text('A key of clients')).min(1)])
    .describe('A report for each client, of its profiles alone: each, or keys of clients')
    .optional(),
  filters: filtersSchema.describe('Which posts the report is about').prefault({}),
  set: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe("The report's own parameters, by name")
    .default({}),
  out: text(
    'The folder for it; {report} {job} {client} {from} {to} {date} are filled in; default: ./out/{report}-{to}, for clients ./out/{client}/{report}-{to}',
    outRule,
  ).optional(),
  deliver: z.array(deliverySchema).describe('Whom the report is sent to').default([]),
  cpm: amount('Reprices every post at this CPM').optional(),
  compare: z
    .enum(compareModes)
    .describe('With the period before, the same days a year before, or nothing')
    .default('previous'),
});

/** A report of a job. The files of one client must not overwrite those of another. */
export const reportSchema = bound(reportKeys, ({ for: clients, out, formats, deliver }, report) => {
  const made: readonly unknown[] = Array.isArray(formats) ? formats : defaultFormats;
  for (const [index, delivery] of itemsOf(deliver).entries()) {
    if (fieldOf(delivery, 'mail') === 'client' && clients === undefined)
      report(['deliver', index, 'mail'], 'is client, but the report is for none; add for: each');
    const prefix = fieldOf(fieldOf(delivery, 's3'), 'prefix');
    if (clients !== undefined && typeof prefix === 'string' && !prefix.includes(clientPlaceholder))
      report(['deliver', index, 's3', 'prefix'], needsClient);
    const missing = itemsOf(fieldOf(delivery, 'attach')).find((format) => !made.includes(format));
    if (missing !== undefined)
      report(
        ['deliver', index, 'attach'],
        `has ${JSON.stringify(missing)}, which is not in formats`,
      );
  }
  if (typeof out !== 'string' || (clients !== undefined) === out.includes(clientPlaceholder))
    return;
  const problem =
    clients === undefined
      ? `has ${clientPlaceholder}, but the report is for no client; add for: each`
      : needsClient;
  report(['out'], problem);
});

/** The folder of a report's files: the configured one, or the default. */
export function outOf({
  for: clients,
  out,
}: Pick<z.output<typeof reportSchema>, 'for' | 'out'>): string {
  return out ?? (clients ? `./out/${clientPlaceholder}/{report}-{to}` : './out/{report}-{to}');
}

export type RawDelivery = z.output<typeof deliverySchema>;

function names(description: string) {
  return z.array(text('A name')).describe(description).default([]);
}
