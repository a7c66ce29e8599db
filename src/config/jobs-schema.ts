import { z } from 'zod';
import { isLoopback } from '../core/loopback.ts';
import { fieldOf, itemsOf } from '../core/json.ts';
import {
  addressRule,
  amount,
  baseAddressRule,
  baseUrlRule,
  bucketRule,
  bound,
  colorRule,
  count,
  cronRule,
  currencyRule,
  dayRule,
  durationRule,
  endpointRule,
  fileRule,
  hostRule,
  keyed,
  languageRule,
  localeRule,
  outRule,
  pathRule,
  profilePatternRule,
  secret,
  secrets,
  senderRule,
  subjectRule,
  text,
  timeZoneRule,
  tokenHeaderRule,
  tokenUrlRule,
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

/** Those of one file, which a mail can carry. */
const attachedFormats = ['pdf', 'xlsx', 'html'] as const;

export const compareModes = ['previous', 'year', 'none'] as const;

/** Tells one client's files from another's. */
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
    'campaigns, emv, engagement, growth, labels, quality, removed, video, or a folder of yours under reports/ beside this file',
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

/** Files of one client must not overwrite another's. */
const reportSchema = bound(reportKeys, ({ for: clients, out, formats, deliver }, report) => {
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

/** Where a report's files go: what stands there, or the default. */
export function outOf({
  for: clients,
  out,
}: Pick<z.output<typeof reportSchema>, 'for' | 'out'>): string {
  return out ?? (clients ? `./out/${clientPlaceholder}/{report}-{to}` : './out/{report}-{to}');
}

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

const notifySchema = bound(
  z.strictObject({
    when: z
      .array(z.enum(['failed', 'partial', 'warning', 'stale', 'alert', 'recovered']))
      .min(1)
      .describe('Which states send a notification')
      .default(['failed', 'partial', 'stale', 'alert', 'recovered']),
    post: secret('The address that a chat program takes messages at').optional(),
    as: z.enum(['slack', 'teams', 'json']).describe('What it is sent').default('slack'),
    mail: z
      .array(text('A mail address', addressRule))
      .min(1)
      .describe('Who is sent a mail')
      .optional(),
  }),
  ({ post, mail }, report) => {
    if ((post === undefined) === (mail === undefined)) report([], 'must have either post or mail');
  },
);

/** What holds where jobs.yaml says nothing, as `Config` has it. */
export const defaultWebhooks = {
  host: '127.0.0.1',
  port: 8787,
  tokens: [],
  tokenHeader: null,
  signingSecrets: [],
  trustProxy: false,
  metricsPort: null,
};

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

const mailKeys = z.strictObject({
  host: text('The SMTP server', hostRule),
  port: count('Its port; 465: TLS from the first byte', 1, 65_535).default(587),
  tls: z
    .enum(['required', 'off'])
    .describe('Whether mail is sent encrypted or not at all; off: on this machine alone')
    .default('required'),
  user: text('Logs in').optional(),
  password: secret('Of the user, from the environment or .env').optional(),
  oauth2: z
    .strictObject({
      token_url: text('Where tokens are asked for', tokenUrlRule),
      client_id: text('Of the application'),
      client_secret: secret('Of the application, from the environment or .env'),
      scope: text('What is asked for').optional(),
    })
    .describe('Logs in by a token instead of a password')
    .optional(),
  from: text('The sender: an address, or "Name <address>"', senderRule),
  max_mb: z
    .number()
    .positive()
    .max(150)
    .describe('How large a mail may be; attachments beyond that are left out')
    .default(15),
});

/** A server beyond this machine gets mail encrypted, and one that asks who we are gets one answer. */
const mailSchema = bound(mailKeys, ({ host, tls, user, password, oauth2 }, report) => {
  if (tls === 'off' && typeof host === 'string' && !isLoopback(host))
    report(['tls'], 'must be required: the server is not this machine');
  const proofs = [password, oauth2].filter((proof) => proof !== undefined).length;
  if (user !== undefined && proofs !== 1) report(['user'], 'must have either password or oauth2');
  if (user === undefined && proofs > 0) report([], 'must have a user to log in');
});

const cpmBandSchema = bound(
  z.strictObject({ low: amount('Lowest CPM'), high: amount('Highest CPM') }),
  ({ low, high }, report) => {
    if (typeof low === 'number' && typeof high === 'number' && low > high)
      report([], `low must not be above high, got ${low} and ${high}`);
  },
);

/** jobs.yaml as it is written. `findConflicts` has the rules that bind its sections to one another. */
const s3KeysSchema = z.strictObject({
  access_key_id: secret('From the environment or .env: ${S3_KEY_ID}'),
  secret_access_key: secret('From the environment or .env: ${S3_SECRET}'),
});

const s3Schema = s3KeysSchema.extend({
  endpoint: text('The address of a service other than AWS', baseAddressRule).optional(),
  region: text('Its region').default('us-east-1'),
});

const lakeSchema = z.strictObject({
  lake: bound(
    z.strictObject({
      catalog: secret(
        'The PostgreSQL database that is the catalog, from the environment or .env: ${CATALOG_URL}',
      ),
      data: text('Where the tables are: s3://bucket/prefix/, or a folder', pathRule),
      raw: text(
        'Where run folders go once they are whole, and events: s3://bucket/prefix/; else they stay on the machine that has them',
        bucketRule,
      ).optional(),
      shards: count(
        'Into how many parts workspaces are divided; fixed once it is made',
        1,
        100,
      ).default(16),
      s3: s3Schema.describe('How S3 is reached').optional(),
    }),
    ({ data, raw, s3 }, report) => {
      const isOnS3 = [data, raw].some(
        (place) => typeof place === 'string' && place.startsWith('s3://'),
      );
      if (isOnS3 && s3 === undefined) report([], 'must have s3, with the keys of the bucket');
    },
  ).describe('DuckLake: for several machines and object storage, see docs/lake.md'),
  reader: z
    .strictObject({
      catalog: secret('The same database by a role that may only SELECT: ${CATALOG_READ_URL}'),
      s3: s3KeysSchema.describe('Keys that may only read').optional(),
    })
    .describe('How it is read; sql and alerts need it')
    .optional(),
  extensions: text(
    "The folder of DuckDB's extensions, where they cannot be downloaded",
    pathRule,
  ).optional(),
});

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
export type RawDelivery = z.output<typeof deliverySchema>;
export type RawS3 = z.output<typeof s3Schema>;
export type RawS3Keys = z.output<typeof s3KeysSchema>;
export type RawMail = z.output<typeof mailSchema>;
export type RawClient = z.output<typeof clientSchema>;
export type RawJob = z.output<typeof jobSchema>;

function names(description: string) {
  return z.array(text('A name')).describe(description).default([]);
}

/** The JSON Schema (draft 7, which editors know best) of jobs.yaml. */
export function jobsJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(jobsSchema, { io: 'input', target: 'draft-7' });
}

/** Its text, as in src/config/schema/jobs.schema.json. */
export function jobsJsonSchemaText(): string {
  return `${JSON.stringify(jobsJsonSchema(), null, 2)}\n`;
}
