import { z } from 'zod';
import {
  isPeriodName,
  periodList,
  periodNames,
  periodPattern,
  type PeriodName,
} from './period-names.ts';
import { didYouMean } from '../core/nearest.ts';
import {
  amount,
  bodyRule,
  bound,
  commentRule,
  dayRule,
  endpointRule,
  fileRule,
  mailboxRule,
  outRule,
  subjectRule,
  text,
} from './value-kinds.ts';

/** A year without quotes is a number in YAML. */
const periodName = z
  .unknown()
  .check(({ value, issues }) => {
    if (isPeriodName(String(value))) return;
    const hint = didYouMean(String(value), periodNames);
    const message = `must be ${periodList}, or from and to`;
    issues.push({ code: 'custom', message, params: { hint }, input: value });
  })
  .meta({
    type: ['string', 'integer'],
    pattern: `${periodPattern.source}|\\$\\{`,
  }) as z.ZodType as z.ZodType<PeriodName | number>;

const periodSchema = z.union([
  periodName,
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
export const defaultFormats: readonly (typeof reportFormats)[number][] = ['csv', 'xlsx', 'html'];

/** The formats that are a single file, which a mail can carry. */
const attachedFormats = ['pdf', 'xlsx', 'html'] as const;

export const compareModes = ['previous', 'year', 'none'] as const;

/** The placeholder that separates the files of clients. */
export const clientPlaceholder = '{client}';

const filtersSchema = z.strictObject({
  label: names('Names of labels; only posts that have one of them are included'),
  campaign: names('Names of campaigns; only their posts are included'),
  type: names('Types of posts, such as Video; only posts of these types are included'),
});

const s3TargetSchema = z.strictObject({
  bucket: text('The bucket'),
  prefix: text(
    'The beginning of object keys, with the placeholders of `out`; default: {report}-{to}/, for clients {client}/{report}-{to}/',
    outRule,
  ).optional(),
  endpoint: text('The address of a server other than Amazon’s', endpointRule).optional(),
  region: text('The region, such as eu-central-1; default: us-east-1').optional(),
});

const commentFile = text(
  'A Markdown file, with the placeholders {client} (its key) {period} {language} {report} {job}: {period} is 2026-10, 2026-Q3, 2026, or 2026-10-01_2026-10-15',
  commentRule,
);

/** What a person writes about a report. */
export const commentSchema = z
  .union([
    commentFile,
    z.strictObject({
      file: commentFile,
      required: z
        .boolean()
        .describe('True to hold what is sent until the file says something')
        .default(false),
    }),
  ])
  .describe(
    'A Markdown file at the head of page, PDF, workbook and mail; without the file there is none',
  );

export type RawComment = z.output<typeof commentSchema>;

export const notesSchema = z
  .array(
    z.strictObject({
      date: text('The day', dayRule),
      text: text('What happened, such as New CPM agreed'),
    }),
  )
  .describe('Events that are marked by number in charts over time and listed below them')
  .default([]);

const deliveryKeys = z.strictObject({
  mail: z
    .union([
      z.literal('client'),
      z.array(text('An address, or "Name <address>"', mailboxRule)).min(1),
    ])
    .describe('Sends a mail to client (the addresses in its `to`), or to these addresses')
    .optional(),
  s3: s3TargetSchema.describe('Uploads the files to object storage').optional(),
  command: z
    .array(text('The program or an argument, with {folder} and the placeholders of `out`'))
    .min(1)
    .describe('Runs a program of yours, which finds the files in {folder}')
    .optional(),
  name: text(
    'A name that tells this delivery from another one of the same reports to the same recipient',
  ).optional(),
  subject: text(
    'The subject of a mail, with the placeholders {client} {report} {period} {from} {to} {job}; default: {client}, LinkedIn: {report}, {period}',
    subjectRule,
  ).optional(),
  body: text(
    'A Markdown file that is put above the figures of a mail, with the placeholders of `subject` in its text, and {client} (its key) and {language} in its path',
    bodyRule,
  ).optional(),
  comment: commentSchema.optional(),
  attach: z
    .array(z.enum(attachedFormats))
    .describe(
      'The formats to attach; default: none for mail, otherwise all files. If a mail would be too large, the last ones are left out',
    )
    .optional(),
  file: text(
    'The name of attached files without their extension, with the placeholders {client} {report} {period} {from} {to} {job}; default: {client}-{report}-{period}',
    fileRule,
  ).optional(),
  hold: z
    .boolean()
    .describe('True to wait for approval by `postledger deliver approve`')
    .default(false),
  if_empty: z
    .enum(['send', 'skip'])
    .describe('The action for a report without posts, or for several if none of them has posts')
    .default('send'),
  when_incomplete: z
    .enum(['hold', 'send', 'skip'])
    .describe(
      'The action for a report over days that were not read: wait until they are read, send it marked as incomplete, or skip it',
    )
    .default('hold'),
});

export const deliverySchema = bound(
  deliveryKeys,
  ({ mail, s3, command, subject, body }, report) => {
    const targets = [mail, s3, command].filter((target) => target !== undefined);
    if (targets.length !== 1) report([], 'must have one of mail, s3 and command');
    if (mail === undefined && (subject !== undefined || body !== undefined))
      report([], 'has a subject or body, which only mail deliveries have');
  },
);

export const reportSchema = z.strictObject({
  report: text(
    'A built-in report (`postledger report list`) or a folder of yours under reports/ beside this file',
  ),
  period: periodSchema.describe(
    `The days of publication that the report covers: ${periodList}, or from and to`,
  ),
  formats: z
    .array(z.enum(reportFormats))
    .min(1)
    .describe('The formats to render, each as a file or a folder')
    .default([...defaultFormats]),
  for: z
    .union([z.literal('each'), z.array(text('A key of clients')).min(1)])
    .describe('The clients that get a report of their own profiles alone: each, or keys of clients')
    .optional(),
  internal: z
    .literal('allow')
    .describe(
      'Lets clients have a report that names people or checks the work itself: growth, quality, removed, workflow, or one of yours that says internal: true',
    )
    .optional(),
  filters: filtersSchema.describe('The posts that the report includes').prefault({}),
  set: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe("The report's own parameters, by name")
    .default({}),
  out: text(
    'The output folder, with the placeholders {report} {job} {client} {from} {to} {date}; default: ./out/{report}-{to}, for clients ./out/{client}/{report}-{to}',
    outRule,
  ).optional(),
  deliver: z.array(deliverySchema).describe('The recipients of the report').default([]),
  comment: commentSchema.optional(),
  cpm: amount('A CPM at which every post is repriced').optional(),
  compare: z
    .enum(compareModes)
    .describe('The comparison: with the previous period, the same days a year before, or none')
    .default('previous'),
});

/** Returns the configured output folder of a report, or the default. */
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
