import { exitCodes } from '../core/errors.ts';
import { load } from '../load/load.ts';
import { finishErasures } from '../maintenance/erase.ts';
import { printResult, type Register } from './context.ts';
import { waitOption } from './option-values.ts';
import { loadSentence } from '../load/load-summary.ts';

export const register: Register = (program, invoke) => {
  program
    .command('load')
    .addOption(waitOption())
    .option('--dry-run', 'load into a copy, say what would change, and throw it away')
    .option('--json', 'the summary as JSON')
    .addHelpText(
      'after',
      `
A run loads by itself. Use this after a run that was cut off, or for events, when the API is not to be
asked. A missing warehouse is made from the raw store. Exit code 3: damaged files were skipped,
or deletions rejected.

The first load of a newer version brings the tables up to date and keeps the file before it beside
the warehouse.

Examples:
  $ postledger load
  $ postledger load --dry-run
  $ postledger load --wait 60 --json`,
    )
    .action((options) =>
      invoke(async (context) => {
        const { loadConfig, clock, log, signal, output } = context;
        const config = await loadConfig({ mayBeErasing: true });
        const waitMs = options.wait * 1000;
        if (!options.dryRun) await finishErasures(waitMs, { ...context, config });
        const summary = await load({
          config,
          clock,
          log,
          waitMs,
          signal,
          isDryRun: options.dryRun,
        });
        printResult(
          output,
          options,
          summary,
          () => `${loadSentence(summary)}${options.dryRun ? ' Nothing was changed.' : ''}\n`,
        );
        const isWhole = summary.damaged === 0 && summary.rejectedDeletions === 0;
        return isWhole ? exitCodes.done : exitCodes.partial;
      }),
    );
};
