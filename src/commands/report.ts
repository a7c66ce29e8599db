import { resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { compareModes, reportFormats, type Config, type ReportFormat } from '../config/config.ts';
import { didYouMean } from '../config/nearest.ts';
import { exitCodes, PostledgerError, UsageError, type ExitCode } from '../core/errors.ts';
import { writeReport } from '../pipeline/report-files.ts';
import { renderTerminalTable } from '../render/terminal-table.ts';
import {
  builtInReports,
  findReports,
  userReports,
  type ReportDefinition,
} from '../report/report-catalog.ts';
import type { ReportDocument } from '../report/report-document.ts';
import { removedModes, type ReportParameters } from '../report/report-parameters.ts';
import { checkSetKeys } from '../report/set-values.ts';
import { openReportSession } from '../report/report-session.ts';
import type { CommandContext, Output, Register } from './context.ts';
import { collect, parseCpm, parseDay } from './option-values.ts';
import { plainTable } from './plain-table.ts';

/** What is made when no format is asked for. */
const tables: readonly ReportFormat[] = ['table'];
const files: readonly ReportFormat[] = ['csv', 'xlsx', 'html'];

export const registerReport: Register = (program, invoke) => {
  const report = program.command('report').description('list reports, and run them for any period');
  report
    .command('list')
    .description('the reports found, with their parameters')
    .option('--json', 'as JSON')
    .action((options) =>
      invoke(async ({ loadConfig, output }) => {
        const reports = [...(await reportsOf(await loadConfig())).values()];
        output.write(options.json ? listJson(reports) : listText(reports, output));
        return exitCodes.done;
      }),
    );
  report
    .command('run')
    .description('render reports from the warehouse; asks the API nothing')
    .argument('<name...>', 'reports, see: postledger report list')
    .option('--from <day>', 'first day of publication', parseDay)
    .option('--to <day>', 'last day of publication, inclusive', parseDay)
    .option('--workspace <key>', 'only this one; may be repeated', collect)
    .option('--profile <name>', 'only this one, name or id; may be repeated', collect)
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
    .option('--set <key=value>', 'a parameter of the report; may be repeated', collect)
    .option('--format <formats>', `one or more of ${reportFormats.join(',')}`, parseFormats)
    .option(
      '--out <dir>',
      'where files go; without --format as csv, xlsx and html (default: "./out")',
    )
    .addHelpText(
      'after',
      `
Without --format and --out it prints tables. Files are DIR/<report>.html, DIR/<report>.xlsx and
DIR/<report>/<section>.csv|json|parquet|md.

Examples:
  $ postledger report run emv --from 2026-01-01 --to 2026-03-31
  $ postledger report run emv engagement video --format csv,xlsx,html --out ./q1
  $ postledger report run emv --cpm 45 --profile "Acme" --label Hiring`,
    )
    .action((names, options) =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        const { format = options.out === undefined ? tables : files } = options;
        const definitions = selectReports(await reportsOf(config), names);
        const set = parseSet(options.set ?? []);
        checkSetKeys(definitions, set);
        return runReports(definitions, context, config, {
          parameters: {
            from: options.from ?? null,
            to: options.to ?? null,
            workspaces: options.workspace ?? [],
            profiles: options.profile ?? [],
            campaigns: options.campaign ?? [],
            labels: options.label ?? [],
            types: options.type ?? [],
            cpm: options.cpm ?? null,
            asOf: options.asOf ?? null,
            removed: options.removed,
            compare: options.compare,
          },
          set,
          formats: format,
          folder: resolve(options.out ?? './out'),
        });
      }),
    );
};

interface ReportRequest {
  readonly parameters: ReportParameters;
  readonly set: Readonly<Record<string, string>>;
  readonly formats: readonly ReportFormat[];
  readonly folder: string;
}

async function reportsOf(config: Config): Promise<ReadonlyMap<string, ReportDefinition>> {
  return findReports([builtInReports, userReports(config.folder)]);
}

function selectReports(
  known: ReadonlyMap<string, ReportDefinition>,
  names: readonly string[],
): ReportDefinition[] {
  return [...new Set(names)].map((name) => {
    const definition = known.get(name);
    if (definition) return definition;
    const all = [...known.keys()];
    const hint = didYouMean(name, all) || `known are ${all.join(', ')}`;
    throw new UsageError(`there is no report ${JSON.stringify(name)}; ${hint}`);
  });
}

/** One session for all, so that they show the same load; one that fails costs the others nothing. */
async function runReports(
  definitions: readonly ReportDefinition[],
  context: CommandContext,
  config: Config,
  { parameters, set, formats, folder }: ReportRequest,
): Promise<ExitCode> {
  const session = await openReportSession(config, parameters);
  let failed = 0;
  try {
    for (const definition of definitions) {
      try {
        const { document, files } = await writeReport({
          session,
          definition,
          set,
          formats,
          folder,
        });
        if (formats.includes('table')) context.output.write(documentText(document, context));
        for (const file of files) context.output.write(`${file}\n`);
      } catch (error) {
        if (!(error instanceof PostledgerError) || definitions.length === 1) throw error;
        context.log.error({ report: definition.name }, error.message);
        failed += 1;
      }
    }
  } finally {
    session.close();
  }
  if (failed === 0) return exitCodes.done;
  return failed === definitions.length ? exitCodes.failed : exitCodes.partial;
}

function documentText(document: ReportDocument, { output }: CommandContext): string {
  const options = { width: output.width, color: output.hasColor, ...document };
  const blocks = document.sections.map(
    (section) =>
      `${section.title}: ${section.finding ?? section.description}\n${renderTerminalTable(section, options)}`,
  );
  return `${[`${document.title}\n${document.coverage.join(' · ')}`, ...blocks].join('\n\n')}\n`;
}

function listText(reports: readonly ReportDefinition[], output: Output): string {
  const rows = reports.map((report) => [
    report.name,
    report.title,
    report.sections.map((section) => section.name).join(', '),
    Object.entries(report.parameters)
      .map(([name, { type, help }]) => `${name} (${type}): ${help}`)
      .join('; ') || '–',
  ]);
  return `${plainTable(['Report', 'Title', 'Sections', 'Parameters (--set)'], rows, output)}\n`;
}

function listJson(reports: readonly ReportDefinition[]): string {
  const rows = reports.map(({ name, title, description, folder, parameters, sections }) => ({
    name,
    title,
    description,
    folder,
    parameters,
    sections: sections.map((section) => section.name),
  }));
  return `${JSON.stringify(rows, null, 2)}\n`;
}

function parseFormats(text: string): ReportFormat[] {
  return text.split(',').map((part) => {
    const name = part.trim();
    const format = reportFormats.find((known) => known === name);
    if (format) return format;
    throw new UsageError(`--format ${name}: it takes ${reportFormats.join(', ')}`);
  });
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
