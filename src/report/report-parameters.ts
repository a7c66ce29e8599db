import type { ClientConfig, CompareMode, Config, WorkspaceConfig } from '../config/config.ts';
import { firstAskedDays } from '../config/asked-days.ts';
import { type Day, dayOf, isDay } from '../core/calendar.ts';
import { UsageError } from '../core/errors.ts';
import type { ParameterDefinition } from './definition-schema.ts';
import type { ReportDefinition } from './report-catalog.ts';

export const removedModes = ['exclude', 'include', 'only'] as const;
/** What becomes of posts that were deleted. */
type RemovedMode = (typeof removedModes)[number];

/** What a report is asked for. A list's values are alternatives; all lists must be met; an empty one asks nothing. */
export interface ReportParameters {
  /** Days of `published_at` in the configured time zone, both inclusive; null: open. */
  readonly from: Day | null;
  readonly to: Day | null;
  /** As of a Period. */
  readonly soFarMonths?: 1 | 3 | 12;
  /** Of which profiles, by the workspace's key and their id; null: of all that are configured. */
  readonly scope: readonly { readonly workspace: string; readonly id: string }[] | null;
  readonly workspaces: readonly string[];
  /** Names or ids, also as `<workspace>/<name or id>`. */
  readonly profiles: readonly string[];
  /** Names; `(none)` are the posts without one. */
  readonly campaigns: readonly string[];
  /** Names; `(none)` are the posts without one. */
  readonly labels: readonly string[];
  readonly types: readonly string[];
  /** Currency units per thousand impressions, for every post; null: the API's EMV and the profiles' CPM. */
  readonly cpm: number | null;
  /** The report as it would have been at the end of that day; null: as things are. */
  readonly asOf: Day | null;
  readonly removed: RemovedMode;
  /** What a closed period is set beside: the one before, the same days a year before, or nothing. */
  readonly compare: CompareMode;
}

/** All posts of all configured profiles. */
export const allPosts: ReportParameters = {
  from: null,
  to: null,
  scope: null,
  workspaces: [],
  profiles: [],
  campaigns: [],
  labels: [],
  types: [],
  cpm: null,
  asOf: null,
  removed: 'exclude',
  compare: 'previous',
};

/** A report's own parameters by name, as its SQL takes them. */
export type SetValues = Readonly<Record<string, string | number | boolean | null>>;

/**
 * The values of `--set key=value` in the types that the report declares, defaults where nothing is set. Keys
 * that the report does not declare are left to the other reports of the command.
 * @throws UsageError for a value that is not of its type
 */
export function resolveSetValues(
  definition: ReportDefinition,
  set: Readonly<Record<string, string>>,
): SetValues {
  return Object.fromEntries(
    Object.entries(definition.parameters).map(([name, parameter]) => {
      const text = set[name];
      return [name, text === undefined ? parameter.default : typedValue(name, parameter, text)];
    }),
  );
}

/** @throws UsageError for a key that none of the reports has */
export function checkSetKeys(
  definitions: readonly ReportDefinition[],
  set: Readonly<Record<string, string>>,
): void {
  const known = new Set(definitions.flatMap((definition) => Object.keys(definition.parameters)));
  const unknown = Object.keys(set).find((key) => !known.has(key));
  if (unknown === undefined) return;
  const names = definitions.map((definition) => definition.name).join(', ');
  const allowed =
    known.size === 0 ? 'there is nothing to set' : `there is ${[...known].sort().join(', ')}`;
  throw new UsageError(`--set ${unknown}: no parameter of ${names}; ${allowed}`);
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
  throw new UsageError(`--set ${name}=${text}: it takes ${wanted}`);
}

/** What of the config reports are made with. */
export type ReportConfig = Pick<
  Config,
  'timezone' | 'currency' | 'locale' | 'language' | 'brand' | 'cpmBand' | 'warehouse'
> & {
  readonly workspaces: ReadonlyMap<string, Pick<WorkspaceConfig, 'profiles'>>;
  /** In its time zone: all days before it are over, and should have been read. */
  readonly today: Day;
  /** The first day that any job asks of a profile, by `<workspace>/<id>`. */
  readonly firstAskedDays: ReadonlyMap<string, Day>;
};

/**
 * Nothing else of it, such as keys.
 * @param client whom the report is for; null: nobody but its owner
 */
export function reportConfigOf(
  config: Config,
  client: ClientConfig | null,
  now: Date,
): ReportConfig {
  const { cpmBand, warehouse, workspaces } = config;
  const { timezone, currency, locale, language, brand } = client ?? config;
  const profiles = [...workspaces].map(([key, workspace]) => {
    return [key, { profiles: workspace.profiles }] as const;
  });
  const today = dayOf(now, timezone);
  return {
    ...{ timezone, currency, locale, language, brand, cpmBand, warehouse, today },
    workspaces: new Map(profiles),
    firstAskedDays: firstAskedDays(config, today),
  };
}
