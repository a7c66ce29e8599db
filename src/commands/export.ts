import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { hintAmong } from '../config/nearest.ts';
import { exitCodes, UsageError } from '../core/errors.ts';
import { plural } from '../core/wording.ts';
import { moreByFlags } from '../pipeline/limits.ts';
import { exportParquet } from '../pipeline/warehouse-export.ts';
import type { Register } from './context.ts';
import { addLimits, limitsOf } from './limit-flags.ts';
import { collect } from './option-values.ts';

export const registerExport: Register = (program, invoke) => {
  const command = program
    .command('export')
    .requiredOption('--parquet <dir>', 'a folder for Parquet files; replaces the export before')
    .option('--workspace <key>', 'only this one; may be repeated', collect);
  addLimits(command, 'the export');
  command
    .addHelpText(
      'after',
      `
Writes every table and the view post_performance, each as DIR/<table>.parquet; readings and
linkedin_post_snapshots as a folder with a file for each month. DIR/dictionary.json describes all tables
and columns. The folder is replaced as a whole. With --workspace the tables runs and invites are left out,
since their rows name no workspace.

Examples:
  $ postledger export --parquet ./export
  $ postledger export --parquet /srv/acme/linkedin --workspace acme`,
    )
    .action(({ parquet, workspace }) =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        refuseUnknown(workspace ?? [], config);
        if (/^\w+:\/\//.test(parquet))
          throw new UsageError(`--parquet: ${parquet} is no folder; export into one and copy it`);
        const folder = resolve(parquet);
        const { clock, signal, log } = context;
        const tools = { clock, signal, limits: limitsOf(command), remedies: moreByFlags };
        const request = { config, workspaces: workspace ?? null };
        const { tables, rows } = await exportParquet(request, folder, tools);
        log.info({}, `${plural(rows, 'row')} of ${plural(tables, 'table')} written to ${folder}`);
        return exitCodes.done;
      }),
    );
};

function refuseUnknown(asked: readonly string[], { workspaces }: Config): void {
  const known = [...workspaces.keys()];
  const unknown = asked.find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new UsageError(
    `--workspace: jobs.yaml has no workspace ${unknown}; ${hintAmong(unknown, known)}`,
  );
}
