import { relative } from 'node:path';
import { exitCodes } from '../core/errors.ts';
import { writeNewReport } from '../report/new-report.ts';
import type { Register } from './context.ts';

/** Adds `report new` to the group of report commands. */
export const registerReportNew: Register = (report, invoke) => {
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
  1. postledger report preview ${name}   shows it in the browser, anew on each save
  2. change report.yaml and the SQL files; docs/own-reports.md says what they can hold
  3. postledger report check ${name}     finds every mistake, and shows the columns of each section
`,
        );
        return exitCodes.done;
      }),
    );
};
