import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { ClientConfig } from '../config/config.ts';
import { syncFolder, writeFileAtomic } from '../core/atomic-file.ts';
import { hasErrorCode } from '../core/errors.ts';
import { parsedJson } from '../core/json.ts';
import { hasSameProfiles } from './changed-sources.ts';
import { deliverySchema, statusSchema, type Delivery, type DeliveryRecord } from './delivery.ts';

/** What a line may be. The last line of a delivery counts. */
const lineSchema = z.union([
  z.object({ record: deliverySchema, status: statusSchema }),
  /** The records of what was sent before this time were lost. */
  z.object({ lost_at: z.string() }),
]);

/**
 * The records of what was sent or discarded, in `deliveries.jsonl`, which is only appended to and belongs in a backup. A
 * mail has a line before it is transmitted, too. A line that a kill has cut off is skipped: what it was about still
 * stands in the outbox.
 */
export class SentRecords {
  readonly #path: string;
  readonly #deliveries = new Map<string, Delivery>();
  readonly #lines: string[] = [];
  #lostAt: string | null = null;
  #exists = false;

  private constructor(path: string) {
    this.#path = path;
  }

  static async read(dataDir: string): Promise<SentRecords> {
    const records = new SentRecords(join(dataDir, 'deliveries.jsonl'));
    try {
      records.#take(await readFile(records.#path, 'utf8'));
    } catch (error) {
      if (!hasErrorCode(error, 'ENOENT')) throw error;
    }
    return records;
  }

  #take(text: string): void {
    this.#exists = true;
    for (const line of text.split('\n').filter(Boolean)) {
      this.#lines.push(line);
      const entry = lineSchema.safeParse(parsedJson(line)).data;
      if (entry === undefined) continue;
      if ('lost_at' in entry) this.#lostAt = entry.lost_at;
      else this.#deliveries.set(entry.record.id, entry);
    }
  }

  /** False before the first delivery, and after a restore without the file. */
  get exists(): boolean {
    return this.#exists;
  }

  /** The time before which deliveries may have been sent without a record (ISO 8601); null if none were lost. */
  get lostAt(): string | null {
    return this.#lostAt;
  }

  get(id: string): Delivery | undefined {
    return this.#deliveries.get(id);
  }

  all(): Delivery[] {
    return [...this.#deliveries.values()];
  }

  /** Makes the file. @param lostAt the time before which records were lost; null: none were */
  async begin(lostAt: string | null): Promise<void> {
    const lines = lostAt === null ? [] : [JSON.stringify({ lost_at: lostAt })];
    await writeFileAtomic(this.#path, lines.map((line) => `${line}\n`).join(''));
    this.#lines.push(...lines);
    this.#lostAt = lostAt;
    this.#exists = true;
  }

  /** Removes the lines that `isErased` recognises, and those that a kill has cut off. */
  async erase(isErased: (json: string) => boolean): Promise<void> {
    const kept = this.#lines.filter((line) => parsedJson(line) !== null && !isErased(line));
    if (kept.length < this.#lines.length)
      await writeFileAtomic(this.#path, kept.map((line) => `${line}\n`).join(''));
  }

  /** It is on disk when the promise resolves. */
  async add(delivery: Delivery): Promise<void> {
    const handle = await open(this.#path, 'a+', 0o600);
    try {
      const { size } = await handle.stat();
      const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
      const isCutOff = size > 0 && buffer.toString() !== '\n';
      const line = JSON.stringify(delivery);
      await handle.appendFile(`${isCutOff ? '\n' : ''}${line}\n`);
      this.#lines.push(line);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!this.#exists) await syncFolder(dirname(this.#path));
    this.#exists = true;
    this.#deliveries.set(delivery.record.id, delivery);
  }
}

/** A figure of a report that a client was sent by mail, with its days and the time (ISO 8601). */
type SentFigure = Readonly<Record<'report' | 'from' | 'to' | 'sentAt' | 'figure', string>> & {
  readonly value: number;
  readonly isRepriced: boolean;
};

/**
 * Lists what a client was sent of its present profiles. None for the owner's own reports.
 * @param isRepriced tells whether the posts of a report that was sent have other prices today
 */
export async function readSentFigures(
  dataDir: string,
  client: Pick<ClientConfig, 'key' | 'profiles'> | null,
  isRepriced: (record: DeliveryRecord, report: DeliveryRecord['reports'][number]) => boolean,
): Promise<SentFigure[]> {
  if (client === null) return [];
  const records = await SentRecords.read(dataDir);
  return records
    .all()
    .filter(
      ({ record, status }) =>
        record.client === client.key &&
        record.target?.kind === 'mail' &&
        status.state === 'sent' &&
        hasSameProfiles(record, client),
    )
    .flatMap(({ record, status: { changed_at: sentAt } }) =>
      record.figures.flatMap(({ report, figure, value }) => {
        const own = record.reports.find((each) => each.report === report);
        const { from = null, to = null } = own ?? {};
        if (figure === null || value === null || from === null || to === null) return [];
        const isOther = own !== undefined && isRepriced(record, own);
        return [{ report, from, to, sentAt, figure, value, isRepriced: isOther }];
      }),
    );
}
