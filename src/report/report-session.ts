import { linkedInPostTypes } from '../api/schemas/vocabulary.ts';
import { hintAmong } from '../core/nearest.ts';
import type { Day } from '../core/calendar.ts';
import { UsageError } from '../core/errors.ts';
import type { Cell } from '../languages/number-format.ts';
import { type Language, english, readLanguage, translate } from '../languages/phrases.ts';
import type { PriceList } from '../config/config.ts';
import type { DatabaseValue } from '../warehouse/cell.ts';
import type { Database } from '../warehouse/database.ts';
import { locateErrors } from '../warehouse/engine-error.ts';
import type { Parameters } from '../warehouse/parameters.ts';
import { lockDown, type EngineLimits } from '../warehouse/engine-limits.ts';
import { type OwnFigureRow, ownFigureRow, readOwnFigures } from '../warehouse/own-figures.ts';
import { openWarehouse } from '../warehouse/warehouse.ts';
import { type MetricName, readMetricNames, withMetricNames } from './metric-names.ts';
import { type ClosedPeriod, comparedMonths, comparedPeriod, wholeMonths } from './period.ts';
import type { NewestRun, UnreadDays } from './report-document.ts';
import type { ReportConfig, ReportParameters } from './report-parameters.ts';
import { type ReportScope, hideCatalog, reportScope, scopeParameters } from './report-scope.ts';
import { SessionTables } from './session-tables.ts';

export type { ReportConfig };

/**
 * The published warehouse, open for reading, with the tables and views that sections read. The caller closes it.
 */
export interface ReportSession {
  readonly database: Database;
  readonly tables: SessionTables;
  readonly config: ReportConfig;
  readonly language: Language;
  readonly metrics: readonly MetricName[];
  readonly parameters: ReportParameters;
  readonly scope: ReportScope;
  /**
   * The period to compare with. At equal age it ends with the day as of which its posts are taken. Null if
   * there is none, or if no profile was read in both periods.
   */
  readonly previousPeriod: ClosedPeriod | null;
  /**
   * True if the posts of that period have the figures that they had at the present age of this period's
   * posts.
   */
  readonly isAtEqualAge: boolean;
  /** The time of the newest reading, ISO 8601 in UTC. Null if there is none. */
  readonly dataAsOf: string | null;
  readonly newestRun: NewestRun | null;
  /** True if every profile was read for all days of the period that are over. */
  readonly isComplete: boolean;
  /** True if any day of the period was read for any profile. */
  readonly isBegun: boolean;
  readonly unreadDays: readonly UnreadDays[];
  /** Patterns of the names of figures that could not be read of some posts of the period. */
  readonly unreadableFigures: readonly RegExp[];
  /** The grain of time that fits the posts. Data are by month always. */
  readonly fittingGrain: TimeGrain;
  /** What the price lists of the report price, such as `clicks`. None where a CPM alone makes EMV. */
  readonly listedPrices: readonly string[];
  /**
   * The 12 months over which a period of a month or two is drawn: the phrase `over` and its values. Null for a longer
   * one, and where there are no earlier posts.
   */
  readonly overYear: Readonly<Record<string, Cell>> | null;
  /** The sentences about what was not read, as rows with placeholders. */
  readonly unread: readonly Readonly<Record<string, DatabaseValue>>[];
  /** Reads the sentences about loaded data that look wrong, as rows with placeholders, once a session. */
  readonly warnings: () => Promise<readonly Readonly<Record<string, DatabaseValue>>[]>;
  /** The reason why an empty warehouse is read instead of the configured one. Null except in checks. */
  readonly fallbackReason: string | null;
  close(): void;
}

type TimeGrain = 'week' | 'month' | 'quarter';

export interface SessionOptions {
  /**
   * The absolute path of the only folder that a report's SQL and exports may access. By default there is
   * none.
   */
  readonly folder?: string;
  /** The resource limits. By default they are those of the program's own statements. */
  readonly limits?: EngineLimits;
}

/**
 * Opens the published warehouse and creates `report_posts` and the related views (sql/report/views.sql) for
 * these parameters. Any number of reports can be built from one session; all of them see the same load.
 * @throws WarehouseMissingError before the first load
 * @throws UsageError if the parameters contradict each other, or if a filter's value is unknown
 */
export async function openReportSession(
  config: ReportConfig,
  parameters: ReportParameters,
  options: SessionOptions = {},
): Promise<ReportSession> {
  const { from, to } = parameters;
  if (from !== null && to !== null && from > to)
    throw new UsageError(`--from ${from} is after --to ${to}; swap them`);
  const { profiles, isEverything } = reportScope(config, parameters);
  const workspaces = profiles.map(({ workspace }) => workspace);
  const database = await openWarehouse(config.warehouse, {
    limits: options.limits,
    ...(!isEverything && { workspaces }),
  });
  return prepareSession(database, config, parameters, options);
}

/** Prepares a session on an open warehouse, which is closed with the session, or if the preparation fails. */
export async function prepareSession(
  database: Database,
  config: ReportConfig,
  given: ReportParameters,
  options: SessionOptions = {},
): Promise<ReportSession> {
  const close = () => database.close();
  try {
    const language = await readLanguage(config.language);
    const parameters = { ...given, types: given.types.map((word) => typeNamed(word, language)) };
    const scope = reportScope(config, parameters);
    const catalog = await hideCatalog(database);
    const figures = await figuresOf(scope, config, parameters);
    const bound = {
      ...scopeParameters(scope, config),
      ...boundParameters(config, parameters),
      own_figures: JSON.stringify(figures),
    };
    const tables = new SessionTables(database, catalog, bound);
    await database.run(`set disabled_optimizers = '${disabledOptimizers}'`);
    // a lake reads its catalog's snapshot once for each transaction
    const described = await database.transaction(async () => {
      await tables.makeScope();
      await checkFilterValues(tables, scope, parameters);
      await tables.addOnDemand(parameters.asOf !== null, pricesOf(parameters) !== null);
      await tables.make(['report_candidates']);
      await tables.setVariables(database);
      return describeSession(database, tables, config, language);
    });
    await database.run(locateErrors);
    await lockDown(database, options.folder ?? null);
    return { ...described, tables, parameters, scope, close };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * The optimizers of DuckDB that are off in a session. `common_subplan` keeps the rows that two parts of a query have in common
 * in memory, for example all snapshots of all posts, where it would read the table again. `build_side_probe_side` chooses
 * which side of a join is held in memory: it expects few posts to pass many filters, and holds all posts with their texts, or
 * all readings of a warehouse, beside a few; without it that is the right side, as the query says.
 */
const disabledOptimizers = 'common_subplan,build_side_probe_side';

/** Returns the type that reports in the language, or in English, write so; any other word as it is. */
function typeNamed(word: string, language: Language): string {
  const isWritten = (type: string) =>
    [english, language].some((each) => translate(type, each).toLowerCase() === word.toLowerCase());
  return linkedInPostTypes.find(isWritten) ?? word;
}

/** A row of sql/report/unknown_values.sql. */
interface UnknownValue {
  readonly kind: string;
  readonly value: string;
  /** Null if the kind has no names. */
  readonly known: readonly string[] | null;
}

/**
 * Checks the values of the filters.
 * @throws UsageError that names each value that is unknown within the report's scope, and those that are known
 */
async function checkFilterValues(
  tables: SessionTables,
  { knownWorkspaces, knownProfiles }: ReportScope,
  { workspaces, profiles, campaigns, labels, types, excluded }: ReportParameters,
): Promise<void> {
  const asked = { workspaces, profiles, campaigns, labels, types, excluded };
  if (Object.values(asked).every((values) => values.length === 0)) return;
  const unknown = await tables.query<UnknownValue>('report/unknown_values', {
    ...asked,
    known_types: linkedInPostTypes,
    known_workspaces: knownWorkspaces,
    known_profiles: knownProfiles,
  });
  if (unknown.length === 0) return;
  const faults = unknown.map(({ kind, value, known }) => {
    const flag = `--${kind} ${value}`;
    if (kind === 'exclude') return `${flag}: no post has that id or address`;
    return `${flag}: there is no such ${kind}; ${hintAmong(value, known ?? [])}`;
  });
  throw new UsageError(faults.join('\n'));
}

function boundParameters(config: ReportConfig, parameters: ReportParameters): Parameters {
  const previous = comparedPeriod(parameters, parameters.compare);
  const targets = isNarrowed(parameters) ? {} : parameters.targets;
  const given = pricesOf(parameters);
  return {
    timezone: config.timezone,
    currency: config.currency,
    locale: config.locale,
    cpm_low: config.cpmBand?.low ?? null,
    cpm_high: config.cpmBand?.high ?? null,
    from: parameters.from,
    to: parameters.to,
    previous_from: previous?.from ?? null,
    previous_to: previous?.to ?? null,
    period_months: wholeMonths(parameters),
    compare: parameters.compare,
    previous_months: comparedMonths(parameters, parameters.compare),
    so_far_months: parameters.soFarMonths ?? null,
    targets: JSON.stringify(targets),
    today: config.today,
    closed_to: parameters.isOver === true && parameters.asOf === null ? parameters.to : null,
    cpm: parameters.cpm,
    prices: given && JSON.stringify(given.editions),
    prices_name: given?.name ?? null,
    priced_by: given?.name === null ? 'cpm' : 'prices',
    as_of: parameters.asOf,
    removed: parameters.removed,
    sent_reports: config.sent.map(({ report }) => report),
    sent_from: config.sent.map(({ from }) => from),
    sent_to: config.sent.map(({ to }) => to),
    sent_at: config.sent.map(({ sentAt }) => sentAt),
    sent_figures: config.sent.map(({ figure }) => figure),
    sent_values: config.sent.map(({ value }) => String(value)),
    sent_repriced: config.sent.map(({ isRepriced }) => String(isRepriced)),
    campaigns: parameters.campaigns,
    labels: parameters.labels,
    types: parameters.types,
    kinds: parameters.kinds,
    excluded: parameters.excluded,
  };
}

/** The prices of the report itself, which a CPM is, too; null to use what the API gives and the profiles' prices. */
function pricesOf({ cpm, prices }: ReportParameters): PriceList | null {
  if (cpm === null) return prices;
  return { name: null, editions: [{ from: null, prices: { impressions: cpm } }] };
}

/** Tells whether a filter selects some of the posts of the scope. */
function isNarrowed(parameters: ReportParameters): boolean {
  const { workspaces, profiles } = parameters;
  return [workspaces, profiles].some((values) => values.length > 0) || isOfSomePosts(parameters);
}

/** Tells whether a filter selects some of the posts of each profile. */
function isOfSomePosts(parameters: ReportParameters): boolean {
  const { campaigns, labels, types, kinds, excluded, removed } = parameters;
  const filters = [campaigns, labels, types, kinds, excluded];
  return removed === 'only' || filters.some((values) => values.length > 0);
}

/**
 * Reads the figures of the scope that the API does not give. Those of no single profile are in a report on all profiles.
 * @throws FiguresFileError
 */
async function figuresOf(
  { profiles }: ReportScope,
  { workspaces }: ReportConfig,
  parameters: ReportParameters,
): Promise<readonly OwnFigureRow[]> {
  const { figures, asOf } = parameters;
  if (figures === null || isOfSomePosts(parameters)) return [];
  const rows = await readOwnFigures(figures, profiles, workspaces);
  const isOfAll = !isNarrowed(parameters);
  return rows
    .filter(
      ({ profile, lastDay }) => (profile !== null || isOfAll) && (asOf === null || lastDay <= asOf),
    )
    .map(ownFigureRow);
}

async function describeSession(
  database: Database,
  tables: SessionTables,
  config: ReportConfig,
  language: Language,
): Promise<Omit<ReportSession, 'tables' | 'parameters' | 'scope' | 'close'>> {
  await tables.make(['report_settings', 'report_over_year']);
  const [row] = await database.queryObjects(
    "select previous_from, previous_to, is_equal_age, is_begun, is_complete, data_as_of, getvariable('_fitting_grain') as grain, getvariable('_listed_prices') as listed_prices from report_settings",
  );
  const from = row?.['previous_from'] as Day | null;
  const to = row?.['previous_to'] as Day | null;
  const metrics = await readMetricNames(database);
  const [overYear = null] =
    await database.queryObjects<Record<string, Cell>>('from report_over_year');
  const unreadable = await tables.query<{ figures: string }>('report/unreadable_figures');
  const [run] = await tables.query<NewestRunRow>('report/newest_run');
  let warnings: ReturnType<ReportSession['warnings']> | null = null;
  return {
    database,
    config,
    language: withMetricNames(language, metrics),
    metrics,
    previousPeriod: from === null || to === null ? null : { from, to },
    isAtEqualAge: row?.['is_equal_age'] === true,
    isComplete: row?.['is_complete'] === true,
    fittingGrain: row?.['grain'] as TimeGrain,
    listedPrices: row?.['listed_prices'] as string[],
    overYear,
    isBegun: row?.['is_begun'] === true,
    unreadDays: await tables.query<UnreadDays>('report/missing_days'),
    dataAsOf: row?.['data_as_of'] as string | null,
    unreadableFigures: unreadable.map(({ figures }) => new RegExp(figures)),
    newestRun: run ? { runId: run.run_id, job: run.job, finishedAt: run.finished_at } : null,
    unread: await tables.query('report/unread_sentences'),
    warnings: () => (warnings ??= tables.query('report/warning_sentences')),
    fallbackReason: null,
  };
}

/** A row of sql/report/newest_run.sql. */
interface NewestRunRow {
  readonly run_id: string;
  readonly job: string;
  readonly finished_at: string | null;
}
