import { relative } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { exitCodes } from '../core/errors.ts';
import { writeNewReport } from '../report/new-report.ts';
import {
  builtInReports,
  examineReports,
  userReports,
  type ReportDefinition,
} from '../report/report-catalog.ts';
import { printResult, type Invoke, type Output, type Register } from './context.ts';
import { plainTable } from './plain-table.ts';
import { addCheck } from './report-check.ts';
import { addPreview } from './report-preview.ts';
import { addRun } from './report-run.ts';

export const registerReport: Register = (program, invoke) => {
  const report = program.command('report');
  addList(report, invoke);
  addRun(report, invoke);
  addNew(report, invoke);
  addPreview(report, invoke);
  addCheck(report, invoke);
};

function addList(report: Command, invoke: Invoke): void {
  report
    .command('list')
    .description('the reports found, with their parameters')
    .option('--json', 'as JSON')
    .action((options) =>
      invoke(async ({ loadConfig, output, log }) => {
        const { folder } = await loadConfig();
        const found = await examineReports([builtInReports, userReports(folder)]);
        const reports = [...found.reports.values()];
        printResult(output, options, reports.map(listed), () => listText(reports, output));
        for (const { message } of found.errors.values()) log.error({}, message);
        return found.errors.size === 0 ? exitCodes.done : exitCodes.usage;
      }),
    );
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

function listed(report: ReportDefinition) {
  const { name, title, description, folder, parameters, sections } = report;
  const sectionNames = sections.map((section) => section.name);
  return { name, title, description, folder, parameters, sections: sectionNames };
}

function addNew(report: Command, invoke: Invoke): void {
  report
    .command('new')
    .description('write a commented report of your own to start from')
    .argument('<name>', 'of its folder: a-z, 0-9, _ and -')
    .addHelpText(
      'after',
      `
It goes to reports/<name>/ beside the config file, and works at once.

Examples:
  $ postledger report new hiring
  $ postledger report preview hiring`,
    )
    .action((name) =>
      invoke(async ({ configFile, output }) => {
        const { folder, files } = await writeNewReport(configFile, name);
        const shown = relative('.', folder) || '.';
        output.write(
          `${files.map((file) => `${shown}/${file}`).join('\n')}

Next:
  1. postledger report preview ${name}   shows it in the browser, and again on each save
  2. change report.yaml and the SQL files; docs/own-reports.md says what they can hold
  3. postledger report check ${name}     finds every mistake, and shows the columns of each section
`,
        );
        return exitCodes.done;
      }),
    );
}
