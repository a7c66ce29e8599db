import { finding, isNote, type Finding } from '../archive/finding.ts';
import { partKey } from '../archive/ledger-index.ts';
import type { Verification } from '../archive/verify-archive.ts';
import type { WaitingNames } from '../archive/waiting-names.ts';
import { archivedEventsFolder } from '../inbox/spool/layout.ts';
import { archiveFolder } from '../landing/layout.ts';
import { findLostEvents, findLostResponses, type Kept } from '../load/lost-loads.ts';
import type { Database } from '../warehouse/database.ts';
import { plural } from './load-sentence.ts';

const remedy = 'put it back from a backup: a rebuild would lose it';

/**
 * What the warehouse has, and neither the archive nor what waits for a load. Of what a finding tells already
 * nothing more is said.
 * @param waiting read after the warehouse was opened, and before the archive
 */
export async function findLostInArchive(
  dataDir: string,
  database: Database,
  found: Verification,
  waiting: WaitingNames,
): Promise<Finding[]> {
  const archive = new ArchivedNames(found, waiting);
  const responses = await findLostResponses(database, archive);
  const losses = responses
    .filter(({ workspace, runId }) => !archive.isToldOf(workspace, runId))
    .map(({ workspace, runId, seqs }) =>
      finding(
        'lost',
        archiveFolder(dataDir),
        `${plural(seqs.length, 'response')} of run ${runId} of ${workspace} in the warehouse (${shorten(seqs)}) is not here`,
        remedy,
      ),
    );
  if (archive.isAnySegmentTold) return losses;
  const events = await findLostEvents(database, archive);
  return events.length === 0 ? losses : [...losses, lostEvents(dataDir, events)];
}

class ArchivedNames implements Kept {
  readonly isAnySegmentTold: boolean;
  readonly #seqs = new Map<string, Set<number>>();
  readonly #told = new Set<string>();
  readonly #found: Verification;
  readonly #waiting: WaitingNames;

  constructor(found: Verification, waiting: WaitingNames) {
    this.#found = found;
    this.#waiting = waiting;
    this.isAnySegmentTold = [...found.segments.values()].some(isBad);
    for (const [key, seqs] of waiting.responses) this.#seqs.set(key, new Set(seqs));
    for (const [place, check] of found.parts) {
      const [workspace = '', , run_id = ''] = place.split('/');
      const key = partKey({ workspace, run_id });
      const seqs = this.#seqs.get(key) ?? new Set();
      for (const seq of check.seqs) seqs.add(seq);
      this.#seqs.set(key, seqs);
      if (isBad(check)) this.#told.add(key);
    }
  }

  hasResponse(workspace: string, run_id: string, seq: number): boolean {
    return this.#seqs.get(partKey({ workspace, run_id }))?.has(seq) ?? false;
  }

  hasEvent(eventKey: string): boolean {
    return this.#found.keys.has(eventKey) || this.#waiting.events.has(eventKey);
  }

  isToldOf(workspace: string, run_id: string): boolean {
    return this.#told.has(partKey({ workspace, run_id }));
  }
}

function isBad({ findings }: { readonly findings: readonly Finding[] }): boolean {
  return !findings.every(isNote);
}

function lostEvents(dataDir: string, keys: readonly string[]): Finding {
  const problem = `${plural(keys.length, 'event')} of the warehouse (${shorten(keys)}) is in no segment`;
  return finding('lost', archivedEventsFolder(dataDir), problem, remedy);
}

function shorten(names: readonly (string | number)[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown}, …` : shown;
}
