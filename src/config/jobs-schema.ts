import { z } from 'zod';
import { brandSchema, clientsSchema } from './clients-schema.ts';
import type { ConfigPath } from './config-error.ts';
import { jobsByNameSchema, maxDays } from './job-schema.ts';
import {
  lakeSchema,
  mailSchema,
  notifySchema,
  reviewSchema,
  s3KeysSchema,
  webhooksSchema,
} from './services-schema.ts';
import {
  amount,
  bound,
  count,
  currencyRule,
  languageRule,
  localeRule,
  pathRule,
  text,
  timeZone,
} from './value-kinds.ts';
import { pricesSchema } from './prices-schema.ts';
import { workspacesSchema } from './workspaces-schema.ts';

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

const cpmBandSchema = bound(
  z.strictObject({ low: amount('The lowest CPM'), high: amount('The highest CPM') }),
  ({ low, high }, report) => {
    if (low > high) report([], `low must not be above high, got ${low} and ${high}`);
  },
);

const wholeSchema = z
  .strictObject({
    timezone: timeZone(
      'The time zone of days, weekdays and hours in reports: an IANA name',
    ).prefault('UTC'),
    currency: text('The currency of EMV: an ISO 4217 code', currencyRule).default('USD'),
    locale: text('The form of numbers and dates in reports: a language tag', localeRule).default(
      'en-US',
    ),
    language: text('The language of reports, such as de', languageRule).default('en'),
    brand: brandSchema.describe('The sender of reports').optional(),
    prices: pricesSchema
      .describe('Price lists, by a name of your choice: what EMV is made of')
      .prefault({}),
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
    workspaces: workspacesSchema.describe(
      'Workspaces by a key of your choice, one for each API key',
    ),
    clients: clientsSchema.describe('Recipients of reports, by a key of your choice').prefault({}),
    jobs: jobsByNameSchema.describe('Jobs by a name of your choice').prefault({}),
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
      .prefault([]),
    webhooks: webhooksSchema.describe('The receiver of events').optional(),
    review: reviewSchema
      .describe('Pages on which people look at held mails, comment on them and send them')
      .optional(),
  })
  .meta({ title: 'postledger jobs.yaml' });

/** The schema of jobs.yaml. What it gives has no absolute paths yet, and patterns of profiles instead of profiles. */
export const jobsSchema = bound(wholeSchema, ({ outbox_days: days, retention }, report) => {
  if (days !== undefined && retention.outbox_days !== undefined)
    report(['outbox_days'], 'is in retention as well; leave one of the two out');
});

export type ParsedConfig = z.output<typeof jobsSchema>;

/** Returns the JSON Schema of jobs.yaml, in draft 7, which editors support best. */
export function jobsJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(wholeSchema, { io: 'input', target: 'draft-7' });
}

/** Returns the text of the JSON Schema, which `init` writes and the build puts into dist/. */
export function jobsJsonSchemaText(): string {
  return `${JSON.stringify(jobsJsonSchema(), null, 2)}\n`;
}

/** Returns the schemas of the value at a path, with those inside them; none for a path that jobs.yaml does not have. */
export function schemasAt(path: ConfigPath): readonly z.core.$ZodTypes[] {
  return path.reduce<readonly z.core.$ZodTypes[]>(
    (schemas, segment) =>
      schemas.flatMap((schema) => {
        const child = childOf(schema, segment);
        return child === undefined ? [] : withInner(child);
      }),
    withInner(wholeSchema),
  );
}

function childOf(
  { _zod: { def } }: z.core.$ZodTypes,
  segment: string | number,
): z.core.$ZodType | undefined {
  if (def.type === 'array') return typeof segment === 'number' ? def.element : undefined;
  if (def.type === 'record') return def.valueType;
  return def.type === 'object' && Object.hasOwn(def.shape, segment)
    ? def.shape[segment]
    : undefined;
}

/** A schema, and those that an optional one, a default, a transform or a union holds. */
function withInner(schema: z.core.$ZodType): z.core.$ZodTypes[] {
  const known = schema as z.core.$ZodTypes;
  const { def } = known._zod;
  const inner = def.type === 'union' ? def.options : def.type === 'pipe' ? [def.in] : [];
  const wrapped = 'innerType' in def ? [def.innerType] : inner;
  return [known, ...wrapped.flatMap(withInner)];
}

/** True if the value at this path is a secret or a list of secrets, which no message may show. */
export function isSecretPath(path: ConfigPath): boolean {
  return schemasAt(path).some((schema) => z.globalRegistry.get(schema)?.['writeOnly'] === true);
}
