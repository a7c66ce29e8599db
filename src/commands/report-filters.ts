import { Option, type Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { ClientConfig, Config, PriceList } from '../config/config.ts';
import { periodNames } from '../config/period-names.ts';
import { compareModes } from '../config/reports-schema.ts';
import { hintAmong } from '../core/nearest.ts';
import { UsageError } from '../core/errors.ts';
import { resolvePeriod } from '../report/period.ts';
import {
  notesByDay,
  profileKinds,
  removedModes,
  type ReportParameters,
} from '../report/report-parameters.ts';
import { collect, oneOf, parseCpm, parseDay, parsePeriod, repeated } from './option-values.ts';

/** Adds the flags that say which posts a report is about, and how they are priced and compared. */
export function addReportFilters(command: CommandUnknownOpts) {
  return (command as Command)
    .option('--from <day>', 'first day of publication', parseDay)
    .option('--to <day>', 'last day of publication, inclusive', parseDay)
    .addOption(
      new Option(
        '--period <name>',
        'instead of --from and --to, by the calendar; also 2026-10, 2026-Q3 or 2026',
      )
        .choices(periodNames)
        .argParser(parsePeriod)
        .conflicts(['from', 'to']),
    )
    .option('--for <client>', 'as its client gets it: of its profiles alone, under its name')
    .option('--workspace <key>', 'only this one; may be repeated', collect)
    .option(
      '--profile <name>',
      'only this one: name, id, or <workspace>/<either>; may be repeated',
      collect,
    )
    .option('--campaign <name>', 'only this one; may be repeated', collect)
    .option('--label <name>', 'only posts that have it; may be repeated', collect)
    .option('--type <type>', 'only this one, for example Video; may be repeated', collect)
    .addOption(
      new Option('--kind <kind>', 'only the posts of pages, or of members')
        .choices(profileKinds)
        .argParser(repeated(oneOf(profileKinds))),
    )
    .option(
      '--exclude <post>',
      'without this LinkedIn post, by id or address; may be repeated',
      collect,
    )
    .option('--cpm <amount>', 'price every post at this CPM', parseCpm)
    .addOption(
      new Option('--prices <list>', 'price every post by this price list of jobs.yaml').conflicts(
        'cpm',
      ),
    )
    .option('--as-of <day>', 'as it would have been at the end of that day', parseDay)
    .addOption(
      new Option('--removed <mode>', 'posts that were deleted')
        .choices(removedModes)
        .default('exclude' as const),
    )
    .addOption(
      new Option('--compare <period>', 'the period before, the same days a year before, or nothing')
        .choices(compareModes)
        .default('previous' as const),
    )
    .option('--set <key=value>', 'a parameter of the report; may be repeated', collect);
}

type FilterOptions = ReturnType<ReturnType<typeof addReportFilters>['opts']>;

/** Reads the flags of `addReportFilters`, and the report's own parameters. @throws UsageError */
export function filtersOf(
  command: CommandUnknownOpts,
  { timezone, clients, prices }: Pick<Config, 'timezone' | 'clients' | 'prices'>,
  now: Date,
): {
  parameters: ReportParameters;
  set: Record<string, string>;
  client: ClientConfig | null;
} {
  const options = command.opts() as FilterOptions;
  const client = options.for === undefined ? null : clientOf(options.for, clients, '--for ');
  const { from = null, to = null, period = { from, to } } = options;
  const days = resolvePeriod(period, now, timezone);
  const named = options.prices ?? (options.cpm === undefined ? client?.prices : null) ?? null;
  const list = named === null ? null : listNamed(named, prices);
  const parameters = { ...parametersOf(options), ...days, ...clientKeys(client), prices: list };
  return { parameters, set: parseSet(options.set ?? []), client };
}

function clientKeys(
  client: ClientConfig | null,
): Pick<ReportParameters, 'scope' | 'targets' | 'figures' | 'notes'> {
  const { profiles: scope = null, targets = {}, figures = null, notes = [] } = client ?? {};
  return { scope, targets, figures, notes: notesByDay(notes) };
}

/** @throws UsageError for a key of none */
export function clientOf(key: string, clients: Config['clients'], flag = ''): ClientConfig {
  const client = clients.get(key);
  if (client) return client;
  const hint = clients.size > 0 ? hintAmong(key, [...clients.keys()]) : 'jobs.yaml has no clients';
  throw new UsageError(`${flag}${key}: there is no such client; ${hint}`);
}

/** @throws UsageError for a list that jobs.yaml does not have */
function listNamed(name: string, lists: Config['prices']): PriceList {
  const list = lists.get(name);
  if (list) return list;
  const hint = lists.size > 0 ? hintAmong(name, [...lists.keys()]) : 'jobs.yaml has no prices';
  throw new UsageError(`--prices ${name}: there is no such price list; ${hint}`);
}

function parametersOf(
  options: FilterOptions,
): Omit<ReportParameters, 'from' | 'to' | 'scope' | 'targets' | 'figures' | 'notes' | 'prices'> {
  return {
    workspaces: options.workspace ?? [],
    profiles: options.profile ?? [],
    campaigns: options.campaign ?? [],
    labels: options.label ?? [],
    types: options.type ?? [],
    kinds: options.kind ?? [],
    excluded: options.exclude ?? [],
    cpm: options.cpm ?? null,
    asOf: options.asOf ?? null,
    removed: options.removed,
    compare: options.compare,
  };
}

function parseSet(pairs: readonly string[]): Record<string, string> {
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageError(`--set ${pair}: write it as key=value`);
    values[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return values;
}
