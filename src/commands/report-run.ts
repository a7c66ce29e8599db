import { basename, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { Config, ReportFormat } from '../config/config.ts';
import { reportFormats } from '../config/reports-schema.ts';
import { hintAmong } from '../core/nearest.ts';
import { exitCodes, UsageError, type ExitCode } from '../core/errors.ts';
import { problemText } from '../core/machine-problem.ts';
import { renderReport, type ReportRequest } from '../output/report-output.ts';
import { readSentFigures } from '../deliver/sent-records.ts';
import { repricedSince } from '../pipeline/delivered-prices.ts';
import { ReportSessions } from '../output/report-sessions.ts';
import {
  builtInReports,
  examineReports,
  userReports,
  type ReportDefinition,
} from '../report/report-catalog.ts';
import { reportConfigOf } from '../report/report-parameters.ts';
import { checkSetKeys } from '../report/report-parameters.ts';
import type { Log } from '../core/log.ts';
import type { ReportDocument } from '../report/report-document.ts';
import type { CommandContext, Invoke } from './context.ts';
import { addLimits, limitsOf } from './limit-flags.ts';
import { collect, listOf } from './option-values.ts';
import { addReportFilters, filtersOf } from './report-filters.ts';

/** The formats when none is asked for. */
const tables: readonly ReportFormat[] = ['table'];
const files: readonly ReportFormat[] = ['csv', 'xlsx', 'html'];

export function addRun(report: Command, invoke: Invoke): void {
  const command = report
    .command('run')
    .description('render reports from the warehouse; makes no API calls')
    .argument('<name...>', 'reports, see: postledger report list');
  addReportFilters(command);
  addLimits(command, 'a report');
  command
    .option(
      '--section <name>',
      'only this one, of those in report list <name>; may be repeated',
      collect,
    )
    .option(
      '--format <formats>',
      `one or more of ${reportFormats.join(',')}`,
      listOf(reportFormats),
    )
    .option(
      '--out <dir>',
      'where files go; without --format as csv, xlsx and html (default: "./out")',
    )
    .option('--bom', 'CSV begins with a byte order mark, for spreadsheets that need one')
    .option(
      '--raw',
      'CSV with texts as they are, also those that a spreadsheet takes for a formula',
    )
    .option('--appendix', 'the HTML has its appendix on paper too')
    .addHelpText(
      'after',
      `
Without --format and --out it prints tables. Files are DIR/<report>.html|pdf|xlsx and
DIR/<report>/<section>.csv|json|parquet|md. PDF is the page as Chromium prints it, and needs one: Debian's
package chromium, or pdf.browser in jobs.yaml.

A period with a first and a last day is compared with the one of the same length before it, or with
--compare year with the same days a year before. Where its newest posts are under 14 days old, the earlier ones are
taken at the same age, if they were read then. In CSV a text that a spreadsheet would take for a formula has
an apostrophe before it, unless --raw is given.

Examples:
  $ postledger report run emv --from 2026-01-01 --to 2026-03-31
  $ postledger report run emv --period last_month
  $ postledger report run emv engagement video --format csv,xlsx,html --out ./q1
  $ postledger report run emv --cpm 45 --profile "Acme" --label Hiring
  $ postledger report run emv --for acme --period last_month --format pdf,xlsx --out ./acme
  $ postledger report run emv --from 2026-01-01 --to 2026-03-31 --compare year
  $ postledger report run growth --from 2026-01-01 --as-of 2026-02-28
  $ postledger report run removed --removed only --type Video --format md --out ./removed
  $ postledger report run engagement --set minimum_impressions=300 --format csv --bom --out ./for-excel
  $ postledger report run engagement --format csv,parquet --raw --out ./for-programs`,
    )
    .action((names, options) =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        const { clock, output, signal } = context;
        const now = clock.now();
        const named = await namedReports(config, names);
        const definitions = onlySections(named, options.section ?? []);
        const { parameters, set, client } = filtersOf(command, config, now);
        checkSetKeys(definitions, set);
        const { cpm, prices } = parameters;
        const priced = { cpm, prices, lists: config.prices };
        const request = {
          config: reportConfigOf(
            config,
            client,
            now,
            await readSentFigures(config.dataDir, client, repricedSince(client, priced)),
          ),
          browser: config.pdf.browser,
          parameters,
          set,
          formats: options.format ?? (options.out === undefined ? tables : files),
          folder: resolve(options.out ?? './out'),
          isDelivered: false,
          csv: { bom: options.bom === true, raw: options.raw === true },
          copy: { ...client?.copy, ...(options.appendix === true && { appendix: true }) },
          terminal: output,
        };
        const tools = { clock, signal, limits: limitsOf(command) };
        return ReportSessions.with(tools, (sessions) =>
          runReports(definitions, request, sessions, context),
        );
      }),
    );
}

/** @throws UsageError for a section that none of the reports has */
function onlySections(
  reports: readonly ReportDefinition[],
  names: readonly string[],
): readonly ReportDefinition[] {
  if (names.length === 0) return reports;
  const known = reports.flatMap(({ sections }) => sections.map(({ name }) => name));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const hint = hintAmong(unknown, known);
    throw new UsageError(`--section ${unknown}: there is no such section; ${hint}`);
  }
  return reports
    .map((report) => ({
      ...report,
      sections: report.sections.filter(({ name }) => names.includes(name)),
    }))
    .filter(({ sections }) => sections.length > 0);
}

/** One that fails does not affect the others. */
async function runReports(
  definitions: readonly ReportDefinition[],
  request: ReportRequest,
  sessions: ReportSessions,
  { output, log }: CommandContext,
): Promise<ExitCode> {
  let failed = 0;
  let empty = 0;
  for (const definition of definitions) {
    const {
      files: written,
      text,
      document,
      error,
    } = await renderReport(definition, request, sessions);
    output.write(text);
    for (const file of written) output.write(`${file}\n`);
    if (document && written.length > 0) warnOfUnread(document, log);
    const isEmpty = written.length === 0 && text === '';
    if (isEmpty) empty += 1;
    if (error === null) continue;
    // a filter is wrong for every report
    if (error instanceof UsageError) throw error;
    if (isEmpty && definitions.length === 1) throw error;
    const { name } = definition;
    log.error({ report: name }, `report ${name} failed: ${problemText(error)}`);
    failed += 1;
  }
  if (failed === 0) return exitCodes.done;
  return empty === definitions.length ? exitCodes.failed : exitCodes.partial;
}

/** Tables say it themselves. */
function warnOfUnread({ name: report, headline, unreadDays }: ReportDocument, log: Log): void {
  if (headline === null) return;
  const remedy = '`postledger status` says what was not read and why, `postledger run` reads it';
  log.warn({ report, unread: unreadDays }, `${report}: ${headline} ${remedy}`);
}

/**
 * The reports that a command names, each once; broken ones that it does not name are ignored.
 * @throws ReportDefinitionError for one that is broken
 * @throws UsageError for one that there is not
 */
export async function namedReports(
  config: Pick<Config, 'folder'>,
  names: readonly string[],
): Promise<ReportDefinition[]> {
  const { reports, errors } = await examineReports([builtInReports, userReports(config.folder)]);
  const broken = new Map([...errors].map(([folder, error]) => [basename(folder), error]));
  return [...new Set(names)].map((name) => {
    const error = broken.get(name);
    if (error) throw error;
    const definition = reports.get(name);
    if (definition) return definition;
    const all = [...reports.keys(), ...broken.keys()].sort();
    const hint = hintAmong(name, all);
    throw new UsageError(`there is no report ${JSON.stringify(name)}; ${hint}`);
  });
}
