import { errorMessage } from '../../core/errors.ts';
import type { Database } from '../../warehouse/database.ts';
import { openSideBySide } from '../../warehouse/side-by-side.ts';
import { readSql } from '../../warehouse/sql-file.ts';
import { QueryError } from '../../warehouse/warehouse-errors.ts';

/** What the published warehouse has and a rebuilt one would not have. */
export interface Losses {
  /** Loaded responses that the archive has no more, and not damaged either; by workspace and run. */
  readonly responses: number;
  /** The first runs of these, three at most. */
  readonly runs: readonly string[];
  readonly events: number;
  /** Events that were applied, and would go to another workspace than they did, or would not be applied. */
  readonly moved: number;
  /** Of responses whose bodies were pruned. */
  readonly snapshots: number;
  /** Of these snapshots, the first and the last; null when there are none. */
  readonly days: { readonly first: string; readonly last: string } | null;
}

const none: Losses = { responses: 0, runs: [], events: 0, moved: 0, snapshots: 0, days: null };
const runsTold = 3;

export interface LossQuestion {
  /** Null when there is none that can be read. */
  readonly published: string | null;
  readonly rebuilt: string;
  readonly folder: string;
  /** A line of JSON for each pruned response; null when none was pruned. */
  readonly prunedFile: string | null;
  /** Told why nothing can be said of the published warehouse. */
  readonly onUnreadable: (reason: string) => void;
}

/** Nothing is lost of what cannot be read. */
export async function findLosses(question: LossQuestion): Promise<Losses> {
  const { published, rebuilt, folder, prunedFile, onUnreadable } = question;
  if (published === null) return none;
  try {
    const database = await openSideBySide({ published, rebuilt }, folder);
    try {
      return { ...(await findLost(database)), ...(await findLostSnapshots(database, prunedFile)) };
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    onUnreadable(errorMessage(error));
    return none;
  }
}

async function findLost(
  database: Database,
): Promise<Pick<Losses, 'responses' | 'runs' | 'events' | 'moved'>> {
  const parts = await database.queryObjects(await readSql('rebuild/lost_responses.sql'));
  const [lost] = await database.queryObjects(await readSql('rebuild/lost_events.sql'));
  return {
    responses: parts.reduce((sum, { responses }) => sum + Number(responses), 0),
    runs: parts
      .slice(0, runsTold)
      .map(({ workspace, run_id }) => `${String(workspace)} ${String(run_id)}`),
    events: Number(lost?.['events'] ?? 0),
    moved: Number(lost?.['moved'] ?? 0),
  };
}

async function findLostSnapshots(
  database: Database,
  prunedFile: string | null,
): Promise<Pick<Losses, 'snapshots' | 'days'>> {
  if (prunedFile === null) return { snapshots: 0, days: null };
  const { rows } = await database.query(await readSql('rebuild/lost_snapshots.sql'), {
    pruned_file: prunedFile,
  });
  const days = rows.map(([day]) => String(day));
  const [first] = days;
  const last = days.at(-1);
  return {
    snapshots: rows.reduce((sum, [, snapshots]) => sum + Number(snapshots), 0),
    days: first === undefined || last === undefined ? null : { first, last },
  };
}
