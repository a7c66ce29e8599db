import { z } from 'zod';
import { commentSchema, deliverySchema, notesSchema, reportSchema } from './reports-schema.ts';
import {
  lakeSchema,
  mailSchema,
  notifySchema,
  s3KeysSchema,
  webhooksSchema,
} from './services-schema.ts';
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
  languageRule,
  localeRule,
  mailboxRule,
  pathRule,
  profilePatternRule,
  secret,
  text,
  timeZoneRule,
  uuidRule,
} from './value-kinds.ts';

/** What is read of a post that a LinkedIn post is linked to, each by a request of its own. */
const detailKinds = ['post', 'approvals', 'comments'] as const;

/** A century, which is more than any job reads. */
const maxDays = 36_525;

const outboxDays = count(
  'The number of days for which files of sent deliveries are kept; default: 30',
  1,
  maxDays,
);

const retentionSchema = z
  .strictObject({
    outbox_days: outboxDays.optional(),
    out_days: count(
      'The number of days for which files of reports are kept after they were last written; default: for good',
      1,
      maxDays,
    ).optional(),
  })
  .describe('What `postledger maintain` removes after its time');

const profileSchema = z.strictObject({
  id: text("The profile's UUID in the workspace", uuidRule),
  name: text('The name of the profile in reports and profile patterns'),
  cpm: amount(
    'Currency units per 1,000 impressions, for the EMV of posts that get none from the API',
  ).optional(),
  until: text(
    'The last day that counts, for a profile that has ended: nothing is missing after it',
    dayRule,
  ).optional(),
});

const rateLimitSchema = z.strictObject({
  requests: count(
    'The maximum number of requests in any interval of per_seconds',
    1,
    100_000,
  ).default(100),
  per_seconds: z
    .number()
    .positive()
    .max(86_400)
    .describe('The length of the interval in seconds')
    .default(60),
});

const workspaceSchema = z.strictObject({
  base_url: text('The address of the API, which ends in /api/v1', baseUrlRule),
  api_key: secret("The workspace's API key, from the environment or .env: ${ACME_API_KEY}"),
  rate_limit: rateLimitSchema
    .describe("The service's rate limit, shared by all processes of this machine")
    .prefault({}),
  concurrency: count('The maximum number of requests in flight', 1, 256).default(4),
  timeout_seconds: z
    .number()
    .positive()
    .max(86_400)
    .describe('The timeout of one attempt, without its time in the queue')
    .default(30),
  slug: z
    .union([text('The slug'), z.array(text('A slug')).min(1)])
    .describe(
      "The workspace's slug in webhook events, or a list of those that it has had; default: the key",
    )
    .optional(),
  linked_post_field: text('The name of the linked post in an analytics record').default(
    'servicePost',
  ),
  profiles: z.array(profileSchema).describe('The LinkedIn profiles to read').default([]),
});

const windowsSchema = bound(
  z.strictObject({
    start: text('The first day that is ever read; an alternative to days', dayRule).optional(),
    days: count('The number of days up to today; an alternative to start', 1, maxDays).optional(),
    size_days: count(
      'The length in days of the date range that one request reads',
      1,
      maxDays,
    ).default(30),
    refresh_days: count(
      'The age in days up to which a date range is read on every run; older ones are read less and less often',
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

const targetsSchema = z
  .strictObject({
    emv: amount('The EMV of a month').optional(),
    engagement_rate: z
      .number()
      .min(0)
      .max(1)
      .describe('The engagement rate, such as 0.03')
      .optional(),
    posts: amount('The number of posts of a month').optional(),
    impressions: amount('The impressions of a month').optional(),
  })
  .describe('The monthly targets that reports over all posts are measured against')
  .default({});

const jobSchema = z.strictObject({
  schedule: text(
    'Five cron fields in timezone; a job without a schedule is run by hand',
    cronRule,
  ).optional(),
  stale_after: text(
    'The age at which the newest data becomes stale, such as 30h or 2d; default: twice the time between two runs',
    durationRule,
  ).optional(),
  profiles: z
    .array(text('<workspace>/<profile name or id or *>', profilePatternRule))
    .min(1)
    .describe('The profiles to read: <workspace>/<profile name or id or *>'),
  windows: windowsSchema.describe('The days that are read, and how often'),
  details: z
    .union([z.boolean(), z.array(z.enum(detailKinds)).min(1)])
    .describe(
      'True or [post] to read GET /posts/{id} for linked posts; [post, approvals, comments] to read their approvals and inline comments too. Each takes a request per post',
    )
    .default(false),
  targets: targetsSchema,
  comment: commentSchema.optional(),
  notes: notesSchema,
  ping: secret(
    'An address that is requested with /start when a run starts, and with /<exit code> when it ends',
  ).optional(),
  reports: z.array(reportSchema).describe('The reports to render after a run').default([]),
  deliver: z
    .array(deliverySchema)
    .describe(
      'The recipients of all reports of the job together, with the keys of `reports[].deliver`; each client gets its own delivery',
    )
    .default([]),
});

const brandKeys = {
  logo: text('An image file', pathRule).optional(),
  color: text('The brand colour, such as "#0b5fa5"', colorRule).optional(),
};
const productMark = z
  .boolean()
  .describe(
    'True if reports name the program that made them; default: true, but false in reports for clients',
  )
  .optional();

const clientSchema = z.strictObject({
  name: text('The name of the client in its reports'),
  prepared_by: text('The name in its reports of who prepares them').optional(),
  profiles: z
    .array(text('<workspace>/<profile name or id or *>', profilePatternRule))
    .min(1)
    .describe('The only profiles in its reports: <workspace>/<profile name or id or *>'),
  brand: z
    .strictObject({ ...brandKeys, product_mark: productMark })
    .describe('The look of its reports; color and product_mark default to those at the top level')
    .prefault({}),
  targets: targetsSchema,
  notes: notesSchema,
  to: z
    .array(text('A mail address, or "Name <address>"', mailboxRule))
    .describe('The recipients of its mail')
    .default([]),
  timezone: text(
    'The timezone of its reports; default: that at the top level',
    timeZoneRule,
  ).optional(),
  locale: text('The locale of its reports; default: that at the top level', localeRule).optional(),
  language: text(
    'The language of its reports; default: that at the top level',
    languageRule,
  ).optional(),
  currency: text(
    'The currency of its reports; default: that at the top level',
    currencyRule,
  ).optional(),
});

const cpmBandSchema = bound(
  z.strictObject({ low: amount('The lowest CPM'), high: amount('The highest CPM') }),
  ({ low, high }, report) => {
    if (typeof low === 'number' && typeof high === 'number' && low > high)
      report([], `low must not be above high, got ${low} and ${high}`);
  },
);

/** The schema of jobs.yaml. `findConflicts` has the rules between its parts. */
export const jobsSchema = z
  .strictObject({
    timezone: text(
      'The time zone of days, weekdays and hours in reports: an IANA name',
      timeZoneRule,
    ).default('UTC'),
    currency: text('The currency of EMV: an ISO 4217 code', currencyRule).default('USD'),
    locale: text('The form of numbers and dates in reports: a language tag', localeRule).default(
      'en-US',
    ),
    language: text('The language of reports, such as de', languageRule).default('en'),
    brand: z
      .strictObject({
        name: text('The name in every report').optional(),
        ...brandKeys,
        product_mark: productMark,
      })
      .describe('The sender of reports')
      .optional(),
    cpm_band: cpmBandSchema.describe('The range of CPMs that is shown with every EMV').optional(),
    pdf: z
      .strictObject({
        browser: text(
          'The Chromium that prints reports as PDF; default: the first on PATH',
          pathRule,
        ).optional(),
      })
      .describe('The settings of the format pdf')
      .optional(),
    data_dir: text('The folder of the raw store, the locks and the rate budget', pathRule).default(
      './data',
    ),
    warehouse: z
      .union([text('The DuckDB file', pathRule), lakeSchema])
      .describe('The DuckDB file, or a lake; default: postledger.duckdb in data_dir')
      .optional(),
    workspaces: bound(keyed(workspaceSchema), (workspaces, report) => {
      if (Object.keys(workspaces).length === 0) report([], 'must have at least one workspace');
    }).describe('Workspaces by a key of your choice, one for each API key'),
    clients: keyed(clientSchema)
      .describe('Recipients of reports, by a key of your choice')
      .default({}),
    jobs: keyed(jobSchema).describe('Jobs by a name of your choice').default({}),
    mail: mailSchema.describe('The server that sends mail').optional(),
    s3: s3KeysSchema
      .describe('The keys of object storage; default: those that the AWS SDK finds')
      .optional(),
    outbox_days: outboxDays.optional(),
    retention: retentionSchema.default({}),
    metrics_file: text(
      'A file for Prometheus’ textfile collector, such as /var/lib/node_exporter/postledger.prom',
      pathRule,
    ).optional(),
    notify: z
      .array(notifySchema)
      .describe('Notifications about jobs that fail or recover')
      .default([]),
    webhooks: webhooksSchema.describe('The receiver of events').optional(),
  })
  .meta({ title: 'postledger jobs.yaml' });

export type RawConfig = z.output<typeof jobsSchema>;
export type RawWorkspace = z.output<typeof workspaceSchema>;
export type RawClient = z.output<typeof clientSchema>;
export type RawJob = z.output<typeof jobSchema>;

/** Returns the JSON Schema of jobs.yaml, in draft 7, which editors support best. */
export function jobsJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(jobsSchema, { io: 'input', target: 'draft-7' });
}

/** Returns the text of the JSON Schema, which `init` writes and the build puts into dist/. */
export function jobsJsonSchemaText(): string {
  return `${JSON.stringify(jobsJsonSchema(), null, 2)}\n`;
}
