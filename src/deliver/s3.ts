import { extname } from 'node:path';
import type { S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Credentials } from '../config/config.ts';
import { errorMessage } from '../core/errors.ts';
import type { DeliveryRecord, DeliveryTarget, OutboxFile, SendOutcome } from './outbox.ts';

/** Of one request, without its retries. */
const requestMs = 60_000;

const contentTypes: Readonly<Record<string, string>> = {
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.parquet': 'application/vnd.apache.parquet',
  '.pdf': 'application/pdf',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * Uploads the files of a delivery and, last of all, `<prefix><report>.manifest.json` with their hashes: whoever sees
 * that sees all of them. Doing it again puts the same there.
 * @param credentials null: those that the SDK finds itself, in the environment, a profile or the machine's role
 */
export async function uploadFiles(
  target: Extract<DeliveryTarget, { kind: 's3' }>,
  record: DeliveryRecord,
  files: readonly OutboxFile[],
  { credentials, signal }: { credentials: S3Credentials | null; signal: AbortSignal },
): Promise<SendOutcome> {
  // it warns of old versions of Node on standard error, which cron would mail
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';
  const { S3Client, PutObjectCommand } = await import('@aws-sdk/client-s3');
  const { bucket, prefix, endpoint, region } = target;
  try {
    const client = new S3Client({
      region: region ?? 'us-east-1',
      ...(endpoint !== null && { endpoint, forcePathStyle: true }),
      ...(credentials && {
        credentials: {
          accessKeyId: credentials.accessKeyId.reveal(),
          secretAccessKey: credentials.secretAccessKey.reveal(),
        },
      }),
      // servers other than Amazon's know no newer checksums
      requestChecksumCalculation: 'WHEN_REQUIRED',
      requestHandler: { requestTimeout: requestMs, connectionTimeout: 10_000 },
    });
    const put = (name: string, body: Uint8Array) =>
      client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: `${prefix}${name}`,
          Body: body,
          ContentType: contentTypes[extname(name)] ?? 'application/octet-stream',
        }),
        { abortSignal: signal },
      );
    try {
      for (const { name, content } of files) await put(name, content);
      await put(`${record.report}.manifest.json`, Buffer.from(manifestOf(record)));
    } finally {
      client.destroy();
    }
    return { state: 'sent', reason: `${files.length} files and their manifest` };
  } catch (error) {
    return outcomeOf(error);
  }
}

function manifestOf({ id, job, report, client, from, to, files, created_at: at }: DeliveryRecord) {
  return `${JSON.stringify({ id, job, report, client, from, to, created_at: at, files }, null, 2)}\n`;
}

function outcomeOf(error: unknown): SendOutcome {
  const { name, $metadata } = error as Partial<S3ServiceException>;
  const status = $metadata?.httpStatusCode;
  const words = errorMessage(error).split('\n')[0]?.slice(0, 500) ?? '';
  const reason = name === undefined || words.includes(name) ? words : `${name}: ${words}`;
  const isOfKeys = ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken'].includes(
    name ?? '',
  );
  if (status !== undefined && status >= 400 && status < 500 && status !== 429 && !isOfKeys)
    return { state: 'failed', reason };
  return { state: 'queued', reason, ofServer: true };
}
