import { exitCodes } from '../core/errors.ts';
import { pruneArchive, type PruneSummary } from '../load/prune.ts';
import { byteSize } from './byte-size.ts';
import type { Register } from './context.ts';
import { plural } from './load-sentence.ts';
import { countUpTo, parseSeconds } from './option-values.ts';

/** A century: no archive is older, and days that far back are still days of the calendar. */
const mostDays = 36_500;

export const registerPrune: Register = (archive, invoke) => {
  archive
    .command('prune')
    .description('remove old bodies that the warehouse does not rest on')
    .requiredOption('--keep <days>', 'leave all that was read on so many days', countUpTo(mostDays))
    .option('--dry-run', 'tell what would go, and remove nothing')
    .option('--wait <seconds>', 'wait so long while another process loads', parseSeconds, 0)
    .option('--json', 'what went, as JSON')
    .addHelpText(
      'after',
      `
What the warehouse has stays. A rebuild gives the same tables afterwards, but for the daily snapshots of
days before those kept; it asks for --without-pruned then. Events are never pruned.

Examples:
  $ postledger archive prune --keep 90 --dry-run
  $ postledger archive prune --keep 365`,
    )
    .action((options) =>
      invoke(async ({ loadConfig, clock, log, progress, signal, output }) => {
        const summary = await pruneArchive({
          config: await loadConfig(),
          clock,
          log,
          progress,
          signal,
          keepDays: options.keep,
          isDryRun: options.dryRun === true,
          waitMs: options.wait * 1000,
        });
        output.write(
          options.json ? `${JSON.stringify(summary, null, 2)}\n` : `${pruneSentence(summary)}\n`,
        );
        return exitCodes.done;
      }),
    );
};

/** What a prune did, or would do. */
export function pruneSentence(summary: PruneSummary): string {
  const { keep_from, responses, bytes, needed, snapshots, is_dry_run } = summary;
  const stay = `${plural(needed, 'older response')} ${needed === 1 ? 'stays' : 'stay'}, as the warehouse rests on ${needed === 1 ? 'it' : 'them'}`;
  if (responses === 0) {
    return `Nothing to prune from before ${keep_from}${needed > 0 ? `: ${stay}` : ''}.`;
  }
  const verb = is_dry_run ? 'would go' : responses === 1 ? 'is gone' : 'are gone';
  const what = `${plural(responses, 'body').replace(/bodys$/, 'bodies')} of before ${keep_from} ${verb} (${byteSize(bytes)})`;
  const alone =
    snapshots > 0
      ? `. ${plural(snapshots, 'snapshot')} of those days are in the warehouse alone`
      : '';
  return `${what}${needed > 0 ? `; ${stay}` : ''}${alone}.`;
}
