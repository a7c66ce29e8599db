import { exitCodes } from '../core/errors.ts';
import {
  builtInReports,
  examineReports,
  userReports,
  type ReportDefinition,
} from '../report/report-catalog.ts';
import type { Output, Register } from './context.ts';
import { plainTable } from './plain-table.ts';

/** Adds `report list` to the group of report commands. */
export const registerReportList: Register = (report, invoke) => {
  report
    .command('list')
    .description('the reports found, with their parameters')
    .option('--json', 'as JSON')
    .action((options) =>
      invoke(async ({ loadConfig, output, log }) => {
        const { folder } = await loadConfig();
        const found = await examineReports([builtInReports, userReports(folder)]);
        const reports = [...found.reports.values()];
        output.write(options.json ? listJson(reports) : listText(reports, output));
        for (const { message } of found.errors.values()) log.error({}, message);
        return found.errors.size === 0 ? exitCodes.done : exitCodes.usage;
      }),
    );
};

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
