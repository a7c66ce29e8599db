import type { Command } from '@commander-js/extra-typings';
import { exitCodes } from '../core/errors.ts';
import { replayEvents, type ReplaySummary } from '../load/load.ts';
import type { Invoke } from './context.ts';
import { eventsClause, plural, thousands } from './load-sentence.ts';
import { parseSeconds } from './option-values.ts';

/** Adds `webhooks replay` to the group of webhook commands. */
export function registerReplay(webhooks: Command, invoke: Invoke): void {
  webhooks
    .command('replay')
    .description('read loaded events again from their files, after an upgrade')
    .option('--rejected', 'only those that were rejected')
    .option('--wait <seconds>', 'wait so long while another process loads', parseSeconds, 0)
    .option('--json', 'the summary as JSON')
    .addHelpText(
      'after',
      `
Doing it again changes nothing. A change of slugs in jobs.yaml needs no replay: the next load applies it.

Examples:
  $ postledger webhooks replay --rejected
  $ postledger webhooks replay --wait 60 --json`,
    )
    .action((options) =>
      invoke(async ({ loadConfig, clock, log, signal, output }) => {
        const config = await loadConfig();
        const waitMs = options.wait * 1000;
        const isRejectedOnly = options.rejected === true;
        const summary = await replayEvents({ config, clock, log, waitMs, signal }, isRejectedOnly);
        output.write(
          options.json ? `${JSON.stringify(summary, null, 2)}\n` : `${replaySentence(summary)}\n`,
        );
        return exitCodes.done;
      }),
    );
}

/** One line that says what a replay did. */
export function replaySentence(summary: ReplaySummary): string {
  if (summary.events === 0) return 'No events to replay.';
  const changed = summary.changed === 0 ? 'none changed' : `${thousands(summary.changed)} changed`;
  return `${plural(summary.events, 'event')} replayed, ${changed}. Now: ${eventsClause(summary)}.`;
}
