import { z } from 'zod';
import { isLoopback } from '../core/loopback.ts';
import type { Finding } from './config-error.ts';
import type { Frozen } from './frozen.ts';
import type { Secret } from './secret.ts';
import {
  addressRule,
  baseAddressRule,
  bucketRule,
  bound,
  count,
  hostRule,
  pathRule,
  publicUrlRule,
  secret,
  secrets,
  mailboxRule,
  text,
  tokenHeaderRule,
  tokenUrlRule,
} from './value-kinds.ts';

type NotifyTarget =
  | {
      readonly post: Secret;
      readonly as: 'slack' | 'teams' | 'json';
      /** For whom its links are; left out: it gets none. */
      readonly name?: string;
    }
  | { readonly mail: readonly string[] };

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
    name: text(
      'For whom the links of `review` in a chat are, and in whose name the chat sends or discards; without it the chat gets no links',
    ).optional(),
  }),
  ({ post, mail, name }, report) => {
    if ((post === undefined) === (mail === undefined)) report([], 'must have either post or mail');
    if (mail !== undefined && name !== undefined)
      report(['name'], 'has no effect with mail, whose links are for its addresses; remove it');
  },
).transform(({ when, post, as, mail = [], name }) => {
  const to: NotifyTarget =
    post === undefined ? { mail } : { post, as, ...(name !== undefined && { name }) };
  return { when: [...new Set(when)], to };
});

/** A rule for notifications: their conditions and their recipients. */
export interface NotifyRule extends Frozen<z.output<typeof notifySchema>> {}
export type NotifyCondition = NotifyRule['when'][number];

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

const minTokenLength = 16;

/** What makes a secret one that nobody can guess. @returns null: it is one, or it is unset */
function guessableSecret(given: Secret, what: string): string | null {
  const { length } = given.isSet ? given.reveal() : { length: Infinity };
  if (length >= minTokenLength) return null;
  return `the environment variable ${given.variable} holds a ${what} of ${length} characters, which can be guessed; set one of ${minTokenLength} or more, for example from: openssl rand -hex 32`;
}

/** Refuses a link that others could read on its way, or sign. */
export const reviewSchema = bound(
  z.strictObject({
    url: text(
      'The address under which people reach `postledger serve`, behind a proxy with TLS',
      publicUrlRule,
    ),
    secret: secret(
      'The secret that signs the links, from the environment or .env; a new one ends all links',
    ),
    to: z
      .array(text('A mail address', addressRule))
      .min(1)
      .describe('Who gets the links of held mails; rules of `notify` with `held` get them, too')
      .default([]),
    days: count(
      'How many days a link is valid, from the day on which the mail was held',
      1,
      365,
    ).default(14),
  }),
  ({ secret: signing }, report) => {
    const problem = guessableSecret(signing, 'secret');
    if (problem !== null) report(['secret'], problem);
  },
);

/** The pages of held mails. */
export interface ReviewConfig extends Frozen<z.output<typeof reviewSchema>> {}

/** Refuses settings that `webhooks serve` would refuse, without showing values, which may come from a variable. */
export const webhooksSchema = bound(
  z.strictObject({
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
  }),
  ({ port, token, token_header, metrics_port }, report) => {
    if (port !== 0 && metrics_port === port)
      report(['metrics_port'], `must differ from port, ${port}`);
    if (token_header !== undefined && token === undefined)
      report(['token_header'], 'has no effect without a token');
    for (const [index, one] of [token ?? []].flat().entries()) {
      const problem = guessableSecret(one, 'token');
      if (problem !== null) report(Array.isArray(token) ? ['token', index] : ['token'], problem);
    }
  },
).transform(({ host, port, token, token_header, signing_secret, trust_proxy, metrics_port }) => ({
  host,
  port,
  /** The accepted tokens; if the list is empty, no token is needed. */
  tokens: [token ?? []].flat(),
  tokenHeader: token_header ?? null,
  /** The accepted secrets of Standard Webhooks. If there are tokens too, a request needs one of each. */
  signingSecrets: [signing_secret ?? []].flat(),
  trustProxy: trust_proxy,
  metricsPort: metrics_port ?? null,
}));

/** Anyone could send events without a secret; with `review` the receiver does not exist then. */
export function openReceiverFindings({
  webhooks,
  review,
}: {
  readonly webhooks?: WebhooksConfig | undefined;
  readonly review?: ReviewConfig | undefined;
}): Finding[] {
  if (webhooks === undefined || review !== undefined) return [];
  const { host, tokens, signingSecrets } = webhooks;
  if (tokens.length + signingSecrets.length > 0 || isLoopback(host)) return [];
  const message =
    'must be a loopback address such as 127.0.0.1 without token or signing_secret, since anyone could send events';
  return [{ path: ['webhooks', 'host'], message }];
}

export interface WebhooksConfig extends Frozen<z.output<typeof webhooksSchema>> {}

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

export type MailLogin =
  | { readonly user: string; readonly password: Secret }
  | {
      readonly user: string;
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly clientSecret: Secret;
      readonly scope: string | null;
    };

/** Requires encryption for a server beyond this machine, and exactly one way to log in. */
export const mailSchema = bound(mailKeys, ({ host, tls, user, password, oauth2 }, report) => {
  if (tls === 'off' && !isLoopback(host))
    report(['tls'], 'must be required, since the server is not this machine');
  const proofs = [password, oauth2].filter((proof) => proof !== undefined).length;
  if (user !== undefined && proofs !== 1) report(['user'], 'must have either password or oauth2');
  if (user === undefined && proofs > 0) report([], 'must have a user to log in');
}).transform((mail) => ({
  host: mail.host,
  /** The name by which this machine greets the server; null for its own or that of the sender's domain. */
  name: mail.name ?? null,
  port: mail.port,
  /** Always true, except for a server on this machine. */
  isEncrypted: mail.tls === 'required',
  /** The login; null if the server needs none. */
  login: loginOf(mail),
  /** An address, or `Name <address>`. */
  from: mail.from,
  /** The maximum size of an encoded message. */
  maxBytes: mail.max_mb * 1e6,
}));

export interface MailConfig extends Frozen<z.output<typeof mailSchema>> {}

function loginOf({ user, password, oauth2 }: z.output<typeof mailKeys>): MailLogin | null {
  if (user === undefined) return null;
  if (password !== undefined) return { user, password };
  return oauth2 === undefined
    ? null
    : {
        user,
        tokenUrl: oauth2.token_url,
        clientId: oauth2.client_id,
        clientSecret: oauth2.client_secret,
        scope: oauth2.scope ?? null,
      };
}

const s3Keys = z.strictObject({
  access_key_id: secret('The id of the key, from the environment or .env: ${S3_KEY_ID}'),
  secret_access_key: secret('The secret key, from the environment or .env: ${S3_SECRET}'),
});

export const s3KeysSchema = s3Keys.transform(credentialsOf);

export interface S3Credentials extends Frozen<z.output<typeof s3KeysSchema>> {}

function credentialsOf({ access_key_id, secret_access_key }: z.output<typeof s3Keys>) {
  return { accessKeyId: access_key_id, secretAccessKey: secret_access_key };
}

const s3Schema = s3Keys
  .extend({
    endpoint: text('The address of a service other than AWS', baseAddressRule).optional(),
    region: text('The region of the bucket').default('us-east-1'),
  })
  .transform(({ endpoint, region, ...keys }) => ({
    ...credentialsOf(keys),
    /** The server's address; null for AWS. */
    endpoint: endpoint ?? null,
    region,
  }));

const isOnS3 = (folder: string | undefined) => folder?.startsWith('s3://') === true;

/** Its folders are as they are written; see `absoluteLake`. */
export const lakeSchema = z
  .strictObject({
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
        if ([data, raw].some(isOnS3) && s3 === undefined)
          report([], 'must have s3, with the keys of the bucket');
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
  })
  .transform(({ lake, reader, extensions }) => {
    const access = (catalog: Secret, keys: S3Credentials | undefined) => ({
      /** An address such as `postgres://user:password@host:port/database`. */
      catalog,
      /** The access to S3; null if the data is in a folder. */
      s3: lake.s3 ? { ...lake.s3, ...keys } : null,
    });
    return {
      writer: access(lake.catalog, undefined),
      /** The access for SQL of users; null to read with the writer's access, which `sql` refuses. */
      reader: reader ? access(reader.catalog, reader.s3) : null,
      /** An absolute folder or `s3://…`, with a slash at the end. */
      data: lake.data,
      /** The place to which complete run folders are uploaded, as `s3://bucket/prefix/`; null for none. */
      raw: lake.raw ?? null,
      shards: lake.shards,
      /** The folder of extensions; null for DuckDB's own, into which they are downloaded. */
      extensions: extensions ?? null,
    };
  });

/** A lake: tables in Parquet files, with a PostgreSQL database as their catalog. */
export interface LakeConfig extends Frozen<z.output<typeof lakeSchema>> {}
export type LakeAccess = LakeConfig['writer'];

/** The absolute path of the published DuckDB file, or a lake. */
export type WarehouseConfig = string | LakeConfig;

/** Returns the lake with absolute folders. */
export function absoluteLake(lake: LakeConfig, absolute: (path: string) => string): LakeConfig {
  const { data, extensions } = lake;
  return {
    ...lake,
    data: (isOnS3(data) ? data : absolute(data)).replace(/\/*$/, '/'),
    extensions: extensions === null ? null : absolute(extensions),
  };
}
