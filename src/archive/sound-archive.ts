import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasErrorCode } from '../core/errors.ts';
import { statExisting } from '../inbox/spool/existing.ts';
import { archivedEventsFolder, inboxFolder } from '../inbox/spool/layout.ts';
import { readSegment } from '../inbox/spool/read-segment.ts';
import { plainName } from '../inbox/spool/segment-name.ts';
import type { SpooledEvent } from '../inbox/spool/segment.ts';
import { readPart, type LandedPart } from '../landing/landed-part.ts';
import { archiveFolder } from '../landing/layout.ts';
import { readArchiveTree } from './archive-tree.ts';
import { finding, sealCommand, type Finding } from './finding.ts';
import { isCutOff, readKnownArchive, type KnownArchive } from './known-archive.ts';
import { ledgerPath } from './layout.ts';
import { verifyPart } from './verify-part.ts';
import { verifySegment } from './verify-segment.ts';

/** Told of what is not as it was archived; what else is found is for `archive verify` to tell. */
export type OnFinding = (finding: Finding) => void;

/**
 * What the archive holds and is as it was archived, part by part and segment by segment. The caller holds the
 * warehouse's lock, without which more may come in meanwhile.
 */
export class SoundArchive {
  readonly #dataDir: string;
  readonly #known: KnownArchive;
  /** Places of parts and segments, those that only the ledger tells of included. */
  readonly #parts: readonly string[];
  readonly #segments: readonly string[];

  private constructor(
    dataDir: string,
    known: KnownArchive,
    parts: readonly string[],
    segments: readonly string[],
  ) {
    this.#dataDir = dataDir;
    this.#known = known;
    this.#parts = parts;
    this.#segments = segments;
  }

  static async open(dataDir: string): Promise<SoundArchive> {
    const known = await readKnownArchive(dataDir);
    const tree = await readArchiveTree(dataDir);
    const parts = new Set([...tree.parts.keys(), ...known.parts.keys()]);
    const segments = new Set([...tree.segments, ...known.segments.keys()]);
    return new SoundArchive(dataDir, known, [...parts].sort(), [...segments].sort());
  }

  /** How many responses it holds, by the names of its files. */
  async countResponses(): Promise<number> {
    let count = 0;
    for (const place of this.#parts) {
      const names = await namesIn(join(archiveFolder(this.#dataDir), place));
      count += names.filter((name) => name.endsWith('.manifest.json')).length;
    }
    return count;
  }

  /** How many events it holds, as far as the ledger tells. */
  countEvents(): number {
    return [...this.#known.segments.values()].reduce((sum, { events }) => sum + events, 0);
  }

  /** Its parts one after another, so that no more than one is in memory. */
  async *parts(onFinding: OnFinding): AsyncGenerator<LandedPart> {
    this.#checkLedger(onFinding);
    for (const place of this.#parts) {
      const findings = (await verifyPart(this.#dataDir, place, this.#known)).findings;
      const unsound = findings.filter(isUnsound);
      unsound.forEach(onFinding);
      const folder = join(archiveFolder(this.#dataDir), place);
      if (unsound.some(({ path }) => path === folder)) continue;
      const part = await readPart(folder, [], new Set(unsound.map(({ path }) => basename(path))));
      if (part) yield part;
    }
  }

  /** What a line told that cannot be read, of events' workspaces or of what should be here, nobody knows. */
  #checkLedger(onFinding: OnFinding): void {
    const line = this.#known.damages.find((damage) => !isCutOff(damage))?.line;
    if (line === undefined) return;
    const remedy = `put it back from a backup, or ${sealCommand} does without that line`;
    const problem = `line ${line} is not what was written`;
    onFinding(finding('damaged', ledgerPath(this.#dataDir), problem, remedy));
  }

  /** The names of its segments, but for those that lie in the inbox as well: a load has not ended with them. */
  async segments(): Promise<readonly string[]> {
    const names: string[] = [];
    for (const place of this.#segments) {
      const waiting = join(inboxFolder(this.#dataDir), plainName(basename(place)));
      if ((await statExisting(waiting)) === null) names.push(place);
    }
    return names;
  }

  /** The events of a segment, as far as they can be read. */
  async readEvents(place: string, onFinding: OnFinding): Promise<readonly SpooledEvent[]> {
    const { findings } = await verifySegment(this.#dataDir, place, this.#known);
    findings.filter(isUnsound).forEach(onFinding);
    const path = join(archivedEventsFolder(this.#dataDir), place);
    if ((await statExisting(path)) === null) return [];
    const segment = { name: basename(path), path, isSealed: true, bytes: 0 };
    return (await readSegment(segment))?.events ?? [];
  }
}

function isUnsound({ kind }: Finding): boolean {
  return kind === 'damaged' || kind === 'missing' || kind === 'foreign';
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}
