import { access } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { FiguresFile, ProfileConfig, WorkspaceConfig } from '../config/config.ts';
import { addDays, type Day, isDay } from '../core/calendar.ts';
import { exitCodes, PostledgerError } from '../core/errors.ts';
import { hintAmong } from '../core/nearest.ts';
import { readText, textProblem } from '../core/text-file.ts';
import { plural } from '../core/wording.ts';
import { Database } from './database.ts';
import { QueryError } from './warehouse-errors.ts';

type Profile = Pick<ProfileConfig, 'workspace' | 'id' | 'name'>;

/** One value of a figure that the API does not give, such as followers. */
export interface OwnFigure {
  /** The line in the file, or the number of the row in Parquet. */
  readonly line: number;
  /** It is null for a value that belongs to no single profile. */
  readonly profile: Profile | null;
  readonly firstDay: Day;
  /** The last day of the month, or `firstDay` for a value of a day. */
  readonly lastDay: Day;
  readonly grain: 'day' | 'month';
  readonly figure: string;
  /** It is null if the value is not given. */
  readonly value: number | null;
  /** `last` marks a level, such as followers, of which the last value of a period counts. */
  readonly kind: 'sum' | 'last';
  readonly format: 'count' | 'money';
}

/** A file of `figures` that cannot be used, with each mistake by line and column. */
export class FiguresFileError extends PostledgerError {
  readonly code = 'FIGURES_FILE';
  readonly recovery = 'fix-input';
  override readonly exitCode = exitCodes.usage;
}

/** The names that reports give to figures of the API, whatever their case; a space counts as `_`. */
const taken = new Set(
  `posts impressions engagements engagement_rate interactions likes comments shares clicks saves sends emv effective_cpm
  emv_share removed_posts removed_emv posts_without_emv videos videos_not_synced views video_views viewers watch_time
  watch_time_seconds view_rate views_per_viewer seconds_per_view seconds_per_viewer`.split(/\s+/),
);

const maxValue = 1e15;
const mostListed = 20;

const noText = z.literal('').transform(() => null);

const rowSchema = z.object({
  profile: z.string(),
  day: noText.or(z.string().refine(isDay, 'must be a day as YYYY-MM-DD')),
  month: noText.or(
    z
      .string()
      .refine(
        (text) => /^\d{4}-\d{2}(-01)?$/.test(text) && isDay(text.slice(0, 7) + '-01'),
        'must be a month as YYYY-MM',
      )
      .transform((text) => text.slice(0, 7)),
  ),
  figure: z
    .string()
    .regex(/^[^\p{Cc}]{1,80}$/u, 'must be a name of 1 to 80 characters')
    .refine(
      (name) => !taken.has(name.toLowerCase().replaceAll(' ', '_')),
      'is the name of a figure of the reports themselves; take another one',
    ),
  value: noText.or(
    z
      .string()
      .regex(/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i, 'must be a number such as 1234.5, or empty')
      .transform(Number)
      .refine((value) => Math.abs(value) <= maxValue, `must be at most ${maxValue}`),
  ),
  kind: z.enum(['sum', 'last'], 'must be sum or last'),
  format: noText
    .transform(() => 'count' as const)
    .or(z.enum(['count', 'money'], 'must be count or money, or empty')),
});

type Column = keyof z.input<typeof rowSchema>;
const columns = Object.keys(rowSchema.shape) as Column[];
const optional: readonly Column[] = ['profile', 'day', 'month', 'format'];

/** The texts of a row by column. */
interface WrittenRow {
  readonly line: number;
  readonly fields: Readonly<Record<string, string>>;
}

interface Mistake {
  readonly line: number;
  readonly column: Column;
  readonly message: string;
}

/**
 * Reads the figures of a client or job. Rows of profiles that are not its own are checked and left out.
 * @param owned the profiles of the client or job
 * @param workspaces all that jobs.yaml has, with their profiles
 * @throws FiguresFileError
 */
export async function readOwnFigures(
  { file, isShared }: FiguresFile,
  owned: readonly Pick<Profile, 'workspace' | 'id'>[],
  workspaces: ReadonlyMap<string, Pick<WorkspaceConfig, 'profiles'>>,
): Promise<OwnFigure[]> {
  const isParquet = extname(file).toLowerCase() === '.parquet';
  const written = await (isParquet ? readParquet(file) : readCsv(file));
  const profiles = [...workspaces.values()].flatMap((workspace) => workspace.profiles);
  const rows: OwnFigure[] = [];
  const mistakes: Mistake[] = [];
  for (const row of written) {
    const { row: read, mistakes: own } = readRow(row, profiles, isShared);
    if (read) rows.push(read);
    mistakes.push(...own);
  }
  mistakes.push(...contradictions(rows));
  if (mistakes.length > 0) throw errorOf(file, isParquet ? 'row ' : '', mistakes);
  const keys = new Set(owned.map(({ workspace, id }) => `${workspace}/${id}`));
  return rows.filter(({ profile }) => !profile || keys.has(`${profile.workspace}/${profile.id}`));
}

/** A value as the view `own_figures` has it. */
export type OwnFigureRow = ReturnType<typeof ownFigureRow>;

export function ownFigureRow(row: OwnFigure) {
  const { line, profile, firstDay, grain, figure, value, kind, format } = row;
  return {
    line,
    workspace: profile?.workspace ?? null,
    profile_id: profile?.id ?? null,
    profile: profile?.name ?? null,
    first_day: firstDay,
    grain,
    figure,
    value,
    kind,
    format,
  };
}

function errorOf(file: string, unit: string, mistakes: readonly Mistake[]): FiguresFileError {
  const lines = mistakes
    .toSorted((a, b) => a.line - b.line)
    .slice(0, mostListed)
    .map(({ line, column, message }) => `${basename(file)}:${unit}${line}: ${column}: ${message}`);
  const [first = ''] = lines;
  if (mistakes.length === 1) return new FiguresFileError(first);
  const others = mistakes.length - lines.length;
  const more = others > 0 ? [`and ${plural(others, 'more mistake')}`] : [];
  return new FiguresFileError(
    `${file}: ${mistakes.length} mistakes\n  ${[...lines, ...more].join('\n  ')}`,
  );
}

/** @throws FiguresFileError for a file that is missing or no text in UTF-8 */
async function readCsv(file: string): Promise<WrittenRow[]> {
  try {
    const text = await readText(file);
    if (text.trim() === '')
      throw new FiguresFileError(`${file} is empty; its first line names the columns`);
    const [head = ''] = text.split(/\r?\n/, 1);
    // spreadsheet programs use the delimiter of their country
    const delimiter = [',', ';', '\t'].find((each) => head.includes(each)) ?? ',';
    const rows = parse(text, {
      delimiter,
      trim: true,
      info: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      columns: (names: string[]) => checkedColumns(file, names),
    }) as unknown as { info: { lines: number }; record: Record<string, string> }[];
    return rows.map(({ info, record }) => ({ line: info.lines, fields: record }));
  } catch (cause) {
    if (cause instanceof FiguresFileError) throw cause;
    const problem =
      cause instanceof CsvError
        ? `is no CSV file with one head: ${cause.message}`
        : textProblem(cause);
    throw new FiguresFileError(`${file} ${problem}`, { cause });
  }
}

/** @throws FiguresFileError */
async function readParquet(file: string): Promise<WrittenRow[]> {
  const database = await Database.open(':memory:', 'READ_WRITE');
  try {
    await access(file);
    const { columns: found, rows } = await database.query(
      'select columns(*)::varchar from read_parquet($file)',
      { file },
    );
    const names = checkedColumns(
      file,
      found.map(({ name }) => name),
    );
    return rows.map((row, index) => ({
      line: index + 1,
      fields: Object.fromEntries(names.map((name, at) => [name, String(row[at] ?? '')])),
    }));
  } catch (cause) {
    if (cause instanceof FiguresFileError) throw cause;
    const problem =
      cause instanceof QueryError
        ? `cannot be read as Parquet: ${cause.message}`
        : textProblem(cause);
    throw new FiguresFileError(`${file} ${problem}`, { cause });
  } finally {
    database.close();
  }
}

/** @throws FiguresFileError for a column that is unknown, missing or there twice */
function checkedColumns(file: string, names: readonly string[]): string[] {
  const found = names.map((name) => name.trim().toLowerCase());
  const refuse = (message: string) => {
    throw new FiguresFileError(`${basename(file)}:1: ${message}`);
  };
  for (const [index, name] of found.entries()) {
    if (!(columns as string[]).includes(name))
      refuse(`there is no column ${JSON.stringify(names[index])}; ${hintAmong(name, columns)}`);
    if (found.indexOf(name) !== index) refuse(`the column ${name} is there twice`);
  }
  const missing = columns.filter((name) => !found.includes(name) && !optional.includes(name));
  if (missing.length > 0) refuse(`has no column ${missing.join(', ')}; add it`);
  if (!found.includes('day') && !found.includes('month'))
    refuse('has neither a column day nor a column month; add one');
  return found;
}

function readRow(
  { line, fields }: WrittenRow,
  profiles: readonly Profile[],
  isShared: boolean,
): { row: OwnFigure | null; mistakes: Mistake[] } {
  const blank = Object.fromEntries(columns.map((name) => [name, '']));
  const parsed = rowSchema.safeParse({ ...blank, ...fields });
  const mistakes = (parsed.error?.issues ?? []).map((issue): Mistake => {
    const column = issue.path[0] as Column;
    // the last alternative of a union is the one for a text that is not empty
    const union = issue.code === 'invalid_union' ? issue.errors.flat().at(-1) : null;
    const message = (union ?? issue).message;
    return { line, column, message: `${message}, got ${JSON.stringify(fields[column] ?? '')}` };
  });
  const complain = (column: Column, message: string) => {
    mistakes.push({ line, column, message });
  };
  const profile = namedProfile(fields['profile'] ?? '', profiles);
  if (typeof profile === 'string') complain('profile', profile);
  if (profile === null && isShared)
    complain('profile', 'is empty, and several clients have this file; name one');
  const { day, month } = parsed.data ?? {};
  if (parsed.data && (day === null) === (month === null))
    complain('day', `must stand in a row without month, and month without day`);
  if (!parsed.data || mistakes.length > 0 || typeof profile === 'string')
    return { row: null, mistakes };
  const { figure, value, kind, format } = parsed.data;
  const days = typeof day === 'string' ? daysOf(day) : daysOf(`${month}-01`, `${month}`);
  return { row: { line, profile, ...days, figure, value, kind, format }, mistakes };
}

function daysOf(firstDay: Day, month?: string): Pick<OwnFigure, 'firstDay' | 'lastDay' | 'grain'> {
  if (month === undefined) return { firstDay, lastDay: firstDay, grain: 'day' };
  const nextMonth = `${addDays(firstDay, 31).slice(0, 7)}-01`;
  return { firstDay, lastDay: addDays(nextMonth, -1), grain: 'month' };
}

/** Returns what is wrong with the name; null for an empty one. */
function namedProfile(text: string, profiles: readonly Profile[]): Profile | string | null {
  if (text === '') return null;
  const found = profiles.filter(({ workspace, id, name }) =>
    [name, id, `${workspace}/${name}`, `${workspace}/${id}`].includes(text),
  );
  const [profile] = found;
  if (profile && found.length === 1) return profile;
  if (profile)
    return `names ${found.length} profiles; write ${profile.workspace}/${profile.name}, or the id`;
  const known = profiles.map(({ name }) => name);
  return `there is no profile ${JSON.stringify(text)}; ${hintAmong(text, known)}`;
}

/** Finds rows of one figure that contradict each other. */
function contradictions(rows: readonly OwnFigure[]): Mistake[] {
  const firstOfFigure = new Map<string, OwnFigure>();
  const firstOfValue = new Map<string, OwnFigure>();
  return rows.flatMap((row): Mistake[] => {
    const { line, figure, profile, firstDay, grain } = row;
    const key = figure.toLowerCase();
    const valueKey = JSON.stringify([key, profile?.workspace, profile?.id, firstDay]);
    const first = firstOfFigure.get(key) ?? row;
    const same = firstOfValue.get(valueKey);
    firstOfFigure.set(key, first);
    firstOfValue.set(valueKey, same ?? row);
    const differs = (['figure', 'kind', 'format'] as const)
      .filter((column) => row[column] !== first[column])
      .map((column): Mistake => {
        const message = `is ${JSON.stringify(first[column])} in line ${first.line}, and must be so in all rows of the figure`;
        return { line, column, message };
      });
    if (grain !== first.grain)
      differs.push({
        ...{ line, column: grain },
        message: `the figure is given by ${first.grain} in line ${first.line}; give it by one of the two`,
      });
    else if (same)
      differs.push({
        ...{ line, column: grain },
        message: `the same profile and ${grain} stand in line ${same.line}, too; leave one out`,
      });
    return differs;
  });
}
