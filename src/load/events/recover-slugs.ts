import { appendToLedger, readLedger } from '../../archive/archive-ledger.ts';
import type { SlugsEntry } from '../../archive/ledger-line.ts';
import { SoundArchive } from '../../archive/sound-archive.ts';
import type { Config } from '../../config/config.ts';
import { readSegment } from '../../inbox/spool/read-segment.ts';
import { listSegments, type SpooledEvent } from '../../inbox/spool/segment.ts';
import type { Database } from '../../warehouse/database.ts';
import { readSql } from '../../warehouse/sql-file.ts';
import { dueSlugs, sealedName, SlugHistory, slugsEntry } from './slug-history.ts';
import { slugsOf } from './workspace-slugs.ts';

/** What became of an event's slug. */
interface Use {
  readonly slug: string;
  /** Null while it stands for none. */
  readonly workspace: string | null;
}

interface Segment {
  readonly name: string;
  readonly isArchived: boolean;
  read(): Promise<readonly SpooledEvent[]>;
}

/**
 * Enters in the ledger what slugs stood for where it has lost that, as far as the warehouse shows it: a rebuild gives
 * events to the workspaces that they were applied to again. The caller holds the warehouse's lock.
 * @returns of how many segments the ledger said something else, or nothing
 */
export async function recoverSlugs(
  config: Pick<Config, 'dataDir' | 'workspaces'>,
  database: Database,
): Promise<number> {
  const { dataDir } = config;
  const slugs = slugsOf(config);
  const waiting = await listSegments(dataDir);
  const due = await dueSlugs(dataDir, slugs, waiting, database);
  const dueEntries = due?.entries ?? [];
  const { entries } = await readLedger(dataDir);
  const history = new SlugHistory(entries, dueEntries, slugs);
  const restatement = new Restatement();
  let segments = 0;
  let hasEvents = false;
  for (const segment of await listAll(dataDir)) {
    const uses = await readUses(await segment.read(), database);
    hasEvents ||= uses.length > 0;
    if (isAsTold(segment, uses, history)) continue;
    restatement.add(sealedName(segment.name), uses);
    segments += 1;
  }
  const isTold = due !== null && (hasEvents || !due.isFirst);
  await appendToLedger(dataDir, [...(isTold ? dueEntries : []), ...restatement.entries()]);
  return segments;
}

/** In the order in which they came, those of the inbox last. */
async function listAll(dataDir: string): Promise<Segment[]> {
  const archive = await SoundArchive.open(dataDir);
  const archived = (await archive.segments()).map((place) => ({
    name: place.slice(place.lastIndexOf('/') + 1),
    isArchived: true,
    // what is wrong with it is for others to tell
    read: () => archive.readEvents(place, () => undefined),
  }));
  const waiting = (await listSegments(dataDir)).map((segment) => ({
    name: segment.name,
    isArchived: false,
    read: async () => (await readSegment(segment))?.events ?? [],
  }));
  return [...archived, ...waiting];
}

/** Of each event, up to the last one that the warehouse has; undefined where it shows nothing of a slug. */
async function readUses(
  events: readonly SpooledEvent[],
  database: Database,
): Promise<(Use | undefined)[]> {
  const keys = events.map(({ eventKey }) => eventKey);
  if (keys.length === 0) return [];
  const { rows } = await database.query(await readSql('archive/event_workspaces.sql'), { keys });
  const known = new Map(
    rows.map(([key, slug, workspace]): [string, Use] => [
      String(key),
      { slug: String(slug), workspace: workspace === null ? null : String(workspace) },
    ]),
  );
  return keys
    .slice(0, keys.findLastIndex((key) => known.has(key)) + 1)
    .map((key) => known.get(key));
}

/** Whether a rebuild by this history gives each applied event to its workspace. */
function isAsTold(
  { name, isArchived }: Segment,
  uses: readonly (Use | undefined)[],
  history: SlugHistory,
): boolean {
  return history.periodsOf(name, isArchived).every(({ mapping, from, to }) =>
    uses.slice(from, to).every((use) => {
      if (typeof use?.workspace !== 'string') return true;
      return history.workspaceOf(use.slug, mapping) === use.workspace;
    }),
  );
}

/** The fewest mappings by which events that came one after another go where they went. */
class Restatement {
  readonly #done: SlugsEntry[] = [];
  #uses = new Map<string, string | null>();
  #events: NonNullable<SlugsEntry['events']> = [];

  add(segment: string, uses: readonly (Use | undefined)[]): void {
    let from = 0;
    for (const [index, use] of uses.entries()) {
      if (!use || this.#take(use)) continue;
      if (index > from) this.#events.push({ segment, from, to: index });
      this.#end();
      this.#take(use);
      from = index;
    }
    this.#events.push({ segment, from, to: uses.length });
  }

  entries(): readonly SlugsEntry[] {
    this.#end();
    return this.#done;
  }

  /** @returns whether the mapping can have it */
  #take({ slug, workspace }: Use): boolean {
    if (this.#uses.has(slug) && this.#uses.get(slug) !== workspace) return false;
    this.#uses.set(slug, workspace);
    return true;
  }

  #end(): void {
    const slugs = new Map<string, string>();
    for (const [slug, workspace] of this.#uses) if (workspace !== null) slugs.set(slug, workspace);
    if (this.#events.length > 0) this.#done.push({ ...slugsEntry(slugs), events: this.#events });
    this.#uses = new Map();
    this.#events = [];
  }
}
