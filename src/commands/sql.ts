import { extname, resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { exitCodes, UsageError } from '../core/errors.ts';
import { stripTerminalControls } from '../core/terminal-text.ts';
import { moreByFlags } from '../warehouse/limits.ts';
import { printQuery, writeQuery, type QueryFormat } from '../pipeline/query-output.ts';
import type { Output, Register } from './context.ts';
import { addLimits, limitsOf } from './limit-flags.ts';
import { plural } from '../core/wording.ts';

const formats: readonly QueryFormat[] = ['table', 'csv', 'json', 'xlsx', 'parquet', 'md'];

export const registerSql: Register = (program, invoke) => {
  const command = program.command('sql');
  addLimits(command, 'the query');
  command
    .argument('<query>', 'one SELECT; everything else is refused')
    .addOption(
      new Option(
        '--format <format>',
        'how to print it (default: what the name of --out ends in, or else table)',
      ).choices(formats),
    )
    .option('--out <file>', 'write to a file; needed for xlsx and parquet')
    .option('--bom', 'CSV begins with a byte order mark, for spreadsheets that need one')
    .option(
      '--raw',
      'CSV with texts as they are, also those that a spreadsheet takes for a formula',
    )
    .addHelpText(
      'after',
      `
It can change nothing, reads no file and no network, and is stopped when it goes beyond its limits.

The view post_performance has a row for each post; docs/reference/tables.md describes every table.

Examples:
  $ postledger sql "select profile, count(*) as posts, sum(emv) as emv from post_performance group by all"
  $ postledger sql "from linkedin_post_snapshots" --out snapshots.parquet`,
    )
    .action((query, options) =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        const { timezone, currency, locale, brand } = config;
        const { out } = options;
        const format = options.format ?? formatOf(out);
        const { clock, signal, output, log } = context;
        const tools = { clock, signal, limits: limitsOf(command), remedies: moreByFlags };
        const isPrinted = out === undefined;
        const request = {
          sql: query,
          warehouse: config.warehouse,
          format,
          csv: { bom: options.bom === true, raw: options.raw === true },
          style: { timezone, currency, locale, brand },
          terminal: {
            width: isPrinted ? output.width : null,
            color: isPrinted && output.hasColor,
          },
        };
        if (out !== undefined) {
          const path = resolve(out);
          const rows = await writeQuery(request, path, tools);
          log.info({}, `${plural(rows, 'row')} written to ${path}`);
        } else {
          refuseBinary(format);
          await printQuery(request, printer(format, output), tools);
        }
        return exitCodes.done;
      }),
    );
};

/** Files for programs are printed as they are; on a terminal their control characters are escaped. */
function printer(format: QueryFormat, output: Output): (data: Uint8Array) => void {
  if (!output.isTerminal || format === 'table') return (data) => output.write(data);
  const decoder = new TextDecoder();
  return (data) => output.write(stripTerminalControls(decoder.decode(data, { stream: true })));
}

function formatOf(out = ''): QueryFormat {
  const ending = extname(out).slice(1).toLowerCase();
  return formats.find((format) => format === ending) ?? 'table';
}

/** @throws UsageError for a format that no terminal can show */
function refuseBinary(format: QueryFormat): void {
  if (format !== 'xlsx' && format !== 'parquet') return;
  throw new UsageError(`--format ${format} is no text; say where to write it with --out <file>`);
}
