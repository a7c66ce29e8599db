import { z } from 'zod';
import { reportSchema } from './reports-schema.ts';
import {
  lakeSchema,
  mailSchema,
  notifySchema,
  s3KeysSchema,
  webhooksSchema,
} from './services-schema.ts';
import {
  addressRule,
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
  pathRule,
  profilePatternRule,
  secret,
  text,
  timeZoneRule,
  uuidRule,
} from './value-kinds.ts';

/** A century. Longer spans are mistakes. */
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
    size_days: count(
      'The length in days of the date range that one request reads',
      1,
      maxDays,
    ).default(30),
    refresh_days: count(
      'Date ranges that ended fewer days ago are read on every run, older ones less and less often',
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
  ping: secret(
    'An address that is asked with /start when a run starts, and with /<exit code> when it ends',
  ).optional(),
  reports: z.array(reportSchema).describe('What is rendered at the end of a run').default([]),
});

const brandKeys = {
  logo: text('An image file', pathRule).optional(),
  color: text('Such as "#0b5fa5"', colorRule).optional(),
};
const productMark = z.boolean().describe('Whether reports name the program that made them');

const clientSchema = z.strictObject({
  name: text('Stands in its reports'),
  prepared_by: text('Who prepares its reports, as they say').optional(),
  profiles: z
    .array(text('<workspace>/<profile name or id or *>', profilePatternRule))
    .min(1)
    .describe('All that its reports show: <workspace>/<profile name or id or *>'),
  brand: z
    .strictObject({ ...brandKeys, product_mark: productMark.optional() })
    .describe('How its reports look; without a color or product_mark as everywhere')
    .prefault({}),
  to: z.array(text('A mail address', addressRule)).describe('Who gets its mail').default([]),
  timezone: text('As at the top, for its reports', timeZoneRule).optional(),
  locale: text('As at the top, for its reports', localeRule).optional(),
  language: text('As at the top, for its reports', languageRule).optional(),
  currency: text('As at the top, for its reports', currencyRule).optional(),
});

const cpmBandSchema = bound(
  z.strictObject({ low: amount('Lowest CPM'), high: amount('Highest CPM') }),
  ({ low, high }, report) => {
    if (typeof low === 'number' && typeof high === 'number' && low > high)
      report([], `low must not be above high, got ${low} and ${high}`);
  },
);

/** The schema of jobs.yaml as it is written. `findConflicts` has the rules that bind its sections to one another. */
export const jobsSchema = z
  .strictObject({
    timezone: text('Days, weekdays and hours in reports: an IANA name', timeZoneRule).default(
      'UTC',
    ),
    currency: text('How EMV is printed: an ISO 4217 code', currencyRule).default('USD'),
    locale: text('Numbers and dates in reports: a language tag', localeRule).default('en-US'),
    language: text('The words in reports, such as de', languageRule).default('en'),
    brand: z
      .strictObject({
        name: text('Stands in every report').optional(),
        ...brandKeys,
        product_mark: productMark.default(true),
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
    warehouse: z
      .union([text('The DuckDB file', pathRule), lakeSchema])
      .describe('The DuckDB file, default: postledger.duckdb in data_dir; or a lake')
      .optional(),
    workspaces: bound(keyed(workspaceSchema), (workspaces, report) => {
      if (Object.keys(workspaces).length === 0) report([], 'must have at least one workspace');
    }).describe('By a key of your choice: one for each API key'),
    clients: keyed(clientSchema)
      .describe('Whom reports are for, by a key of your choice')
      .default({}),
    jobs: keyed(jobSchema).describe('By a name of your choice').default({}),
    mail: mailSchema.describe('How reports are sent').optional(),
    s3: s3KeysSchema
      .describe('The keys of object storage; default: as the AWS SDK finds them')
      .optional(),
    outbox_days: count('How many days the files of what was sent are kept', 1, maxDays).default(30),
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

/** The JSON Schema (draft 7, which editors know best) of jobs.yaml. */
export function jobsJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(jobsSchema, { io: 'input', target: 'draft-7' });
}

/** The text of src/config/schema/jobs.schema.json. */
export function jobsJsonSchemaText(): string {
  return `${JSON.stringify(jobsJsonSchema(), null, 2)}\n`;
}
