import type { Config } from '../config/config.ts';
import { daysToProve, windowStatus } from '../store/manifest.ts';
import { listRunNames, readRunFolder, type RunFolder } from '../store/run-folder.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { withPublished } from '../warehouse/warehouse.ts';
import type { RunStatus } from './runs.ts';

interface DateRange {
  readonly workspace: string;
  readonly profile_id: string;
  readonly profile: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly status: 'succeeded' | 'partial' | 'failed';
  readonly http_status: number | null;
  readonly posts_read: number;
  readonly requests: number;
  readonly fetched_at: string;
  readonly error: string | null;
}

export type RunStory = Awaited<ReturnType<typeof readRunStory>>;

/** Reads a run with what its folders say. Those on another machine are not read: of them, only date ranges are known. */
export async function readRunStory(run: RunStatus, config: Config) {
  const folders = await readFoldersOf(run, config);
  const ranges =
    folders.length > 0 ? folders.flatMap(dateRangesOf) : await readDateRanges(run, config);
  const waits = folders.map(({ finish }) => finish?.waited_ms ?? null);
  const waitedMs = waits.reduce((sum, ms) => (sum === null || ms === null ? null : sum + ms), 0);
  return {
    ...run,
    /** The time in which the rate limit or a 429 held requests back, over all workspaces; null if it is not known. */
    waited_seconds: waits.length === 0 || waitedMs === null ? null : Math.round(waitedMs / 1000),
    /** In the order in which they were read. */
    date_ranges: ranges,
    details: folders.flatMap(countDetails),
    errors: [...ranges.flatMap(rangeErrors), ...folders.flatMap(detailErrors)],
    /** What is wrong with files that cannot be read. */
    damaged: folders.flatMap(({ damages }) => damages.map(({ message }) => message)),
  };
}

async function readFoldersOf({ run_id: id }: RunStatus, { dataDir }: Config): Promise<RunFolder[]> {
  const folders: RunFolder[] = [];
  for await (const name of listRunNames(dataDir)) {
    const folder = name.runId === id ? await readRunFolder(dataDir, name) : null;
    if (folder) folders.push(folder);
  }
  return folders;
}

async function readDateRanges({ run_id: id }: RunStatus, config: Config): Promise<DateRange[]> {
  const sql = await readSql('status/run_windows.sql');
  return withPublished(
    config.warehouse,
    async (database) => (await database?.queryObjects<DateRange>(sql, { run_id: id })) ?? [],
  );
}

function dateRangesOf({ record, responses }: RunFolder): DateRange[] {
  return responses.flatMap(({ manifest }) => {
    const { request, http_status, requests, fetched_at, error } = manifest;
    if (request.kind !== 'analytics') return [];
    const { profile_id } = request;
    const { start: start_date, end: end_date } = daysToProve(request, manifest);
    const range = { profile_id, profile: profileName(record, profile_id), start_date, end_date };
    return {
      workspace: record.workspace,
      ...range,
      status: windowStatus(manifest),
      http_status,
      posts_read: manifest.records ?? 0,
      requests,
      fetched_at,
      error,
    };
  });
}

function profileName({ profiles }: RunFolder['record'], id: string): string {
  return profiles.find(({ profile_id: known }) => known === id)?.name ?? id;
}

function rangeErrors(range: DateRange) {
  const { workspace, status, error } = range;
  return status === 'succeeded' ? [] : [{ workspace, subject: subjectOf(range), error }];
}

/** Counts the posts about which a workspace was asked, by what was asked for. */
function countDetails({ record: { workspace }, responses }: RunFolder) {
  return (['post', 'approvals', 'comments'] as const).flatMap((kind) => {
    const outcomes = responses
      .filter(({ manifest }) => manifest.request.kind === kind)
      .map(({ manifest }) => manifest.outcome);
    const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
    if (outcomes.length === 0) return [];
    const [missing, failed] = [count('not-found'), count('failed')];
    return [{ workspace, kind, found: count('succeeded'), missing, failed }];
  });
}

function detailErrors({ record: { workspace }, responses }: RunFolder) {
  return responses.flatMap(({ manifest: { request, outcome, error } }) => {
    if (request.kind === 'analytics' || outcome !== 'failed') return [];
    return [{ workspace, subject: `${workspace}, ${request.kind} ${request.post_id}`, error }];
  });
}

function subjectOf(range: Pick<DateRange, 'workspace' | 'profile' | 'start_date' | 'end_date'>) {
  return `${range.workspace}/${range.profile} ${range.start_date} to ${range.end_date}`;
}
