import { exitCodes } from '../core/errors.ts';
import {
  checkRebuild,
  rebuildWarehouse,
  type Rebuilt,
  type TableDifference,
} from '../load/rebuild.ts';
import { printResult, type Output, type Register } from './context.ts';
import { waitOption } from './option-values.ts';
import { listing, type Listing } from './listing.ts';
import { thousands } from '../core/wording.ts';
import { loadSentence } from '../load/load-summary.ts';

export const register: Register = (program, invoke) => {
  program
    .command('rebuild')
    .option('--check', 'only compare with the warehouse that is there')
    .addOption(waitOption())
    .option('--json', 'the summary, or the differences, as JSON')
    .addHelpText(
      'after',
      `
The new warehouse takes the old one's place once it is whole and checked: until then everybody reads the
old one, and Ctrl-C or a kill leaves it as it is. --check loads what is pending before it compares.

Exit codes: 0 done, 1 nothing was published (the raw store lacks what the warehouse has) or --check found
differences, 3 damaged files were skipped.

Examples:
  $ postledger rebuild --check
  $ postledger rebuild --json`,
    )
    .action((options) =>
      invoke(async ({ loadConfig, clock, log, progress, signal, output }) => {
        const config = await loadConfig();
        const common = { config, clock, log, progress, signal, waitMs: options.wait * 1000 };
        if (options.check) {
          const tables = await checkRebuild(common);
          const isSame = tables.every(({ missing, extra }) => missing + extra === 0);
          printResult(output, options, { tables, isSame }, () => checkText(tables, isSame, output));
          return isSame ? exitCodes.done : exitCodes.failed;
        }
        const rebuilt = await rebuildWarehouse(common);
        printResult(output, options, rebuilt, () => `${rebuildSentence(rebuilt)}\n`);
        if (rebuilt.lost > 0) return exitCodes.failed;
        return rebuilt.damaged > 0 ? exitCodes.partial : exitCodes.done;
      }),
    );
};

function rebuildSentence(rebuilt: Rebuilt): string {
  if (rebuilt.lost === 0) return `Rebuilt. ${loadSentence(rebuilt)}`;
  return `Nothing was published: the raw store lacks ${thousands(rebuilt.lost)} of the warehouse's responses and events. \`postledger verify\` names them: restore them from a backup. To do without them, move the warehouse away and run \`postledger load\`.`;
}

function checkText(tables: readonly TableDifference[], isSame: boolean, output: Output): string {
  const list: Listing<TableDifference> = {
    rows: tables,
    columns: [
      ['table', ({ table }) => table],
      ['rows', ({ rows }) => rows],
      ['missing', ({ missing }) => missing],
      ['extra', ({ extra }) => extra],
    ],
  };
  const verdict = `A rebuild ${isSame ? 'gives the same' : 'would give another'} warehouse.`;
  return `${listing(list, output)}\n${verdict}\n`;
}
