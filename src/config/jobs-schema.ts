import { z } from 'zod';
import { isLoopback } from '../core/loopback.ts';
import { compareModes, defaultWebhooks, periodNames, reportFormats } from './config.ts';
import {
  amount,
  baseUrlRule,
  bound,
  colorRule,
  count,
  cronRule,
  currencyRule,
  dayRule,
  durationRule,
  keyed,
  localeRule,
  outRule,
  pathRule,
  profilePatternRule,
  secret,
  secrets,
  text,
  timeZoneRule,
  tokenHeaderRule,
  uuidRule,
} from './value-kinds.ts';

/** A century: beyond it, arithmetic with days has no meaning here. */
const maxDays = 36_525;

const profileSchema = z.strictObject({
  id: text("The profile's UUID in the workspace", uuidRule),
  name: text('How reports and profile patterns name it'),
  cpm: amount(
    'Currency units per 1,000 impressions: fills EMV where the API gives none',
  ).optional(),
});

const rateLimitSchema = z.strictObject({
  requests: count('Requests in any interval of per_seconds', 1, 100_000).default(100),
  per_seconds: z
    .number()
    .positive()
    .max(86_400)
    .describe('Length of the interval in seconds')
    .default(60),
});

const workspaceSchema = z.strictObject({
  base_url: text('The address of the API, which ends in /api/v1', baseUrlRule),
  api_key: secret("The workspace's API key, from the environment or .env: ${ACME_API_KEY}"),
  rate_limit: rateLimitSchema
    .describe('What the service allows; shared by all processes of this machine')
    .prefault({}),
  concurrency: count('Requests in flight at most', 1, 256).default(4),
  timeout_seconds: z
    .number()
    .positive()
    .max(86_400)
    .describe('Of one attempt, without its time in the queue')
    .default(30),
  slug: text("The workspace's slug in webhook events; default: the key").optional(),
  linked_post_field: text('The name of the linked post in an analytics record').default(
    'servicePost',
  ),
  profiles: z.array(profileSchema).describe('The LinkedIn profiles to read').default([]),
});

const windowsSchema = bound(
  z.strictObject({
    start: text('The first day that is ever read; or give days', dayRule).optional(),
    days: count('So many days up to today; or give start', 1, maxDays).optional(),
    size_days: count('Days that one request asks for', 1, maxDays).default(30),
    refresh_days: count(
      'Windows younger than this are read on every run, older ones ever more rarely',
      0,
      maxDays,
    ).default(35),
  }),
  ({ start, days }, report) => {
    if ((start === undefined) !== (days === undefined)) return;
    const which = start === undefined ? 'none' : 'both';
    report([], `must have either start or days, got ${which}`);
  },
);

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

const reportSchema = z.strictObject({
  report: text(
    'campaigns, emv, engagement, growth, labels, quality, removed, video, or a folder of yours under reports/ beside this file',
  ),
  period: periodSchema
    .describe('The days that the report covers, by date of publication: a name, or from and to')
    .default('all'),
  formats: z
    .array(z.enum(reportFormats))
    .min(1)
    .describe('One file or folder each')
    .default(['csv', 'xlsx', 'html']),
  out: text('The folder for it; {report} {job} {from} {to} {date} are filled in', outRule).default(
    './out/{report}-{to}',
  ),
  cpm: amount('Reprices every post at this CPM').optional(),
  compare: z
    .enum(compareModes)
    .describe('With the period before, the same days a year before, or nothing')
    .default('previous'),
});

const jobSchema = z.strictObject({
  schedule: text(
    'Five cron fields in timezone; without it the job is run by hand',
    cronRule,
  ).optional(),
  stale_after: text(
    'How old the newest data may be before status calls it stale, such as 30h or 2d; default: twice the time between two runs',
    durationRule,
  ).optional(),
  profiles: z
    .array(text('<workspace>/<profile name or id or *>', profilePatternRule))
    .min(1)
    .describe('Which profiles: <workspace>/<profile name or id or *>'),
  windows: windowsSchema.describe('Which days are read, and how often'),
  details: z
    .boolean()
    .describe('Whether GET /posts/{id} is read for linked posts, a request each')
    .default(true),
  reports: z.array(reportSchema).describe('What is rendered at the end of a run').default([]),
});

const webhooksKeys = z.strictObject({
  host: text('Where the receiver listens').default(defaultWebhooks.host),
  port: count('Its port', 0, 65_535).default(defaultWebhooks.port),
  token: secrets(
    'The token that senders give, from the environment or .env; of a list any one opens',
  ).optional(),
  token_header: text(
    'A header that carries the token, besides Authorization',
    tokenHeaderRule,
  ).optional(),
  signing_secret: secrets(
    'Of Standard Webhooks, of a list any one verifies; with a token too, both must hold',
  ).optional(),
  trust_proxy: z
    .boolean()
    .describe('Whether X-Forwarded-* are believed')
    .default(defaultWebhooks.trustProxy),
  metrics_port: count('Prometheus, on loopback', 0, 65_535).optional(),
});

/** What `webhooks serve` would refuse, or serve otherwise than meant. Values are not shown: a variable can hold them. */
const webhooksSchema = bound(webhooksKeys, (webhooks, report) => {
  const { host, port, token, signing_secret: signingSecret } = webhooks;
  const isProtected = token !== undefined || signingSecret !== undefined;
  if (!isProtected && typeof host === 'string' && !isLoopback(host)) {
    const message =
      'must be this machine alone, such as 127.0.0.1, while there is neither token nor signing_secret: everybody could send events';
    report(['host'], message);
  }
  if (typeof port === 'number' && port !== 0 && webhooks['metrics_port'] === port)
    report(['metrics_port'], `must not be that of events, ${port}`);
  if (webhooks['token_header'] !== undefined && token === undefined)
    report(['token_header'], 'carries nothing without a token');
});

const cpmBandSchema = bound(
  z.strictObject({ low: amount('Lowest CPM'), high: amount('Highest CPM') }),
  ({ low, high }, report) => {
    if (typeof low === 'number' && typeof high === 'number' && low > high)
      report([], `low must not be above high, got ${low} and ${high}`);
  },
);

/** jobs.yaml as it is written. `findConflicts` has the rules that bind its sections to one another. */
export const jobsSchema = z
  .strictObject({
    timezone: text('Days, weekdays and hours in reports: an IANA name', timeZoneRule).default(
      'UTC',
    ),
    currency: text('How EMV is printed: an ISO 4217 code', currencyRule).default('USD'),
    locale: text('Numbers and dates in reports: a language tag', localeRule).default('en-US'),
    brand: z
      .strictObject({
        name: text('Stands in every report').optional(),
        logo: text('An image file', pathRule).optional(),
        color: text('Such as "#0b5fa5"', colorRule).optional(),
        product_mark: z
          .boolean()
          .describe('Whether reports name the program that made them')
          .default(true),
      })
      .describe('Whose reports these are')
      .optional(),
    cpm_band: cpmBandSchema.describe('The band of CPMs that is shown beside every EMV').optional(),
    pdf: z
      .strictObject({
        browser: text(
          'The Chromium that prints reports as PDF; default: the first on PATH',
          pathRule,
        ).optional(),
      })
      .describe('How the format pdf is made')
      .optional(),
    data_dir: text('The raw store, locks, the rate budget', pathRule).default('./data'),
    warehouse: text('The DuckDB file; default: postledger.duckdb in data_dir', pathRule).optional(),
    workspaces: bound(keyed(workspaceSchema), (workspaces, report) => {
      if (Object.keys(workspaces).length === 0) report([], 'must have at least one workspace');
    }).describe('By a key of your choice: one for each API key'),
    jobs: keyed(jobSchema).describe('By a name of your choice').default({}),
    webhooks: webhooksSchema.describe('The receiver of events').optional(),
  })
  .meta({ title: 'postledger jobs.yaml' });

export type RawConfig = z.output<typeof jobsSchema>;
export type RawWorkspace = z.output<typeof workspaceSchema>;
export type RawJob = z.output<typeof jobSchema>;

/** The JSON Schema (draft 7, which editors know best) of jobs.yaml. */
export function jobsJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(jobsSchema, { io: 'input', target: 'draft-7' });
}

/** Its text, as in schema/jobs.schema.json. */
export function jobsJsonSchemaText(): string {
  return `${JSON.stringify(jobsJsonSchema(), null, 2)}\n`;
}
