import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import type { Config } from '../config/config.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { exitCodes, UsageError } from '../core/errors.ts';
import { renderJson } from '../render/json.ts';
import { renderMarkdown } from '../render/markdown.ts';
import { renderTerminalTable } from '../render/terminal-table.ts';
import { writeTableWorkbook } from '../render/xlsx/workbook.ts';
import type { CsvOptions } from '../report/section-export.ts';
import { exportAdHocQuery, runAdHocQuery } from '../report/ad-hoc-query.ts';
import type { CommandContext, Register } from './context.ts';
import { plural } from './load-sentence.ts';

const formats = ['table', 'csv', 'json', 'xlsx', 'parquet', 'md'] as const;
type Format = (typeof formats)[number];

export const registerSql: Register = (program, invoke) => {
  program
    .command('sql')
    .description('run one SELECT on the warehouse')
    .argument('<query>', 'one SELECT; everything else is refused')
    .addOption(new Option('--format <format>', 'how to print it').choices(formats).default('table'))
    .option('--out <file>', 'write to a file; needed for xlsx and parquet')
    .option('--bom', 'CSV begins with a byte order mark, for spreadsheets that need one')
    .option(
      '--raw',
      'CSV with texts as they are, also those that a spreadsheet takes for a formula',
    )
    .addHelpText(
      'after',
      `
The view post_performance has a row for each post; docs/warehouse.md describes every table.

Examples:
  $ postledger sql "select profile, count(*) as posts, sum(emv) as emv from post_performance group by all"
  $ postledger sql "from linkedin_post_snapshots" --format parquet --out snapshots.parquet`,
    )
    .action((query, options) =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        const { format, out } = options;
        const csv = { bom: options.bom === true, raw: options.raw === true };
        const asked: Asked = { query, format, csv };
        if (out !== undefined) await writeQuery(asked, resolve(out), config, context);
        else context.output.write(await queryText(asked, config, context));
        return exitCodes.done;
      }),
    );
};

interface Asked {
  readonly query: string;
  readonly format: Format;
  readonly csv: CsvOptions;
}

async function queryText(
  { query, format, csv }: Asked,
  config: Config,
  { output }: CommandContext,
): Promise<string> {
  switch (format) {
    case 'table': {
      const table = await runAdHocQuery(config.warehouse, query);
      const { width, hasColor } = output;
      return `${renderTerminalTable(table, { width, color: hasColor, ...config })}\n`;
    }
    case 'json':
      return renderJson(await runAdHocQuery(config.warehouse, query));
    case 'md':
      return renderMarkdown(await runAdHocQuery(config.warehouse, query), config);
    case 'csv':
      return csvText(query, csv, config);
    case 'xlsx':
    case 'parquet':
      throw new UsageError(
        `--format ${format} is no text; say where to write it with --out <file>`,
      );
  }
}

/** The same bytes as in a file. */
async function csvText(query: string, csv: CsvOptions, { warehouse }: Config): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postledger-'));
  try {
    const path = join(folder, 'rows.csv');
    await exportAdHocQuery(warehouse, query, path, 'csv', csv);
    return await readFile(path, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeQuery(
  asked: Asked,
  path: string,
  config: Config,
  context: CommandContext,
): Promise<void> {
  const { query, format, csv } = asked;
  if (format === 'csv' || format === 'parquet') {
    const rows = await exportAdHocQuery(config.warehouse, query, path, format, csv);
    context.log.info({}, `${plural(rows, 'row')} written to ${path}`);
    return;
  }
  if (format === 'xlsx') {
    const table = await runAdHocQuery(config.warehouse, query);
    await writeTableWorkbook(table, path, { title: 'Query', ...config });
  } else {
    const plain = { ...context, output: { ...context.output, width: null, hasColor: false } };
    await writeFileAtomic(path, await queryText(asked, config, plain));
  }
  context.log.info({}, `written to ${path}`);
}
