import { Option, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { compareModes, periodNames, type PeriodName } from '../config/config.ts';
import { UsageError } from '../core/errors.ts';
import { resolvePeriod } from '../report/period.ts';
import { removedModes, type ReportParameters } from '../report/report-parameters.ts';
import { collect, parseCpm, parseDay } from './option-values.ts';

/** Adds the flags that say which posts a report is about, and how they are priced and compared. */
export function addReportFilters(command: CommandUnknownOpts): void {
  command
    .option('--from <day>', 'first day of publication', parseDay)
    .option('--to <day>', 'last day of publication, inclusive', parseDay)
    .addOption(
      new Option('--period <name>', 'instead of --from and --to, days up to today')
        .choices(periodNames)
        .conflicts(['from', 'to']),
    )
    .option('--workspace <key>', 'only this one; may be repeated', collect)
    .option(
      '--profile <name>',
      'only this one: name, id, or <workspace>/<either>; may be repeated',
      collect,
    )
    .option('--campaign <name>', 'only this one; may be repeated', collect)
    .option('--label <name>', 'only posts that have it; may be repeated', collect)
    .option('--type <type>', 'only this one, for example Video; may be repeated', collect)
    .option('--cpm <amount>', 'price every post at this CPM', parseCpm)
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

interface FilterOptions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly period?: PeriodName | undefined;
  readonly workspace?: string[] | undefined;
  readonly profile?: string[] | undefined;
  readonly campaign?: string[] | undefined;
  readonly label?: string[] | undefined;
  readonly type?: string[] | undefined;
  readonly cpm?: number | undefined;
  readonly asOf?: string | undefined;
  readonly removed?: ReportParameters['removed'];
  readonly compare?: ReportParameters['compare'];
  readonly set?: string[] | undefined;
}

/** What a period's name is counted from. */
interface Today {
  readonly now: Date;
  readonly timezone: string;
}

/** What the flags of `addReportFilters` ask for, with the report's own parameters. @throws UsageError */
export function filtersOf(
  command: CommandUnknownOpts,
  today: Today,
): {
  parameters: ReportParameters;
  set: Record<string, string>;
} {
  const options = command.opts() as FilterOptions;
  return { parameters: parametersOf(options, today), set: parseSet(options.set ?? []) };
}

function parametersOf(options: FilterOptions, { now, timezone }: Today): ReportParameters {
  const { from = null, to = null, period = { from, to } } = options;
  return {
    ...resolvePeriod(period, now, timezone),
    scope: null,
    workspaces: options.workspace ?? [],
    profiles: options.profile ?? [],
    campaigns: options.campaign ?? [],
    labels: options.label ?? [],
    types: options.type ?? [],
    cpm: options.cpm ?? null,
    asOf: options.asOf ?? null,
    removed: options.removed ?? 'exclude',
    compare: options.compare ?? 'previous',
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
