import { dirname, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { selectWorkspace } from '../config/select.ts';
import { readVariables } from '../config/variables.ts';
import { exitCodes } from '../core/errors.ts';
import { plural } from '../core/wording.ts';
import { exportParquet, exportToBucket } from '../warehouse/parquet-export.ts';
import { splitBucketUrl, type Bucket } from '../store/object-store.ts';
import type { CommandContext, Register } from './context.ts';
import { addLimits, limitsOf } from './limit-flags.ts';
import { collect } from './option-values.ts';

export const register: Register = (program, invoke) => {
  const command = program
    .command('export')
    .requiredOption(
      '--parquet <dir|s3://…>',
      'a folder or a bucket for Parquet files; replaces the export before',
    )
    .option('--workspace <key>', 'only this one; may be repeated', collect);
  addLimits(command, 'the export');
  command
    .addHelpText(
      'after',
      `
Exports every table and the view post_performance. With --workspace the tables runs and invites are left
out, since their rows name no workspace.

--parquet writes DIR/<table>.parquet; readings and linkedin_post_snapshots are folders with files for each
month, and DIR/dictionary.json describes all tables and columns. The folder is replaced as a whole. In a
bucket each file is replaced by itself, dictionary.json last. Its keys are those of s3 in jobs.yaml, or those
that the AWS SDK finds; AWS_REGION and AWS_ENDPOINT_URL name the server, if it is not Amazon's default.

Examples:
  $ postledger export --parquet ./export
  $ postledger export --parquet /srv/acme/linkedin --workspace acme
  $ postledger export --parquet s3://analytics/linkedin`,
    )
    .action((options) =>
      invoke(async (context) => {
        const { parquet, workspace } = options;
        const config = await context.loadConfig();
        for (const key of workspace ?? []) selectWorkspace(config, key);
        const { clock, signal, log } = context;
        const tools = { clock, signal, limits: limitsOf(command) };
        const request = { config, workspaces: workspace ?? null };
        const { tables, rows } = /^\w+:\/\//.test(parquet)
          ? await exportToBucket(request, await bucketOf(parquet, config, context), tools)
          : await exportParquet(request, resolve(parquet), tools);
        log.info({}, `${plural(rows, 'row')} of ${plural(tables, 'table')} written to ${parquet}`);
        return exitCodes.done;
      }),
    );
};

/** The server and its region are those of the variables that other programs read, too. */
async function bucketOf(
  url: string,
  { s3 }: Config,
  { configFile, environment }: CommandContext,
): Promise<Bucket & { readonly prefix: string }> {
  const lookup = await readVariables(dirname(configFile), environment);
  const endpoint = lookup('AWS_ENDPOINT_URL_S3').value ?? lookup('AWS_ENDPOINT_URL').value ?? null;
  const region = lookup('AWS_REGION').value ?? null;
  return { ...splitBucketUrl(url), endpoint, region, credentials: s3 };
}
