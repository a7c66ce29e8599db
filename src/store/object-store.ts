import { setMaxListeners } from 'node:events';
import type { S3ServiceException } from '@aws-sdk/client-s3';
import type { Dispatcher } from 'undici';
import type { Secret } from '../config/secret.ts';
import { UsageError } from '../core/errors.ts';
import { retryAfterMs } from '../core/retry-after.ts';
import { openWayOut } from '../core/way-out.ts';

/** The timeouts of one request, without its retries. */
const timeouts = { connectMs: 10_000, silenceMs: 60_000 };

export interface Bucket {
  readonly bucket: string;
  /** The server's address; null for Amazon S3. */
  readonly endpoint: string | null;
  readonly region: string | null;
  /** The keys. With null, the SDK finds them in the environment, a profile or the machine's role. */
  readonly credentials: { readonly accessKeyId: Secret; readonly secretAccessKey: Secret } | null;
}

/** A bucket of object storage. Close it after use. */
export interface ObjectStore {
  put(key: string, body: Uint8Array, contentType?: string): Promise<void>;
  /** Puts an object, unless one with this key exists. */
  putNew(key: string, body: Uint8Array, contentType: string): Promise<void>;
  get(key: string): Promise<Uint8Array>;
  /** Returns the MD5 of an object that was put at once, as far as the server says it; null if there is no such object. */
  hashOf(key: string): Promise<string | null>;
  remove(key: string): Promise<void>;
  /** Lists the keys that begin with `prefix`, in order. */
  list(prefix: string): AsyncGenerator<string>;
  close(): void;
}

/** Opens a bucket. The SDK, which is slow to load, is imported here. */
export async function openBucket(
  { bucket, endpoint, region, credentials }: Bucket,
  signal: AbortSignal | undefined,
): Promise<ObjectStore> {
  // The SDK warns about old versions of Node on standard error, which cron would mail.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region: region ?? 'us-east-1',
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(credentials && {
      credentials: {
        accessKeyId: credentials.accessKeyId.reveal(),
        secretAccessKey: credentials.secretAccessKey.reveal(),
      },
    }),
    // Servers other than Amazon's may not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: requestHandler(),
    expectContinueHeader: false,
  });
  // each request under way listens to it, however many there are
  if (signal) setMaxListeners(0, signal);
  const options = { ...(signal && { abortSignal: signal }) };
  return {
    async put(key, body, contentType = 'application/octet-stream') {
      const object = { Bucket: bucket, Key: key, Body: body, ContentType: contentType };
      await client.send(new sdk.PutObjectCommand(object), options);
    },
    async putNew(key, body, contentType) {
      const object = { Bucket: bucket, Key: key, Body: body, ContentType: contentType };
      try {
        await client.send(new sdk.PutObjectCommand({ ...object, IfNoneMatch: '*' }), options);
      } catch (error) {
        if ((error as Partial<S3ServiceException>).$metadata?.httpStatusCode !== 412) throw error;
      }
    },
    async get(key) {
      const { Body: body } = await client.send(
        new sdk.GetObjectCommand({ Bucket: bucket, Key: key }),
        options,
      );
      return (await body?.transformToByteArray()) ?? new Uint8Array();
    },
    async hashOf(key) {
      try {
        const command = new sdk.HeadObjectCommand({ Bucket: bucket, Key: key });
        return (await client.send(command, options)).ETag?.replaceAll('"', '') ?? '';
      } catch (error) {
        if ((error as Partial<S3ServiceException>).$metadata?.httpStatusCode === 404) return null;
        throw error;
      }
    },
    async remove(key) {
      await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }), options);
    },
    async *list(prefix) {
      const pages = sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix });
      for await (const { Contents: objects = [] } of pages)
        for (const { Key: key } of objects) if (key !== undefined) yield key;
    },
    close: () => client.destroy(),
  };
}

/** A request of the SDK, as far as this program makes such ones. */
interface SdkRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Sends the SDK's requests on this program's way out. */
function requestHandler() {
  const opened = new Map<string, Promise<Dispatcher>>();
  return {
    async handle(request: SdkRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
      const { method, protocol, hostname, port, headers, body } = request;
      const { origin } = new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`);
      const way = opened.get(origin) ?? openWayOut(new URL(origin), timeouts);
      opened.set(origin, way);
      const options = { origin, method: method as 'GET', path: pathOf(request), headers };
      const signal = abortSignal ?? null;
      try {
        const answer = await (await way).request({ ...options, body: body ?? null, signal });
        const waitMs = retryAfterMs(answer.headers, new Date());
        if (waitMs !== null) answer.headers['retry-after'] = String(waitMs / 1000);
        return { response: answer };
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        // the name by which the SDK knows what it may send again
        if (code.startsWith('UND_ERR_') && !signal?.aborted)
          Object.assign(error as Error, { name: 'TimeoutError' });
        throw error;
      }
    },
    destroy() {
      for (const way of opened.values()) void way.then((dispatcher) => dispatcher.destroy());
    },
  };
}

function pathOf({ path, query }: SdkRequest): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => (value === null ? [name] : [name, value])),
  );
  const text = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  return text === '' ? path : `${path}?${text}`;
}

/** @throws UsageError for anything else than `s3://bucket/prefix`; the prefix has a slash at its end, if it is not empty */
export function splitBucketUrl(url: string): { bucket: string; prefix: string } {
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]+)\/*(.*?)\/*$/.exec(url) ?? [];
  if (bucket === '') throw new UsageError(`${url} must be s3://bucket/prefix`);
  return { bucket, prefix: path === '' ? '' : `${path}/` };
}

export function objectProblem(error: unknown): {
  readonly reason: string;
  /** True if the error will occur again until someone changes the bucket or its permissions. */
  readonly isFinal: boolean;
} {
  const { name = '', message = '', $metadata } = error as Partial<S3ServiceException>;
  const status = $metadata?.httpStatusCode;
  const words = message.split('\n')[0]?.slice(0, 500).replace(/\.$/, '') ?? '';
  const isOfKeys = ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken'].includes(name);
  const isRefused = status !== undefined && status >= 400 && status < 500 && status !== 429;
  return {
    reason: name === 'Error' || words.includes(name) ? words : `${name}: ${words}`,
    isFinal: isRefused && !isOfKeys,
  };
}
