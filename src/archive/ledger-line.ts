import { createHash } from 'node:crypto';
import { z } from 'zod';
import { errorMessage } from '../core/errors.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().nonnegative();

/** A loaded part of a run, as its `contents.json` tells of it. */
const partEntrySchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal('part'),
  workspace: z.string(),
  run_id: z.string(),
  /** The UTC day that its run started: the folder that it is in. */
  day: z.iso.date(),
  /** Those of its contents list. */
  files: count,
  /** Of those files together, as they lie on disk. */
  bytes: count,
  /** Of the file `contents.json`. */
  contents_sha256: sha256,
});
export type PartEntry = z.infer<typeof partEntrySchema>;

/** A segment whose events are in the warehouse. */
const segmentEntrySchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal('segment'),
  /** Of its file, for example `….ndjson.gz`. */
  name: z.string(),
  /** The folder that it is in. */
  day: z.iso.date(),
  /** Lines that hold an event which is the one of their key. */
  events: count,
  /** Of the NDJSON, before compression. */
  bytes: count,
  /** Likewise. */
  sha256,
  /** Of the file as it lies on disk. */
  file_bytes: count,
  /** Likewise. */
  file_sha256: sha256,
});
export type SegmentEntry = z.infer<typeof segmentEntrySchema>;

/** Which workspace of the configuration each slug of an event stands for, from this line on. */
const slugsEntrySchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal('slugs'),
  slugs: z.record(z.string(), z.string()),
  /**
   * Segments that lie in the inbox although so many of their first events were loaded before this line, by the names
   * that they have there once they are sealed.
   */
  loaded: z.array(z.strictObject({ segment: z.string(), events: count })).optional(),
  /**
   * Where it is there, the line holds for these events alone, whatever was in force before and after it: of a segment,
   * by such a name, those from one on (counted from 0) to the one before another. Ranges of a segment follow one
   * another, and one that begins with the first event takes the place of all that were said of it before.
   */
  events: z.array(z.strictObject({ segment: z.string(), from: count, to: count })).optional(),
});
export type SlugsEntry = z.infer<typeof slugsEntrySchema>;

/** Responses of a part whose bodies were given up. */
const prunedEntrySchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal('pruned'),
  workspace: z.string(),
  run_id: z.string(),
  seqs: z.array(z.int().positive()),
});
export type PrunedEntry = z.infer<typeof prunedEntrySchema>;

const ledgerEntrySchema = z.discriminatedUnion('kind', [
  partEntrySchema,
  segmentEntrySchema,
  slugsEntrySchema,
  prunedEntrySchema,
]);
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** What stands behind an entry: the first 16 hex digits of the SHA-256 of all before it and a closing brace. */
const tail = /,"check":"([0-9a-f]{16})"\}$/;

/** An entry's line, the line feed included. */
export function ledgerLine(entry: LedgerEntry): string {
  const text = JSON.stringify(entry);
  return `${text.slice(0, -1)},"check":"${checkOf(text)}"}\n`;
}

/** The entry of a line without its line feed, or why it is none. */
export function readLedgerLine(line: string): LedgerEntry | { readonly reason: string } {
  const found = tail.exec(line);
  if (found === null) return { reason: 'it has no check at its end' };
  const text = `${line.slice(0, found.index)}}`;
  if (checkOf(text) !== found[1]) return { reason: 'its check is not the one of what it says' };
  try {
    return ledgerEntrySchema.parse(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : errorMessage(error);
    return { reason: `this version cannot read it: ${reason}` };
  }
}

function checkOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
