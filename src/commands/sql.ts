import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Option } from '@commander-js/extra-typings';
import type { Config } from '../config/config.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { errorMessage, exitCodes, UsageError } from '../core/errors.ts';
import { withPrivateFolder, writeOutput } from '../core/private-files.ts';
import { stripTerminalControls } from '../core/terminal-text.ts';
import { plural } from '../core/wording.ts';
import { renderJson } from '../render/json.ts';
import { renderMarkdown } from '../render/markdown.ts';
import type { Terminal } from '../render/terminal-columns.ts';
import { renderTerminalTable } from '../render/terminal-table.ts';
import { exportAdHocQuery, runAdHocQuery, type AdHocQuery } from '../report/ad-hoc-query.ts';
import type { CsvOptions } from '../report/section-export.ts';
import { withinLimits } from '../warehouse/limits.ts';
import type { Output, Register } from './context.ts';
import { addLimits, limitsOf } from './limit-flags.ts';

type QueryFormat = 'table' | 'csv' | 'json' | 'xlsx' | 'parquet' | 'md';

const formats: readonly QueryFormat[] = ['table', 'csv', 'json', 'xlsx', 'parquet', 'md'];

export const register: Register = (program, invoke) => {
  const command = program.command('sql');
  addLimits(command, 'the query');
  command
    .argument('[query]', 'one SELECT; everything else is refused')
    .option('--file <file>', 'read the query from a file, or with - from standard input')
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
  $ postledger sql --file weekly.sql --format csv
  $ postledger sql "from linkedin_post_snapshots" --out snapshots.parquet`,
    )
    .action((query, options) =>
      invoke(async (context) => {
        const sql = await queryText(query, options.file);
        const config = await context.loadConfig();
        const { timezone, currency, locale, brand } = config;
        const { out } = options;
        const format = options.format ?? formatOf(out);
        const { clock, signal, output, log } = context;
        const tools = { clock, signal, limits: limitsOf(command) };
        const isPrinted = out === undefined;
        const request = {
          format,
          csv: { bom: options.bom === true, raw: options.raw === true },
          style: { timezone, currency, locale, brand },
          terminal: {
            width: isPrinted ? output.width : null,
            hasColor: isPrinted && output.hasColor,
          },
        };
        const write = (path: string) =>
          withinLimits('the query', tools, (limits) =>
            writeRows({ warehouse: config.warehouse, sql, limits }, request, path),
          );
        if (out !== undefined) {
          const path = resolve(out);
          const rows = await writeOutput(path, write, tools);
          log.info({}, `${plural(rows, 'row')} written to ${path}`);
        } else {
          refuseBinary(format);
          const print = printer(format, output);
          await withPrivateFolder(tmpdir(), async (folder) => {
            const path = join(folder, 'output');
            await write(path);
            for await (const data of createReadStream(path)) print(data as Uint8Array);
          });
        }
        return exitCodes.done;
      }),
    );
};

/** @throws UsageError unless there is a query, once from a file that can be read */
async function queryText(query: string | undefined, file: string | undefined): Promise<string> {
  if ((query === undefined) === (file === undefined))
    throw new UsageError(
      'give the query, or --file with a file that has it (- for standard input)',
    );
  if (query !== undefined) return query;
  if (file === '-') return text(process.stdin);
  return readFile(file ?? '', 'utf8').catch((cause: unknown) => {
    const reason = errorMessage(cause);
    throw new UsageError(`--file cannot be read (${reason}); name a file with a query`, { cause });
  });
}

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

/** How the rows of a query are written. */
interface RowsFormat {
  readonly format: QueryFormat;
  readonly csv: CsvOptions;
  readonly style: Pick<Config, 'timezone' | 'currency' | 'locale' | 'brand'>;
  readonly terminal: Terminal;
}

/** @returns how many rows */
async function writeRows(
  query: AdHocQuery,
  { format, csv, style, terminal }: RowsFormat,
  path: string,
): Promise<number> {
  if (format === 'csv' || format === 'parquet')
    return exportAdHocQuery(query, path, format, { ...csv, timezone: style.timezone });
  const table = await runAdHocQuery(query);
  const printed = { ...style, significantDigits: 4 };
  const content = {
    table: () => `${renderTerminalTable(table, { ...terminal, ...printed })}\n`,
    json: () => renderJson(table),
    md: () => renderMarkdown(table, printed),
    xlsx: async () => {
      // the library for workbooks is loaded only here, so that the other formats start sooner
      const { renderTableWorkbook } = await import('../render/xlsx/workbook.ts');
      return renderTableWorkbook(table, { title: 'Query', ...style });
    },
  }[format]();
  await writeFileAtomic(path, await content);
  return table.rows.length;
}
