import { dirname, resolve } from 'node:path';
import type { ConfigPath } from './config-error.ts';
import type { Frozen } from './frozen.ts';
import type { RawConfig } from './jobs-schema.ts';
import { secretAt, secretsAt, type Resolving } from './resolving.ts';
import type { Secret } from './secret.ts';
import type { RawMail, RawS3, RawS3Keys } from './services-schema.ts';

/** Absolute path of the published DuckDB file, or a lake. */
export type WarehouseConfig = string | LakeConfig;

export function resolveWarehouse(
  resolving: Resolving,
  raw: NonNullable<RawConfig['warehouse']>,
): WarehouseConfig {
  return typeof raw === 'string'
    ? resolve(dirname(resolving.file), raw)
    : resolveLake(resolving, raw);
}

/** Tables in Parquet files, of which a PostgreSQL database is the catalog. */
export interface LakeConfig extends Frozen<ReturnType<typeof resolveLake>> {}
export type LakeAccess = LakeConfig['writer'];

function resolveLake(
  resolving: Resolving,
  { lake, reader, extensions }: Exclude<RawConfig['warehouse'], string | undefined>,
) {
  const folder = dirname(resolving.file);
  const access = (key: 'lake' | 'reader', catalog: string) => ({
    /** `postgres://user:password@host:port/database`. */
    catalog: secretAt(resolving, catalog, ['warehouse', key, 'catalog']),
    /** Null for data in a folder. */
    s3: lake.s3 ? resolveS3(resolving, lake.s3, key === 'reader' ? reader?.s3 : undefined) : null,
  });
  const data = lake.data.startsWith('s3://') ? lake.data : resolve(folder, lake.data);
  return {
    writer: access('lake', lake.catalog),
    /** How others' SQL reads; null: by the writer's access, and `sql` is refused. */
    reader: reader ? access('reader', reader.catalog) : null,
    /** An absolute folder, or `s3://…`; ends in a slash. */
    data: data.replace(/\/*$/, '/'),
    /** `s3://bucket/prefix/`, where run folders go once they are whole; null: nowhere. */
    raw: lake.raw ?? null,
    shards: lake.shards,
    /** Null: DuckDB's own folder, into which they are downloaded. */
    extensions: extensions === undefined ? null : resolve(folder, extensions),
  };
}

/** @param readerKeys those of the reader; else it has the writer's */
function resolveS3(
  resolving: Resolving,
  { endpoint, region, ...keys }: RawS3,
  readerKeys?: RawS3Keys,
) {
  const path = ['warehouse', readerKeys ? 'reader' : 'lake', 's3'];
  return {
    ...resolveS3Keys(resolving, readerKeys ?? keys, path),
    /** Null: AWS. */
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
  const { host, port, from, tls, max_mb: maxMegabytes } = mail;
  return {
    host,
    port,
    /** False only for a server on this machine. */
    isEncrypted: tls === 'required',
    /** Null: nobody logs in. */
    login: resolveLogin(resolving, mail),
    /** An address, or `Name <address>`. */
    from,
    /** Of a message as it is sent. */
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

/** Who is told about jobs, and when. */
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
    /** Any of them opens; none where the list is empty. */
    tokens: secretsAt(resolving, webhooks.token, ['webhooks', 'token']),
    tokenHeader: webhooks.token_header ?? null,
    /** Of Standard Webhooks: any of them verifies. With tokens too, one of each must hold. */
    signingSecrets: secretsAt(resolving, webhooks.signing_secret, ['webhooks', 'signing_secret']),
    trustProxy: webhooks.trust_proxy,
    metricsPort: webhooks.metrics_port ?? null,
  };
}
