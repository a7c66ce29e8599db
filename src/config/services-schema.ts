import { z } from 'zod';
import { isLoopback } from '../core/loopback.ts';
import {
  addressRule,
  baseAddressRule,
  bucketRule,
  bound,
  count,
  hostRule,
  pathRule,
  secret,
  secrets,
  senderRule,
  text,
  tokenHeaderRule,
  tokenUrlRule,
} from './value-kinds.ts';

export const notifySchema = bound(
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

/** The defaults of the section webhooks, as `Config` has them. */
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

/** The section is refused where `webhooks serve` would refuse it. Values are not shown, since a variable can hold them. */
export const webhooksSchema = bound(webhooksKeys, (webhooks, report) => {
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

/** A server beyond this machine gets encrypted mail; one that asks for a login gets a single kind of proof. */
export const mailSchema = bound(mailKeys, ({ host, tls, user, password, oauth2 }, report) => {
  if (tls === 'off' && typeof host === 'string' && !isLoopback(host))
    report(['tls'], 'must be required: the server is not this machine');
  const proofs = [password, oauth2].filter((proof) => proof !== undefined).length;
  if (user !== undefined && proofs !== 1) report(['user'], 'must have either password or oauth2');
  if (user === undefined && proofs > 0) report([], 'must have a user to log in');
});

export const s3KeysSchema = z.strictObject({
  access_key_id: secret('From the environment or .env: ${S3_KEY_ID}'),
  secret_access_key: secret('From the environment or .env: ${S3_SECRET}'),
});

const s3Schema = s3KeysSchema.extend({
  endpoint: text('The address of a service other than AWS', baseAddressRule).optional(),
  region: text('Its region').default('us-east-1'),
});

export const lakeSchema = z.strictObject({
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

export type RawS3 = z.output<typeof s3Schema>;
export type RawS3Keys = z.output<typeof s3KeysSchema>;
export type RawMail = z.output<typeof mailSchema>;
