import { z } from 'zod';
import type { ClientConfig } from './clients-schema.ts';
import { clientPlaceholder, commentFor, commentSchema } from './comment-schema.ts';
import type { ConfigPath, Finding } from './config-error.ts';
import {
  deliveryFor,
  deliverySchema,
  type DeliveryConfig,
  type General,
} from './deliveries-schema.ts';
import { bothPrices } from './prices-schema.ts';
import type { Frozen } from './frozen.ts';
import {
  isPeriodName,
  periodList,
  periodNames,
  periodPattern,
  type PeriodName,
} from './period-names.ts';
import { readerCopyKeys, readerCopyOf } from './reader-copy.ts';
import { amount, bound, dayRule, outRule, quote, text } from './value-kinds.ts';
import { withHint } from './workspaces-schema.ts';
import { didYouMean, hintAmong } from '../core/nearest.ts';

/** A year without quotes is a number in YAML. */
const periodName = z
  .unknown()
  .check(({ value, issues }) => {
    if (isPeriodName(String(value))) return;
    const hint = didYouMean(String(value), periodNames);
    const message = `must be ${periodList}, or from and to`;
    issues.push({ code: 'custom', message, params: { hint }, input: value });
  })
  .meta({ type: ['string', 'integer'], pattern: `${periodPattern.source}|\\$\\{` })
  .transform((value) => String(value) as PeriodName);

const periodSchema = z.union([
  periodName,
  bound(
    z.strictObject({
      from: text('First day, inclusive', dayRule).optional(),
      to: text('Last day, inclusive', dayRule).optional(),
    }),
    ({ from, to }, report) => {
      if (from === undefined && to === undefined) report([], 'must have from, to or both');
      if (from !== undefined && to !== undefined && from > to)
        report([], `from must not be after to, got ${from} and ${to}`);
    },
  ).transform(({ from = null, to = null }) => ({ from, to })),
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

export const compareModes = ['previous', 'year', 'none'] as const;

const filtersSchema = z
  .strictObject({
    label: names('Names of labels; only posts that have one of them are included'),
    campaign: names('Names of campaigns; only their posts are included'),
    type: names('Types of posts, such as Video; only posts of these types are included'),
  })
  .transform(({ campaign, label, type }) => ({ campaigns: campaign, labels: label, types: type }));

export const reportSchema = bound(
  z.strictObject({
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
      .default(['csv', 'xlsx', 'html']),
    for: z
      .union([z.literal('each'), z.array(text('A key of clients')).min(1)])
      .describe(
        'The clients that get a report of their own profiles alone: each, or keys of clients',
      )
      .optional(),
    internal: z
      .literal('allow')
      .describe(
        'Lets clients have a report that names people or checks the work itself: growth, quality, removed, workflow, or one of yours that says internal: true',
      )
      .optional(),
    filters: filtersSchema.describe('The posts that the report includes').prefault({}),
    set: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
      .describe("The report's own parameters, by name")
      .prefault({}),
    out: text(
      'The output folder, with the placeholders {report} {job} {client} {from} {to} {date}; default: ./out/{report}-{to}, for clients ./out/{client}/{report}-{to}',
      outRule,
    ).optional(),
    deliver: z.array(deliverySchema).describe('The recipients of the report').prefault([]),
    comment: commentSchema.optional(),
    ...readerCopyKeys,
    cpm: amount('A CPM at which every post is repriced').optional(),
    prices: text('A price list at which every post is repriced').optional(),
    compare: z
      .enum(compareModes)
      .describe('The comparison: with the previous period, the same days a year before, or none')
      .default('previous'),
  }),
  bothPrices,
).transform(({ for: clients, internal, cpm, prices, formats, ...report }) => ({
  ...report,
  /** The keys of its clients, or each of them; null if the report is for the job's owner alone. */
  clients: clients ?? null,
  /** Set when a client may have an internal report. */
  allowsInternal: internal === 'allow',
  formats: [...new Set(formats)],
  /** The CPM that reprices every post; null to use the API's EMV and the profiles' CPMs. */
  cpm: cpm ?? null,
  /** The name of a price list that does so. */
  prices: prices ?? null,
}));

/** A report of a job, for all of its clients, with paths as they are written. */
export type ParsedReport = z.output<typeof reportSchema>;

export interface JobReport extends Frozen<ReturnType<typeof reportFor>> {}
export type ReportFormat = JobReport['formats'][number];
/** The period that a report compares with: the previous one, the same days a year before, or none. */
export type CompareMode = JobReport['compare'];
/** A named period, or a first and a last day in the configured time zone, both inclusive. */
export type PeriodConfig = JobReport['period'];

/** @param index its index in the job's list in jobs.yaml, which has one entry for all clients */
export function reportFor(
  parsed: ParsedReport & { readonly index: number },
  client: ClientConfig | null,
  general: General,
) {
  const { clients, out, comment, deliver, sections, appendix, paper, ...report } = parsed;
  return {
    ...report,
    /** The client; null if the report is for the job's owner alone. */
    client,
    prices: parsed.prices ?? (parsed.cpm === null ? (client?.prices ?? null) : null),
    /** An absolute path with the placeholders `{report} {job} {client} {from} {to} {date}`. */
    out: general.absolute(outOf({ clients, out })),
    comment: commentFor(comment, client, general.absolute),
    /** What its reader gets of it, unless a delivery says otherwise. */
    copy: { ...client?.copy, ...readerCopyOf({ sections, appendix, paper }) },
    deliver: deliver.map((delivery): DeliveryConfig => deliveryFor(delivery, client, general)),
  };
}

/** Returns the configured output folder of a report, or the default. */
export function outOf({ clients, out }: Pick<ParsedReport, 'clients' | 'out'>): string {
  return out ?? (clients ? `./out/${clientPlaceholder}/{report}-{to}` : './out/{report}-{to}');
}

/** True if the client of this key gets the report. */
export function isFor({ clients }: ParsedReport, key: string): boolean {
  return clients === 'each' || clients?.includes(key) === true;
}

/**
 * Refuses a report or a client that does not exist.
 * @param clients the keys of all clients
 * @param reports the names of all reports; null if they are unknown, so that names are not checked
 */
export function reportFindings(
  { report, clients: named }: ParsedReport,
  path: ConfigPath,
  clients: readonly string[],
  reports: readonly string[] | null,
): Finding[] {
  const findings: Finding[] = [];
  if (reports?.includes(report) === false) {
    const message = `no report ${quote(report)}; ${hintAmong(report, reports)}`;
    findings.push({ path: [...path, 'report'], message });
  }
  if (named === 'each' && clients.length === 0)
    findings.push({ path: [...path, 'for'], message: 'is each, but there are no clients' });
  if (Array.isArray(named))
    for (const [index, key] of named.entries())
      if (!clients.includes(key))
        findings.push({
          path: [...path, 'for', index],
          message: `no client ${withHint(key, clients)}`,
        });
  return findings;
}

function names(description: string) {
  return z.array(text('A name')).describe(description).default([]);
}
