import { dirname, resolve } from 'node:path';
import type { ConfigPath } from './config-error.ts';
import type { Frozen } from './frozen.ts';
import type { RawConfig } from './jobs-schema.ts';
import { secretAt, secretsAt, type Resolving } from './resolving.ts';
import type { Secret } from './secret.ts';
import type { RawMail, RawS3, RawS3Keys } from './services-schema.ts';

/** The absolute path of the published DuckDB file, or a lake. */
export type WarehouseConfig = string | LakeConfig;

export function resolveWarehouse(
  resolving: Resolving,
  raw: NonNullable<RawConfig['warehouse']>,
): WarehouseConfig {
  return typeof raw === 'string'
    ? resolve(dirname(resolving.file), raw)
    : resolveLake(resolving, raw);
}

/** A lake: tables in Parquet files, with a PostgreSQL database as their catalog. */
export interface LakeConfig extends Frozen<ReturnType<typeof resolveLake>> {}
export type LakeAccess = LakeConfig['writer'];

function resolveLake(
  resolving: Resolving,
  { lake, reader, extensions }: Exclude<RawConfig['warehouse'], string | undefined>,
) {
  const folder = dirname(resolving.file);
  const access = (key: 'lake' | 'reader', catalog: string) => ({
    /** An address such as `postgres://user:password@host:port/database`. */
    catalog: secretAt(resolving, catalog, ['warehouse', key, 'catalog']),
    /** The access to S3; null if the data is in a folder. */
    s3: lake.s3 ? resolveS3(resolving, lake.s3, key === 'reader' ? reader?.s3 : undefined) : null,
  });
  const data = lake.data.startsWith('s3://') ? lake.data : resolve(folder, lake.data);
  return {
    writer: access('lake', lake.catalog),
    /** The access for SQL of users; null to read with the writer's access, which `sql` refuses. */
    reader: reader ? access('reader', reader.catalog) : null,
    /** An absolute folder or `s3://…`, with a slash at the end. */
    data: data.replace(/\/*$/, '/'),
    /** The place to which complete run folders are uploaded, as `s3://bucket/prefix/`; null for none. */
    raw: lake.raw ?? null,
    shards: lake.shards,
    /** The folder of extensions; null for DuckDB's own, into which they are downloaded. */
    extensions: extensions === undefined ? null : resolve(folder, extensions),
  };
}

/** @param readerKeys the reader's keys; the default is the writer's */
function resolveS3(
  resolving: Resolving,
  { endpoint, region, ...keys }: RawS3,
  readerKeys?: RawS3Keys,
) {
  const path = ['warehouse', readerKeys ? 'reader' : 'lake', 's3'];
  return {
    ...resolveS3Keys(resolving, readerKeys ?? keys, path),
    /** The server's address; null for AWS. */
    endpoint: endpoint ?? null,
    region,
  };
}

export interface S3Credentials extends Frozen<ReturnType<typeof resolveS3Keys>> {}

export function resolveS3Keys(resolving: Resolving, keys: RawS3Keys, path: ConfigPath) {
  return {
    accessKeyId: secretAt(resolving, keys.access_key_id, [...path, 'access_key_id']),
    secretAccessKey: secretAt(resolving, keys.secret_access_key, [...path, 'secret_access_key']),
  };
}

export interface MailConfig extends Frozen<ReturnType<typeof resolveMail>> {}

export type MailLogin =
  | { readonly user: string; readonly password: Secret }
  | {
      readonly user: string;
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly clientSecret: Secret;
      readonly scope: string | null;
    };

export function resolveMail(resolving: Resolving, mail: RawMail) {
  const { host, name, port, from, tls, max_mb: maxMegabytes } = mail;
  return {
    host,
    /** The name by which this machine greets the server; null for its own or that of the sender's domain. */
    name: name ?? null,
    port,
    /** Always true, except for a server on this machine. */
    isEncrypted: tls === 'required',
    /** The login; null if the server needs none. */
    login: resolveLogin(resolving, mail),
    /** An address, or `Name <address>`. */
    from,
    /** The maximum size of an encoded message. */
    maxBytes: maxMegabytes * 1e6,
  };
}

function resolveLogin(resolving: Resolving, { user, password, oauth2 }: RawMail): MailLogin | null {
  const secretOf = (reference: string, ...path: string[]) =>
    secretAt(resolving, reference, ['mail', ...path]);
  if (user === undefined) return null;
  if (oauth2 !== undefined) {
    return {
      user,
      tokenUrl: oauth2.token_url,
      clientId: oauth2.client_id,
      clientSecret: secretOf(oauth2.client_secret, 'oauth2', 'client_secret'),
      scope: oauth2.scope ?? null,
    };
  }
  return password === undefined ? null : { user, password: secretOf(password, 'password') };
}

/** A rule for notifications: their conditions and their recipients. */
export interface NotifyRule extends Frozen<ReturnType<typeof resolveNotifyRule>> {}
export type NotifyCondition = NotifyRule['when'][number];

type RawNotifyRule = RawConfig['notify'][number];
type NotifyTarget =
  | { readonly post: Secret; readonly as: RawNotifyRule['as'] }
  | { readonly mail: readonly string[] };

export function resolveNotifyRule(
  resolving: Resolving,
  { when, post, as, mail = [] }: RawNotifyRule,
  index: number,
) {
  const to: NotifyTarget =
    post === undefined
      ? { mail }
      : { post: secretAt(resolving, post, ['notify', index, 'post']), as };
  return { when: [...new Set(when)], to };
}

export interface WebhooksConfig extends Frozen<ReturnType<typeof resolveWebhooks>> {}

export function resolveWebhooks(
  resolving: Resolving,
  webhooks: NonNullable<RawConfig['webhooks']>,
) {
  return {
    host: webhooks.host,
    port: webhooks.port,
    /** The accepted tokens; if the list is empty, no token is needed. */
    tokens: secretsAt(resolving, webhooks.token, ['webhooks', 'token']),
    tokenHeader: webhooks.token_header ?? null,
    /** The accepted secrets of Standard Webhooks. If there are tokens too, a request needs one of each. */
    signingSecrets: secretsAt(resolving, webhooks.signing_secret, ['webhooks', 'signing_secret']),
    trustProxy: webhooks.trust_proxy,
    metricsPort: webhooks.metrics_port ?? null,
  };
}
