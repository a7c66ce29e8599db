import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { PostledgerError } from '../core/errors.ts';
import { readIfPresent } from '../core/found-files.ts';
import { fieldOf, isRecord } from '../core/json.ts';

const erasureSchema = z.strictObject({
  id: z.uuid(),
  kind: z.enum(['person', 'profile']),
  /** Hashes of a person's ids and addresses, or of `<workspace>/<profile id>`. */
  subjects: z.array(z.string()),
  /** Hashes of the ids of the workspace's posts that belonged to the profile alone. */
  posts: z.array(z.string()),
  /** The responses that it removes. */
  removed: z.int().nonnegative(),
  begun_at: z.iso.datetime(),
  /** Null until everything is erased. */
  finished_at: z.iso.datetime().nullable(),
});
export type Erasure = z.infer<typeof erasureSchema>;

/*
 * `data/erased.json` says what was erased, as salted hashes: enough to recognise it when it comes again, in an answer, an
 * event or a backup, and not enough to read it. It is written before anything is erased.
 */
const recordSchema = z.strictObject({
  version: z.literal(1),
  salt: z.string(),
  erasures: z.array(erasureSchema),
});
export type ErasureRecord = z.infer<typeof recordSchema>;

/** @returns a record without erasures, with a new salt, where nothing was erased yet */
export async function readErasures(dataDir: string): Promise<ErasureRecord> {
  const text = await readIfPresent(recordPath(dataDir));
  if (text !== null) return parseErasures(text);
  return { version: 1, salt: randomBytes(32).toString('hex'), erasures: [] };
}

export async function writeErasures(dataDir: string, record: ErasureRecord): Promise<void> {
  await writeFileAtomic(recordPath(dataDir), erasuresText(record));
}

export function parseErasures(text: string): ErasureRecord {
  return recordSchema.parse(JSON.parse(text));
}

export function erasuresText(record: ErasureRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

/** True while something was begun to be erased and is not erased everywhere. */
export function isUnfinished({ erasures }: ErasureRecord): boolean {
  return erasures.some(({ finished_at: at }) => at === null);
}

/** Something was begun to be erased, and may still be shown. */
export class UnfinishedErasureError extends PostledgerError {
  readonly code = 'ERASURE_UNFINISHED';
  readonly recovery = 'fix-input';
}

/** @throws UnfinishedErasureError while something that was begun to be erased may still be shown */
export async function requireErased(dataDir: string): Promise<void> {
  if (!isUnfinished(await readErasures(dataDir))) return;
  throw new UnfinishedErasureError(
    'an erasure is under way or was interrupted, and what it erases could still be shown; `postledger load` finishes it',
  );
}

function recordPath(dataDir: string): string {
  return join(dataDir, 'erased.json');
}

export function newErasure(
  kind: Erasure['kind'],
  now: Date,
): Pick<Erasure, 'id' | 'kind' | 'begun_at' | 'finished_at'> {
  return { id: randomUUID(), kind, begun_at: now.toISOString(), finished_at: null };
}

/** An id of a profile in one workspace, as it is hashed. */
export function profileSubject(workspace: string, profileId: string): string {
  return `${workspace}/${profileId}`;
}

export function hashOf(salt: string, text: string): string {
  return createHmac('sha256', salt).update(text.trim().toLowerCase()).digest('hex');
}

/** No id and no address is longer. */
const maxLength = 320;
const erasedText = 'erased';
/** The type of what is left of an event that was about what was erased. */
const erasedType = 'postledger.erased';
/** A person in the text of a comment: `@[Ada Byron](id)`. */
const mentions = /@\[[^\]]{0,320}\]\(([^()\s]{1,320})\)/g;
const addresses = /[\w.+-]{1,64}@[\w.-]{1,255}\w/g;

/** Recognises what was erased, and takes it out of answers and events. */
export class Eraser {
  readonly #salt: string;
  readonly #subjects: ReadonlySet<string>;
  readonly #posts: ReadonlySet<string>;

  constructor({ salt, erasures }: ErasureRecord) {
    this.#salt = salt;
    this.#subjects = new Set(erasures.flatMap(({ subjects }) => subjects));
    this.#posts = new Set(erasures.flatMap(({ posts }) => posts));
  }

  get isEmpty(): boolean {
    return this.#subjects.size === 0;
  }

  hasProfile(workspace: string, profileId: string): boolean {
    return this.#subjects.has(hashOf(this.#salt, profileSubject(workspace, profileId)));
  }

  hasPost(postId: unknown): boolean {
    return typeof postId === 'string' && this.#posts.has(hashOf(this.#salt, postId));
  }

  /** True for an id or an address of a person. */
  hasText(value: unknown): boolean {
    return (
      typeof value === 'string' &&
      value.length <= maxLength &&
      this.#subjects.has(hashOf(this.#salt, value))
    );
  }

  /** True for an object that stands for an erased person, as approvals, comments and events name people. */
  isPerson(value: unknown): boolean {
    return isRecord(value) && (this.hasText(value['id']) || this.hasText(value['email']));
  }

  /** Takes mentions and addresses out of a text. */
  #redactString(text: string): string {
    if (this.hasText(text)) return erasedText;
    return text
      .replace(mentions, (mention, id: string) =>
        this.hasText(id) ? `@[${erasedText}](${erasedText})` : mention,
      )
      .replace(addresses, (address) => (this.hasText(address) ? erasedText : address));
  }

  /**
   * Returns JSON without the erased people: an object that stands for one becomes empty, as does the message of what one
   * wrote, and a mention or an address becomes `erased`. Returns null if nobody of them is in it.
   */
  redactText(json: string): string | null {
    const found = { isAny: false };
    const redact = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(redact);
      if (!isRecord(value)) {
        const kept = typeof value === 'string' ? this.#redactString(value) : value;
        if (kept !== value) found.isAny = true;
        return kept;
      }
      if (this.isPerson(value)) {
        found.isAny = true;
        return {};
      }
      const isAuthor = this.isPerson(value['user']) || this.isPerson(value['requestedBy']);
      const kept = isAuthor && 'message' in value ? { ...value, message: null } : value;
      return Object.fromEntries(Object.entries(kept).map(([key, each]) => [key, redact(each)]));
    };
    const redacted = redact(JSON.parse(json));
    return found.isAny ? JSON.stringify(redacted) : null;
  }

  /**
   * Returns an event without the erased people; null if nobody of them is in it. Of one about an erased post, or about the
   * invitation of an erased person, only its time and its workspace stay, so that it is known to have come.
   */
  redactEvent(json: string): string | null {
    const event: unknown = JSON.parse(json);
    const data = fieldOf(event, 'data');
    const [post, invite] = [fieldOf(data, 'post'), fieldOf(data, 'invite')];
    if (!this.hasPost(fieldOf(post, 'id')) && !this.isPerson(invite)) return this.redactText(json);
    const slug = fieldOf(fieldOf(post ?? invite, 'workspace'), 'slug');
    const createdAt = fieldOf(event, 'createdAt');
    return JSON.stringify({ type: erasedType, createdAt, data: { workspace: { slug } } });
  }

  /** True if a text that need not be JSON has an id or an address of what was erased. */
  isIn(text: string): boolean {
    const words = text.match(/[\w.+@-]{1,320}/g) ?? [];
    return words.some((word) => this.hasText(word) || this.hasPost(word));
  }
}
