import { exitCodes } from '../core/errors.ts';
import { plural, thousands } from '../core/wording.ts';
import { maintain, type Maintained } from '../maintenance/maintain.ts';
import { printResult, type Register } from './context.ts';
import { waitOption } from './option-values.ts';

export const register: Register = (program, invoke) => {
  program
    .command('maintain')
    .option('--dry-run', 'show what would be removed without removing it')
    .option('--yes', 'remove it whatever the newest run is: the clock is right')
    .addOption(waitOption())
    .option('--json', 'the counts as JSON')
    .addHelpText(
      'after',
      `
Removes what is older than retention in jobs.yaml says: the files of deliveries that were sent, and files of reports
that were not written again. Raw answers and events are kept; erase takes people and profiles out of them. In a lake
it also does what warehouse maintain does. Once a week is enough. Nothing is removed, with exit code 2, while the
clock is further past the newest run than the retention: it may be wrong. --yes says it is right.

Examples:
  $ postledger maintain --dry-run
  $ postledger maintain --wait 600`,
    )
    .action((options) =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        const isDryRun = options.dryRun === true;
        const choice = { waitMs: options.wait * 1000, isDryRun, yes: options.yes === true };
        const done = await maintain(choice, { ...context, config });
        const text = () => `${isDryRun ? 'Would be removed' : 'Removed'}: ${removedWords(done)}.\n`;
        printResult(context.output, options, done, text);
        return exitCodes.done;
      }),
    );
};

function removedWords({ deliveries, reports, lake }: Maintained): string {
  const ofSent = `files of ${thousands(deliveries)} ${deliveries === 1 ? 'delivery' : 'deliveries'}`;
  const files = `${ofSent}, ${plural(reports, 'file')} of reports`;
  return lake ? `${files}, ${plural(lake.filesRemoved, 'file')} of the lake` : files;
}
