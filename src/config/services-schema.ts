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
  mailboxRule,
  text,
  tokenHeaderRule,
  tokenUrlRule,
} from './value-kinds.ts';

export const notifySchema = bound(
  z.strictObject({
    when: z
      .array(z.enum(['failed', 'partial', 'warning', 'stale', 'alert', 'recovered', 'held']))
      .min(1)
      .describe('The states that send a notification')
      .default(['failed', 'partial', 'stale', 'alert', 'recovered', 'held']),
    post: secret('The address to which messages for a chat program are posted').optional(),
    as: z
      .enum(['slack', 'teams', 'json'])
      .describe('The format of posted messages')
      .default('slack'),
    mail: z
      .array(text('A mail address', addressRule))
      .min(1)
      .describe('The recipients of a mail')
      .optional(),
  }),
  ({ post, mail }, report) => {
    if ((post === undefined) === (mail === undefined)) report([], 'must have either post or mail');
  },
);

/** The webhook settings of a config without `webhooks`. */
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
  host: text('The host on which the receiver listens').default(defaultWebhooks.host),
  port: count('The port on which the receiver listens', 0, 65_535).default(defaultWebhooks.port),
  token: secrets(
    'The token that senders give, from the environment or .env; with a list, any of them is accepted',
  ).optional(),
  token_header: text(
    'A header that carries the token, besides Authorization',
    tokenHeaderRule,
  ).optional(),
  signing_secret: secrets(
    'The secret of Standard Webhooks; with a list, any of them is accepted. If there is a token too, both are required',
  ).optional(),
  trust_proxy: z
    .boolean()
    .describe('True to take the sender’s address from X-Forwarded-For')
    .default(defaultWebhooks.trustProxy),
  metrics_port: count('The port of metrics for Prometheus, on loopback', 0, 65_535).optional(),
});

/** Refuses settings that `webhooks serve` would refuse, without showing values, which may come from a variable. */
export const webhooksSchema = bound(webhooksKeys, (webhooks, report) => {
  const { host, port, token, signing_secret: signingSecret } = webhooks;
  const isProtected = token !== undefined || signingSecret !== undefined;
  if (!isProtected && typeof host === 'string' && !isLoopback(host)) {
    const message =
      'must be a loopback address such as 127.0.0.1 without token or signing_secret, since anyone could send events';
    report(['host'], message);
  }
  if (typeof port === 'number' && port !== 0 && webhooks['metrics_port'] === port)
    report(['metrics_port'], `must differ from port, ${port}`);
  if (webhooks['token_header'] !== undefined && token === undefined)
    report(['token_header'], 'has no effect without a token');
});

const mailKeys = z.strictObject({
  host: text('The SMTP server', hostRule),
  name: text(
    'The name by which this machine greets the server; default: its own if it has a dot, else the domain of `from`',
    hostRule,
  ).optional(),
  port: count('The port of the server; with 465, TLS from the first byte', 1, 65_535).default(587),
  tls: z
    .enum(['required', 'off'])
    .describe('The encryption of mail; off is allowed only for a server on this machine')
    .default('required'),
  user: text('The user that logs in').optional(),
  password: secret('The password of the user, from the environment or .env').optional(),
  oauth2: z
    .strictObject({
      token_url: text('The address that issues tokens', tokenUrlRule),
      client_id: text('The id of the application'),
      client_secret: secret('The secret of the application, from the environment or .env'),
      scope: text('The scope of the token').optional(),
    })
    .describe('Logs in with a token instead of a password')
    .optional(),
  from: text('The sender: an address, or "Name <address>"', mailboxRule),
  max_mb: z
    .number()
    .positive()
    .max(150)
    .describe('The maximum size of a mail; attachments beyond that are left out')
    .default(15),
});

/** Requires encryption for a server beyond this machine, and exactly one way to log in. */
export const mailSchema = bound(mailKeys, ({ host, tls, user, password, oauth2 }, report) => {
  if (tls === 'off' && typeof host === 'string' && !isLoopback(host))
    report(['tls'], 'must be required, since the server is not this machine');
  const proofs = [password, oauth2].filter((proof) => proof !== undefined).length;
  if (user !== undefined && proofs !== 1) report(['user'], 'must have either password or oauth2');
  if (user === undefined && proofs > 0) report([], 'must have a user to log in');
});

export const s3KeysSchema = z.strictObject({
  access_key_id: secret('The id of the key, from the environment or .env: ${S3_KEY_ID}'),
  secret_access_key: secret('The secret key, from the environment or .env: ${S3_SECRET}'),
});

const s3Schema = s3KeysSchema.extend({
  endpoint: text('The address of a service other than AWS', baseAddressRule).optional(),
  region: text('The region of the bucket').default('us-east-1'),
});

export const lakeSchema = z.strictObject({
  lake: bound(
    z.strictObject({
      catalog: secret(
        'The PostgreSQL database that is the catalog, from the environment or .env: ${CATALOG_URL}',
      ),
      data: text('The place of the tables: s3://bucket/prefix/, or a folder', pathRule),
      raw: text(
        'The place to which events and complete run folders are uploaded: s3://bucket/prefix/; default: they stay on their machine',
        bucketRule,
      ).optional(),
      shards: count(
        'The number of shards of workspaces; it cannot be changed once the lake exists',
        1,
        100,
      ).default(4),
      s3: s3Schema.describe('The access to S3').optional(),
    }),
    ({ data, raw, s3 }, report) => {
      const isOnS3 = [data, raw].some(
        (place) => typeof place === 'string' && place.startsWith('s3://'),
      );
      if (isOnS3 && s3 === undefined) report([], 'must have s3, with the keys of the bucket');
    },
  ).describe('DuckLake, for several machines and object storage; see docs/lake.md'),
  reader: z
    .strictObject({
      catalog: secret('The same database with a role that may only SELECT: ${CATALOG_READ_URL}'),
      s3: s3KeysSchema.describe('Keys that may only read').optional(),
    })
    .describe('The read-only access, which sql and alerts need')
    .optional(),
  extensions: text(
    "The folder of DuckDB's extensions, if they cannot be downloaded",
    pathRule,
  ).optional(),
});

export type RawS3 = z.output<typeof s3Schema>;
export type RawS3Keys = z.output<typeof s3KeysSchema>;
export type RawMail = z.output<typeof mailSchema>;
