import { dirname, resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import type { Config } from '../config/config.ts';
import { hintAmong } from '../config/nearest.ts';
import { Secret } from '../config/secret.ts';
import { readVariables } from '../config/variables.ts';
import { exitCodes, UsageError } from '../core/errors.ts';
import { plural } from '../core/wording.ts';
import { moreByFlags } from '../pipeline/limits.ts';
import { exportParquet, exportPostgres, exportToBucket } from '../pipeline/warehouse-export.ts';
import { splitBucketUrl, type Bucket } from '../store/object-store.ts';
import type { CommandContext, Register } from './context.ts';
import { addLimits, limitsOf } from './limit-flags.ts';
import { collect } from './option-values.ts';

export const registerExport: Register = (program, invoke) => {
  const command = program
    .command('export')
    .addOption(
      new Option(
        '--parquet <dir|s3://…>',
        'a folder or a bucket for Parquet files; replaces the export before',
      ).conflicts('postgres'),
    )
    .option('--postgres <variable>', 'a PostgreSQL database; the variable that holds its address')
    .option('--schema <name>', 'the schema there, which belongs to exports', 'postledger')
    .option(
      '--extensions <dir>',
      'a folder with DuckDB’s extension for PostgreSQL, not to download it',
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

--postgres makes the tables of the schema equal to those of the warehouse, with the same comments. It writes
only the days of a workspace that have changed since the last export, in one transaction for each table. The
address is postgres://user:password@host:port/database, in the environment or in .env.

Examples:
  $ postledger export --parquet ./export
  $ postledger export --parquet /srv/acme/linkedin --workspace acme
  $ postledger export --parquet s3://analytics/linkedin
  $ postledger export --postgres BI_DATABASE_URL --schema linkedin`,
    )
    .action((options) =>
      invoke(async (context) => {
        const { parquet, postgres, workspace } = options;
        const config = await context.loadConfig();
        refuseUnknown(workspace ?? [], config);
        const { clock, signal, log } = context;
        const tools = { clock, signal, limits: limitsOf(command), remedies: moreByFlags };
        const request = { config, workspaces: workspace ?? null };
        if (parquet !== undefined) {
          const { tables, rows } = /^\w+:\/\//.test(parquet)
            ? await exportToBucket(request, await bucketOf(parquet, config, context), tools)
            : await exportParquet(request, resolve(parquet), tools);
          log.info(
            {},
            `${plural(rows, 'row')} of ${plural(tables, 'table')} written to ${parquet}`,
          );
          return exitCodes.done;
        }
        const address = await readAddress(postgres, context);
        const schema = checkSchema(options.schema);
        const lake = typeof config.warehouse === 'string' ? null : config.warehouse;
        const extensions = options.extensions ?? lake?.extensions ?? null;
        const target = { address, schema, extensions };
        const { rows } = await exportPostgres(request, target, tools);
        log.info({}, `${plural(rows, 'changed row')} written to the schema ${schema}`);
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

/** Takes `NAME` and `${NAME}`. An address on the command line could be read by every user of the machine. */
async function readAddress(
  named: string | undefined,
  { configFile, environment }: CommandContext,
): Promise<Secret> {
  if (named === undefined)
    throw new UsageError('say where to: --parquet <dir> or --postgres <variable>');
  const [, variable] = /^(?:\$\{)?([A-Za-z_]\w*)\}?$/.exec(named) ?? [];
  if (variable === undefined)
    throw new UsageError(
      '--postgres takes the name of an environment variable, such as BI_DATABASE_URL, that holds the address',
    );
  const lookup = await readVariables(dirname(configFile), environment);
  const { value, problem } = lookup(variable);
  if (problem !== undefined) throw new UsageError(`--postgres: ${problem}`);
  return new Secret(variable, '--postgres', value);
}

function checkSchema(name: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(name) && !/^(public|pg_.*|information_schema)$/.test(name))
    return name;
  throw new UsageError(
    `--schema: ${name} cannot be used; give a schema of its own, of small letters, digits and _`,
  );
}

function refuseUnknown(asked: readonly string[], { workspaces }: Config): void {
  const known = [...workspaces.keys()];
  const unknown = asked.find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new UsageError(
    `--workspace: jobs.yaml has no workspace ${unknown}; ${hintAmong(unknown, known)}`,
  );
}
