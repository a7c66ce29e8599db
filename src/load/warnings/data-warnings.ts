import type { Cell } from '../../warehouse/cell.ts';
import type { Database } from '../../warehouse/database.ts';
import { readSql } from '../../warehouse/sql-file.ts';

/** Something that was loaded and looks odd, a row of `data_warnings`: docs/warehouse.md says what each kind means. */
export interface DataWarning {
  readonly kind: 'metric_drop' | 'empty_window' | 'cut_off_answer';
  readonly workspace: string;
  readonly profile_id: string;
  /** Its name, else its id. */
  readonly profile: string;
  /** The column that fell; null where it is about a window. */
  readonly metric: string | null;
  readonly start_date: string;
  readonly end_date: string;
  readonly before: number | null;
  readonly after: number | null;
  readonly posts: number;
  /** ISO 8601 in UTC. */
  readonly seen_at: string;
}

/** By workspace, profile and kind. */
export async function readWarnings(database: Database): Promise<DataWarning[]> {
  const rows = await database.queryObjects(await readSql('status/data_warnings.sql'));
  return rows.map((row) => ({
    kind: row['kind'] as DataWarning['kind'],
    workspace: String(row['workspace']),
    profile_id: String(row['profile_id']),
    profile: String(row['profile']),
    metric: row['metric'] === null ? null : String(row['metric']),
    start_date: String(row['start_date']),
    end_date: String(row['end_date']),
    before: numberOrNull(row['before']),
    after: numberOrNull(row['after']),
    posts: Number(row['posts']),
    seen_at: String(row['seen_at']),
  }));
}

/** Those that were not there before. What a warning is about stays the same while its figures move. */
export function newWarnings(
  warnings: readonly DataWarning[],
  before: readonly DataWarning[],
): DataWarning[] {
  const known = new Set(before.map(keyOf));
  return warnings.filter((warning) => !known.has(keyOf(warning)));
}

function keyOf(warning: DataWarning): string {
  const { kind, workspace, profile_id, metric, start_date, end_date } = warning;
  const isDrop = kind === 'metric_drop';
  return JSON.stringify([kind, workspace, profile_id, metric, isDrop || start_date, end_date]);
}

function numberOrNull(cell: Cell | undefined): number | null {
  return cell === null || cell === undefined ? null : Number(cell);
}
