import { group } from 'd3-array';
import type { WarehouseConfig } from '../config/config.ts';
import type { Log } from '../core/log.ts';
import { firstFew } from '../core/wording.ts';
import { createFormatter } from '../languages/number-format.ts';
import type { Database } from '../warehouse/database.ts';
import { withPublished } from '../warehouse/warehouse.ts';
import { readSql } from '../warehouse/sql-file.ts';

/** Loaded data that look wrong: a row of `data_warnings`, see docs/data.md. */
export interface DataWarning {
  readonly kind:
    | 'metric_drop'
    | 'empty_window'
    | 'absent_posts'
    | 'superseded_records'
    | 'shared_posts'
    | 'shared_address'
    | 'cut_off_answer'
    | 'outside_dates';
  readonly workspace: string;
  readonly profile_id: string;
  /** Its name, else its id. */
  readonly profile: string;
  /** The column that fell; null where it is about a window. */
  readonly metric: string | null;
  /** The metric's title in a sentence. */
  readonly metric_name: string | null;
  readonly start_date: string;
  readonly end_date: string;
  readonly before: number | null;
  readonly after: number | null;
  readonly posts: number;
  /** The names of the profiles that have these posts, too; null where it is not about that. */
  readonly other_profiles: string | null;
  /** The sentence about it, in English and without a full stop, as in reports. */
  readonly text: string;
  /** ISO 8601 in UTC. */
  readonly seen_at: string;
}

/** A warning whose text has placeholders. */
interface UnsaidWarning extends DataWarning {
  readonly until: string;
  readonly fallen_by: number | null;
}

/** Workspaces that are looked at together: the work for all at once takes too much memory. */
const workspacesAtOnce = 200;

/** Reads the warnings, ordered by workspace, profile and kind. */
export async function readWarnings(
  database: Database,
  workspaces: readonly string[],
): Promise<DataWarning[]> {
  for (const name of ['metrics', 'report/warning_text'])
    await database.run(await readSql(`${name}.sql`));
  const sql = await readSql('status/data_warnings.sql');
  const sorted = workspaces.toSorted();
  const warnings: DataWarning[] = [];
  for (let first = 0; first < sorted.length; first += workspacesAtOnce) {
    const some = sorted.slice(first, first + workspacesAtOnce);
    const found = await database.queryObjects<UnsaidWarning>(sql, { workspaces: some });
    warnings.push(...found.map(sayWarning));
  }
  return warnings;
}

const { say } = createFormatter({ locale: 'en-GB', currency: 'EUR', timezone: 'UTC' });

function sayWarning({ until, fallen_by, text, ...warning }: UnsaidWarning): DataWarning {
  return { ...warning, text: say(text, { ...warning, until, fallen_by }) };
}

/**
 * Logs the new data warnings of a load, one line for each profile and kind.
 * @param published the warehouse before the load; its warnings are not repeated
 */
export async function logDataWarnings(
  database: Database,
  published: WarehouseConfig,
  log: Log,
): Promise<DataWarning[]> {
  const warnings = await readNewWarnings(database, published);
  const groups = group(warnings, ({ workspace, profile_id: id, kind }) =>
    JSON.stringify([workspace, id, kind]),
  );
  for (const each of groups.values()) {
    const texts = each.map(({ text }) => text);
    const [{ workspace, profile, kind } = {}] = each;
    log.warn(
      { workspace, profile, kind },
      `${firstFew(texts)}; it was loaded as it came, since it may be true: docs/failures.md says what to do`,
    );
  }
  return warnings;
}

async function readNewWarnings(
  database: Database,
  published: WarehouseConfig,
): Promise<DataWarning[]> {
  const { rows } = await database.query('select distinct workspace from new_responses');
  const workspaces = rows.map(([workspace]) => String(workspace));
  const warnings = await readWarnings(database, workspaces);
  if (warnings.length === 0) return [];
  const read = async (before: Database | null) => (before ? readWarnings(before, workspaces) : []);
  const known = await withPublished(published, read, { workspaces });
  const keys = new Set(known.map(warningKey));
  return warnings.filter((warning) => !keys.has(warningKey(warning)));
}

function warningKey(warning: DataWarning): string {
  const { workspace, profile_id: id, kind, metric, start_date: start, end_date: end } = warning;
  return JSON.stringify([workspace, id, kind, metric, start, end]);
}
