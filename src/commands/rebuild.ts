import { exitCodes, type ExitCode } from '../core/errors.ts';
import {
  checkRebuild,
  rebuildWarehouse,
  type Rebuilt,
  type TableDifference,
} from '../load/rebuild.ts';
import type { Output, Register } from './context.ts';
import { loadSentence, thousands } from './load-sentence.ts';
import { parseSeconds } from './option-values.ts';
import { plainTable } from './plain-table.ts';

export const registerRebuild: Register = (program, invoke) => {
  program
    .command('rebuild')
    .description(
      'load the whole raw store into an empty warehouse and swap it in; asks the API nothing',
    )
    .option('--check', 'only compare with the warehouse that is there')
    .option('--wait <seconds>', 'wait so long while another process loads', parseSeconds, 0)
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
        if (options.check) return showCheck(await checkRebuild(common), options, output);
        const rebuilt = await rebuildWarehouse(common);
        output.write(options.json ? asJson(rebuilt) : `${rebuildSentence(rebuilt)}\n`);
        if (rebuilt.lost > 0) return exitCodes.failed;
        return rebuilt.damaged > 0 ? exitCodes.partial : exitCodes.done;
      }),
    );
};

function rebuildSentence(rebuilt: Rebuilt): string {
  if (rebuilt.lost === 0) return `Rebuilt. ${loadSentence(rebuilt)}`;
  return `Nothing was published: the raw store lacks ${thousands(rebuilt.lost)} of the warehouse's responses and events. \`postledger verify\` names them: restore them from a backup. To do without them, move the warehouse away and run \`postledger load\`.`;
}

function showCheck(
  tables: readonly TableDifference[],
  { json }: { json?: true },
  output: Output,
): ExitCode {
  const isSame = tables.every(({ missing, extra }) => missing + extra === 0);
  if (json) output.write(asJson({ tables, isSame }));
  else {
    const rows = tables.map(({ table, rows: count, missing, extra }) => [
      table,
      count,
      missing,
      extra,
    ]);
    output.write(`${plainTable(['table', 'rows', 'missing', 'extra'], rows, output)}\n`);
    output.write(
      isSame
        ? 'A rebuild gives the same warehouse.\n'
        : 'A rebuild would give another warehouse.\n',
    );
  }
  return isSame ? exitCodes.done : exitCodes.failed;
}

function asJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
