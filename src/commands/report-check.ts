import type { Command } from '@commander-js/extra-typings';
import { exitCodes } from '../core/errors.ts';
import { checkDefinitions } from '../output/report-output.ts';
import { builtInReports, findReports, userReports } from '../report/report-catalog.ts';
import type { CheckedReport } from '../report/report-check.ts';
import { reportConfigOf } from '../report/report-parameters.ts';
import { ReportDefinitionError } from '../report/report-errors.ts';
import { printResult, type Invoke, type Output } from './context.ts';
import { addLimits, limitsOf } from './limit-flags.ts';
import { listing, type Listing } from './listing.ts';
import { namedReports } from './report-run.ts';
import { plural } from '../core/wording.ts';

export function addCheck(report: Command, invoke: Invoke): void {
  const command = report.command('check');
  addLimits(command, 'each report');
  command
    .description(
      'check reports against the warehouse, and list all mistakes and the columns of each section',
    )
    .argument('[name...]', 'reports, see: postledger report list; all when none is named')
    .option('--json', 'columns and mistakes as JSON')
    .addHelpText(
      'after',
      `
Each SQL file is planned in the warehouse with the report's parameters at their defaults; nothing is written.

Examples:
  $ postledger report check
  $ postledger report check hiring
  $ postledger report check hiring --json`,
    )
    .action((names, options) =>
      invoke(async ({ loadConfig, output, clock, signal }) => {
        const config = await loadConfig();
        const folders = [builtInReports, userReports(config.folder)];
        const definitions =
          names.length === 0
            ? [...(await findReports(folders)).values()]
            : await namedReports(config, names);
        const tools = { clock, signal, limits: limitsOf(command) };
        const reports = await checkDefinitions(
          reportConfigOf(config, null, clock.now()),
          definitions,
          tools,
        );
        printResult(output, options, reports.map(checkResult), () => checkText(reports, output));
        refuseFaults(reports);
        return exitCodes.done;
      }),
    );
}

/** @throws ReportDefinitionError with every fault of every report or alert */
export function refuseFaults(checked: readonly Pick<CheckedReport, 'faults'>[]): void {
  const faults = checked.flatMap((each) => each.faults);
  if (faults.length > 0) throw new ReportDefinitionError(faults);
}

/** One line, for where nothing is wrong. */
export function checkSentence(reports: readonly CheckedReport[]): string {
  const fallbackReason =
    reports.find((report) => report.fallbackReason !== null)?.fallbackReason ?? null;
  const queries = reports.reduce((sum, report) => sum + report.queries, 0);
  const what = `${plural(reports.length, 'report')}, ${plural(queries, 'SQL file')}`;
  if (fallbackReason === null) return `${what}: all are valid.`;
  return `${what}: all are valid. They were checked against an empty warehouse: ${fallbackReason}.`;
}

function checkText(reports: readonly CheckedReport[], output: Output): string {
  const blocks = reports.map((report) => reportText(report, output));
  const isRight = reports.every(({ faults }) => faults.length === 0);
  return `${blocks.join('\n')}${isRight ? `\n${checkSentence(reports)}\n` : ''}`;
}

function reportText({ name, sections }: CheckedReport, output: Output): string {
  const rows = sections.flatMap(({ name: section, columns }) =>
    columns.map((column) => ({ section, ...column })),
  );
  const list: Listing<(typeof rows)[number]> = {
    rows,
    columns: [
      ['Section', ({ section }) => section, { isGroup: true }],
      ['Column', ({ name: column }) => column],
      ['Type', ({ type }) => type],
      ['Format', ({ format }) => format],
      ['Title', ({ title }) => title],
    ],
  };
  return `Report ${name}\n\n${listing(list, output)}\n`;
}

function checkResult({ name, queries, fallbackReason, sections, faults }: CheckedReport) {
  const warehouse = fallbackReason === null ? 'read' : 'empty';
  return { report: name, queries, warehouse, sections, faults };
}
