import { dirname, relative } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { exitCodes } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { wrapTerminal } from '../core/terminal-width.ts';
import {
  builtInReports,
  examineReports,
  userReports,
  type ReportDefinition,
} from '../report/report-catalog.ts';
import { printResult, type Invoke, type Output, type Register } from './context.ts';
import { fieldLines } from './view.ts';

type AddCommand = (report: Command, invoke: Invoke) => void;

/** The commands in the order of the help. `list` needs no database, so the others are imported when they are named. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  list: () => Promise.resolve(addList),
  run: async () => (await import('./report-run.ts')).addRun,
  new: () => Promise.resolve(addNew),
  preview: async () => (await import('./report-preview.ts')).addPreview,
  check: async () => (await import('./report-check.ts')).addCheck,
};

/** The group, with those of its commands that `args` name, or all. */
export async function importReport(
  args: readonly string[],
): Promise<{ readonly register: Register }> {
  const named = Object.keys(commands).filter((name) => args.includes(name));
  const names = named.length > 0 ? named : Object.keys(commands);
  const added = await Promise.all(names.flatMap((name) => commands[name]?.() ?? []));
  return {
    register: (program, invoke) => {
      const report = program.command('report');
      for (const add of added) add(report, invoke);
    },
  };
}

function addList(report: Command, invoke: Invoke): void {
  report
    .command('list')
    .description('the reports found, or what one of them has')
    .argument('[name]', 'a report: its sections and parameters')
    .option('--json', 'as JSON')
    .action((name, options) =>
      invoke(async ({ configFile, output, log }) => {
        const folder = dirname(configFile);
        if (name !== undefined) {
          const { namedReports } = await import('./report-run.ts');
          const [named] = await namedReports({ folder }, [name]);
          if (named) printResult(output, options, listed(named), () => reportText(named, output));
          return exitCodes.done;
        }
        const found = await examineReports([builtInReports, userReports(folder)]);
        const reports = [...found.reports.values()];
        printResult(output, options, reports.map(listed), () => listText(reports, output));
        for (const { message } of found.errors.values()) log.error({}, message);
        return found.errors.size === 0 ? exitCodes.done : exitCodes.usage;
      }),
    );
}

function listText(reports: readonly ReportDefinition[], output: Output): string {
  const fields = reports.map(({ name, description, internal }) => ({
    name,
    text: terminalLine(internal ? `${description} Internal.` : description),
  }));
  const hint = 'Sections and parameters of one: postledger report list <name>';
  return `${[...fieldLines(fields, output), '', ...wrapTerminal(hint, output.width)].join('\n')}\n`;
}

function reportText(report: ReportDefinition, output: Output): string {
  const fields = [
    { name: 'Report', text: report.title },
    { name: 'Answers', text: report.description },
    { name: 'For', text: report.internal ? 'those who run postledger' : 'clients, too' },
    { name: 'Sections', text: report.sections.map((section) => section.name).join(', ') },
    ...Object.entries(report.parameters).map(([name, { type, help, default: value }]) => ({
      name: '--set',
      text: `${name}=${String(value)}  ${help} (${type})`,
    })),
  ];
  return `${fieldLines(fields, output).join('\n')}\n`;
}

function listed(report: ReportDefinition) {
  const { name, title, description, internal, folder, parameters, sections } = report;
  const sectionNames = sections.map((section) => section.name);
  return { name, title, description, internal, folder, parameters, sections: sectionNames };
}

function addNew(report: Command, invoke: Invoke): void {
  report
    .command('new')
    .description('write a commented report of your own to start from')
    .argument('<new-name>', 'of its folder: a-z, 0-9, _ and -')
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
        const { writeNewReport } = await import('../report/new-report.ts');
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
