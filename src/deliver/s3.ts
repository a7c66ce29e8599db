import { extname } from 'node:path';
import type { S3Credentials } from '../config/config.ts';
import { objectProblem, openBucket } from '../store/object-store.ts';
import type { DeliveryRecord, DeliveryTarget, SendOutcome } from './delivery.ts';
import type { OutboxFile } from './outbox.ts';

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
 * Uploads the files of a delivery and, last of all, `<prefix><report>.manifest.json` with their hashes, or that of all reports, such as `emv-video`. A
 * reader who sees the manifest sees all files. Uploading again writes the same objects.
 */
export async function uploadFiles(
  target: Extract<DeliveryTarget, { kind: 's3' }>,
  record: DeliveryRecord,
  files: readonly OutboxFile[],
  { credentials, signal }: { credentials: S3Credentials | null; signal: AbortSignal },
): Promise<SendOutcome> {
  const { prefix } = target;
  try {
    const bucket = await openBucket({ ...target, credentials }, signal);
    try {
      for (const { name, content } of files)
        await bucket.put(`${prefix}${name}`, content, contentTypes[extname(name)]);
      const manifest = Buffer.from(manifestOf(record));
      const name = record.report.replaceAll(', ', '-');
      await bucket.put(`${prefix}${name}.manifest.json`, manifest, contentTypes['.json']);
    } finally {
      bucket.close();
    }
    return { state: 'sent', reason: `${files.length} files and their manifest` };
  } catch (error) {
    const { reason, isFinal } = objectProblem(error);
    return isFinal ? { state: 'failed', reason } : { state: 'queued', reason, ofServer: true };
  }
}

function manifestOf(record: DeliveryRecord): string {
  const { id, job, report, reports, client, from, to, corrects, files } = record;
  const { created_at } = record;
  const what = { id, job, report, ...(reports.length > 1 && { reports }), client, from, to };
  return `${JSON.stringify({ ...what, corrects, created_at, files }, null, 2)}\n`;
}
