import { exitCodes, type ExitCode } from '../core/errors.ts';
import { rebuildWarehouse, type RebuildSummary } from '../load/rebuild.ts';
import { checkRebuild, type RebuildCheck } from '../load/rebuild-check.ts';
import type { Output, Register } from './context.ts';
import { plural } from './load-sentence.ts';
import { parseSeconds } from './option-values.ts';
import { plainTable } from './plain-table.ts';
import { damageSentence, rebuildSentence } from './rebuild-sentence.ts';

export const registerRebuild: Register = (program, invoke) => {
  program
    .command('rebuild')
    .description('make the warehouse anew from the archive; asks the API nothing')
    .option('--check', 'compare with the warehouse that is there, and leave it as it is')
    .option(
      '--accept-damage',
      'replace the warehouse though parts of the archive are damaged or gone',
    )
    .option('--without-pruned', 'replace it though it has snapshots of responses that were pruned')
    .option('--wait <seconds>', 'wait so long while another process loads', parseSeconds, 0)
    .option('--json', 'what was made, or the differences, as JSON')
    .addHelpText(
      'after',
      `
The new warehouse takes the old one's place once it is whole and checked: until then everybody reads the
old one, and Ctrl-C or a kill leaves it as it is. What waits in landing and in the inbox is taken in too.

Exit codes: 0 done, 1 nothing was published (or --check found differences), 3 published without what is
damaged or gone.

Examples:
  $ postledger rebuild --check
  $ postledger rebuild
  $ postledger rebuild --accept-damage --json`,
    )
    .action((options) =>
      invoke(async ({ loadConfig, clock, log, progress, signal, output }) => {
        const config = await loadConfig();
        const common = { config, clock, log, progress, signal, waitMs: options.wait * 1000 };
        const acceptsPruned = options.withoutPruned === true;
        if (options.check) {
          return showCheck(await checkRebuild({ ...common, acceptsPruned }), options, output);
        }
        const acceptsDamage = options.acceptDamage === true;
        const summary = await rebuildWarehouse({ ...common, acceptsDamage, acceptsPruned });
        output.write(options.json ? asJson(summary) : `${rebuildSentence(summary)}\n`);
        return exitCodeOf(summary);
      }),
    );
};

function exitCodeOf({ isPublished, damages, losses }: RebuildSummary): ExitCode {
  if (!isPublished) return exitCodes.failed;
  const isWhole = damages.length + losses.responses + losses.events + losses.moved === 0;
  return isWhole ? exitCodes.done : exitCodes.partial;
}

function showCheck(check: RebuildCheck, { json }: { json?: true }, output: Output): ExitCode {
  if (json) output.write(asJson(check));
  else output.write(checkText(check, output));
  return check.isSame ? exitCodes.done : exitCodes.failed;
}

function checkText({ tables, damages, prunedSnapshots, isSame }: RebuildCheck, output: Output) {
  const heads = ['table', 'rows', 'missing', 'extra', 'differing', 'for example'];
  const rows = tables.map(({ table, rows: count, missing, extra, differing, examples }) => [
    table,
    count,
    missing,
    extra,
    differing,
    examples.join('; '),
  ]);
  const verdict = isSame
    ? 'A rebuild gives the same warehouse.'
    : 'A rebuild would give another warehouse.';
  const notes = [
    ...(damages.length > 0 ? [damageSentence(damages.length)] : []),
    ...(prunedSnapshots > 0
      ? [
          `${plural(prunedSnapshots, 'snapshot')} ${prunedSnapshots === 1 ? 'is' : 'are'} of responses that were pruned: --without-pruned accepts that.`,
        ]
      : []),
  ];
  return `${plainTable(heads, rows, output)}\n${[verdict, ...notes].join(' ')}\n`;
}

function asJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
