import { resolve } from 'node:path';
import type { Config, LakeConfig } from '../config/config.ts';
import { exitCodes, UsageError } from '../core/errors.ts';
import type { CopiedTable } from '../warehouse/lake-copy.ts';
import { keptSnapshotDays, warehouseOf } from '../warehouse/warehouse.ts';
import { printResult, type CommandContext, type Register } from './context.ts';
import { waitOption, wholeNumber } from './option-values.ts';
import { plural } from '../core/wording.ts';

export const register: Register = (program, invoke) => {
  const group = program.command('warehouse');
  registerCopy(group, invoke);
  registerMaintain(group, invoke);
};

const registerCopy: Register = (group, invoke) => {
  group
    .command('copy')
    .description('copy a warehouse file into the lake of jobs.yaml, or the lake into a file')
    .argument('<from>', 'a DuckDB file, or the word lake')
    .argument('<to>', 'the word lake, or a file that is not there yet')
    .option('--force', 'replace what the lake has')
    .addOption(waitOption())
    .option('--json', 'the tables as JSON')
    .addHelpText(
      'after',
      `
A shard of the lake is copied in one transaction. Load once before you copy a file, so that nothing is pending.

Examples:
  $ postledger warehouse copy ./data/postledger.duckdb lake
  $ postledger warehouse copy lake ./data/postledger.duckdb`,
    )
    .action((from, to, options) =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        if ((from === 'lake') === (to === 'lake'))
          throw new UsageError('one of the two must be the word lake, the other a file');
        const lake = lakeOf(config);
        const { copyFromLake } = await import('../warehouse/lake-copy.ts');
        const tables =
          from === 'lake'
            ? await copyFromLake(lake, resolve(to))
            : await copyFile(resolve(from), lake, options, config, context);
        const rows = tables.reduce((sum, table) => sum + table.rows, 0);
        const text = `${plural(rows, 'row')} of ${plural(tables.length, 'table')} copied.\n`;
        printResult(context.output, options, { tables }, () => text);
        return exitCodes.done;
      }),
    );
};

async function copyFile(
  path: string,
  lake: LakeConfig,
  { wait, force }: { readonly wait: number; readonly force?: true | undefined },
  config: Config,
  { clock, log, signal }: CommandContext,
): Promise<CopiedTable[]> {
  const { copyIntoLake } = await import('../warehouse/lake-copy.ts');
  const { lakeWorkFolder } = await import('../warehouse/lake-warehouse.ts');
  const { dataDir } = config;
  const lock = { dataDir, clock, log, signal, waitMs: wait * 1000, purpose: 'copying' };
  const change = { lake, folder: lakeWorkFolder(dataDir), clock, log, signal };
  return warehouseOf(path).lock(lock, () =>
    warehouseOf(lake).lock(lock, () => copyIntoLake(path, change, force === true)),
  );
}

const registerMaintain: Register = (group, invoke) => {
  group
    .command('maintain')
    .description('merge the lake’s small files, expire snapshots, remove files that nothing needs')
    .option(
      '--keep-days <days>',
      'how long a snapshot can be read, and a file stays after its last',
      wholeNumber(1, 3650),
      keptSnapshotDays,
    )
    .addOption(waitOption())
    .option('--json', 'the counts as JSON')
    .addHelpText(
      'after',
      `
A load does this by itself for a shard that has many small files. This does it for all shards, and removes the files that
killed loads have left. It takes one shard after another, each with the lease of its loads: --wait waits for a load.

Examples:
  $ postledger warehouse maintain
  $ postledger warehouse maintain --keep-days 30 --wait 600`,
    )
    .action((options) =>
      invoke(async ({ loadConfig, clock, log, signal, output }) => {
        const config = await loadConfig();
        const lake = lakeOf(config);
        const { maintainLake } = await import('../warehouse/lake-maintenance.ts');
        const { keepDays, wait } = options;
        const { dataDir } = config;
        const lock = { dataDir, clock, log, signal, waitMs: wait * 1000, purpose: 'maintaining' };
        const done = await warehouseOf(lake).lock(lock, () => maintainLake(lake, keepDays, lock));
        const { filesWritten, snapshotsExpired, filesRemoved } = done;
        printResult(
          output,
          options,
          done,
          () =>
            `${plural(filesWritten, 'file')} written, ${plural(snapshotsExpired, 'snapshot')} expired, ${plural(filesRemoved, 'file')} removed.\n`,
        );
        return exitCodes.done;
      }),
    );
};

/** @throws UsageError where the warehouse is a file */
function lakeOf({ file, warehouse }: Config): LakeConfig {
  if (typeof warehouse !== 'string') return warehouse;
  throw new UsageError(`${file} has no lake: see warehouse.lake in docs/lake.md`);
}
