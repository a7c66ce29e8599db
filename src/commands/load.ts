import { exitCodes } from '../core/errors.ts';
import { loadLanded } from '../load/load-landed.ts';
import type { Register } from './context.ts';
import { loadSentence } from './load-sentence.ts';
import { parseSeconds } from './option-values.ts';

export const registerLoad: Register = (program, invoke) => {
  program
    .command('load')
    .description('load what has landed and what webhooks brought; asks the API nothing')
    .option('--wait <seconds>', 'wait so long while another process loads', parseSeconds, 0)
    .option('--json', 'the summary as JSON')
    .addHelpText(
      'after',
      `
A run loads by itself. Use this after a run that was cut off, or to take in events, when the API is not
to be asked.

Examples:
  $ postledger load
  $ postledger load --wait 60 --json`,
    )
    .action((options) =>
      invoke(async ({ loadConfig, clock, log, signal, output }) => {
        const config = await loadConfig();
        const waitMs = options.wait * 1000;
        const summary = await loadLanded({ config, clock, log, waitMs, signal });
        output.write(
          options.json ? `${JSON.stringify(summary, null, 2)}\n` : `${loadSentence(summary)}\n`,
        );
        return exitCodes.done;
      }),
    );
};
