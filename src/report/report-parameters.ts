import type {
  ClientConfig,
  CompareMode,
  Config,
  FiguresFile,
  JobConfig,
  PriceList,
  WorkspaceConfig,
} from '../config/config.ts';
import { firstAskedDays } from '../config/asked-days.ts';
import { type Day, dayOf, isDay } from '../core/calendar.ts';
import { UsageError } from '../core/errors.ts';
import type { ParameterDefinition } from './definition-schema.ts';
import type { ReportDefinition } from './report-catalog.ts';

export const removedModes = ['exclude', 'include', 'only'] as const;
/** LinkedIn counts clicks for pages only, and saves and sends for members only. */
export const profileKinds = ['page', 'member'] as const;
type ProfileKind = (typeof profileKinds)[number];

/** The treatment of posts that were deleted. */
type RemovedMode = (typeof removedModes)[number];

/**
 * The parameters of a report. The values of a list are alternatives; all lists must be met; an empty list
 * sets no condition.
 */
export interface ReportParameters {
  /** Days of `published_at` in the configured time zone. Both ends are inclusive; null means open. */
  readonly from: Day | null;
  readonly to: Day | null;
  /** The same as in {@link Period}. */
  readonly soFarMonths?: 1 | 3 | 12;
  readonly isOver?: boolean;
  /** The profiles of the report by workspace key and id. Null for all configured profiles. */
  readonly scope: readonly { readonly workspace: string; readonly id: string }[] | null;
  readonly workspaces: readonly string[];
  /** Names or ids, optionally as `<workspace>/<name or id>`. */
  readonly profiles: readonly string[];
  /** Names of campaigns. `(none)` selects the posts without one. */
  readonly campaigns: readonly string[];
  /** Names of labels. `(none)` selects the posts without one. */
  readonly labels: readonly string[];
  readonly types: readonly string[];
  /** The kinds of the profiles whose posts are included. */
  readonly kinds: readonly ProfileKind[];
  /** Ids or addresses of LinkedIn posts that are left out. */
  readonly excluded: readonly string[];
  /**
   * The price of a thousand impressions, applied to every post. If it is null, EMV comes from the API and the
   * profiles' CPM.
   */
  readonly cpm: number | null;
  /** The price list at which every post is priced, in place of a CPM. */
  readonly prices: PriceList | null;
  /** The day at whose end the report is taken. Null for the present state. */
  readonly asOf: Day | null;
  readonly removed: RemovedMode;
  /**
   * The period that a closed period is compared with: the previous one, the same days a year before, or none.
   */
  readonly compare: CompareMode;
  /** The monthly targets by figure. They hold for all posts, so a filter of these leaves them out. */
  readonly targets: JobConfig['targets'];
  /** Figures that the API does not give. They belong to no post, so a filter of posts leaves them out. */
  readonly figures: FiguresFile | null;
  /** The events that charts over time mark, by day. */
  readonly notes: ClientConfig['notes'];
}

/** The parameters for all posts of all configured profiles. */
export const allPosts: ReportParameters = {
  from: null,
  to: null,
  scope: null,
  workspaces: [],
  profiles: [],
  campaigns: [],
  labels: [],
  types: [],
  kinds: [],
  excluded: [],
  cpm: null,
  prices: null,
  asOf: null,
  removed: 'exclude',
  compare: 'previous',
  targets: {},
  figures: null,
  notes: [],
};

export function notesByDay(notes: ReportParameters['notes']): ReportParameters['notes'] {
  return notes.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** The values of a report's own parameters by name, as its SQL takes them. */
export type SetValues = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Returns the values of `--set key=value` in the types that the report declares, with defaults for the
 * others. Keys that the report does not declare are ignored, since they may be meant for other reports of the
 * command.
 * @throws UsageError if a value does not have its type
 */
export function resolveSetValues(
  definition: Pick<ReportDefinition, 'parameters'>,
  set: Readonly<Record<string, string>>,
): SetValues {
  return Object.fromEntries(
    Object.entries(definition.parameters).map(([name, parameter]) => {
      const text = set[name];
      return [name, text === undefined ? parameter.default : typedValue(name, parameter, text)];
    }),
  );
}

/** Returns those of the report's own parameters that are not its defaults. */
export function changedValues<Value>(
  { parameters }: Pick<ReportDefinition, 'parameters'>,
  values: Readonly<Record<string, Value>>,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== parameters[name]?.default),
  );
}

/**
 * Checks that each key is a parameter of some report.
 * @throws UsageError if one is not
 */
export function checkSetKeys(
  definitions: readonly Pick<ReportDefinition, 'name' | 'parameters'>[],
  set: Readonly<Record<string, string>>,
): void {
  const known = new Set(definitions.flatMap((definition) => Object.keys(definition.parameters)));
  const unknown = Object.keys(set).find((key) => !known.has(key));
  if (unknown === undefined) return;
  const names = definitions.map((definition) => definition.name).join(', ');
  const allowed =
    known.size === 0
      ? 'there are no parameters'
      : `the parameters are ${[...known].sort().join(', ')}`;
  throw new UsageError(`--set ${unknown}: not a parameter of ${names}; ${allowed}`);
}

function typedValue(
  name: string,
  parameter: ParameterDefinition,
  text: string,
): string | number | boolean {
  switch (parameter.type) {
    case 'text':
      return text;
    case 'integer':
      return checked(name, text, 'a whole number', Number(text), /^-?\d{1,15}$/.test(text));
    case 'number':
      return checked(name, text, 'a number', Number(text), /^-?\d+(\.\d+)?$/.test(text));
    case 'boolean':
      return checked(name, text, 'true or false', text === 'true', /^(true|false)$/.test(text));
    case 'date':
      return checked(name, text, 'a day as YYYY-MM-DD', text, isDay(text));
  }
}

function checked<Value>(
  name: string,
  text: string,
  wanted: string,
  value: Value,
  isValid: boolean,
): Value {
  if (isValid) return value;
  throw new UsageError(`--set ${name}=${text}: the value must be ${wanted}`);
}

/** A figure of a report that a client was sent. */
export interface SentFigure {
  readonly report: string;
  readonly from: Day;
  readonly to: Day;
  /** ISO 8601. */
  readonly sentAt: string;
  /** Its name, such as `emv`. */
  readonly figure: string;
  readonly value: number;
  /** True if the posts of its days have other prices today. */
  readonly isRepriced: boolean;
}

/** The part of the config that reports need. */
export type ReportConfig = Pick<
  Config,
  'timezone' | 'currency' | 'locale' | 'language' | 'brand' | 'cpmBand' | 'warehouse'
> & {
  readonly workspaces: ReadonlyMap<string, Pick<WorkspaceConfig, 'profiles'>>;
  /** True if the report is for a client, whose profiles are then its scope. */
  readonly isForClient: boolean;
  /** The name of the price list of the client, which stands below the figures and in no title. */
  readonly clientPrices: string | null;
  /** Today in the report's time zone. All earlier days are over and should have been read. */
  readonly today: Day;
  /** What the client was sent before. */
  readonly sent: readonly SentFigure[];
  /** The first day that any job reads of a profile, by `<workspace>/<id>`. */
  readonly firstAskedDays: ReadonlyMap<string, Day>;
};

/**
 * Selects the part of the config that reports need, which contains no keys.
 * @param client the client that the report is for; null for the owner's own report
 * @param sent what the client was sent before
 */
export function reportConfigOf(
  config: Config,
  client: ClientConfig | null,
  now: Date,
  sent: readonly SentFigure[] = [],
): ReportConfig {
  const { cpmBand, warehouse, workspaces } = config;
  const { timezone, currency, locale, language, brand } = client ?? config;
  const profiles = [...workspaces].map(([key, workspace]) => {
    return [key, { profiles: workspace.profiles }] as const;
  });
  const today = dayOf(now, timezone);
  return {
    timezone,
    currency,
    locale,
    language,
    brand,
    cpmBand,
    warehouse,
    today,
    workspaces: new Map(profiles),
    isForClient: client !== null,
    clientPrices: client?.prices ?? null,
    sent,
    firstAskedDays: firstAskedDays(config, today),
  };
}
