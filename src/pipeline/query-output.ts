import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { publishFile, shareFolder, withPrivateFolder } from '../core/private-files.ts';
import { renderJson } from '../render/json.ts';
import { renderMarkdown } from '../render/markdown.ts';
import { renderTerminalTable } from '../render/terminal-table.ts';
import { exportAdHocQuery, runAdHocQuery, type AdHocQuery } from '../report/ad-hoc-query.ts';
import type { CsvOptions } from '../report/section-query.ts';
import { withinLimits, type LimitTools } from '../warehouse/limits.ts';

export type QueryFormat = 'table' | 'csv' | 'json' | 'xlsx' | 'parquet' | 'md';

/** One SELECT on the published warehouse, and how its rows are written. */
export interface QueryRequest extends Pick<AdHocQuery, 'warehouse' | 'sql'> {
  readonly format: QueryFormat;
  readonly csv: CsvOptions;
  readonly style: Pick<Config, 'timezone' | 'currency' | 'locale' | 'brand'>;
  readonly terminal: { readonly width: number | null; readonly color: boolean };
}

/** Writes what one SELECT gives to a file, whole or not at all. @returns how many rows */
export async function writeQuery(
  request: QueryRequest,
  path: string,
  tools: LimitTools,
): Promise<number> {
  await shareFolder(dirname(path));
  return withPrivateFolder(dirname(path), async (folder) => {
    const written = await writeRows(request, folder, tools);
    await publishFile(written.path, path);
    return written.rows;
  });
}

/** The same bytes, piece by piece. */
export async function printQuery(
  request: QueryRequest,
  print: (data: Uint8Array) => void,
  tools: LimitTools,
): Promise<void> {
  await withPrivateFolder(tmpdir(), async (folder) => {
    const { path } = await writeRows(request, folder, tools);
    for await (const data of createReadStream(path)) print(data as Uint8Array);
  });
}

async function writeRows(
  request: QueryRequest,
  folder: string,
  tools: LimitTools,
): Promise<{ path: string; rows: number }> {
  const path = join(folder, `rows.${request.format}`);
  const { warehouse, sql } = request;
  const rows = await withinLimits('the query', tools, (limits) =>
    writeFormat({ warehouse, sql, limits }, request, path),
  );
  return { path, rows };
}

/** @returns how many rows */
async function writeFormat(
  query: AdHocQuery,
  { format, csv, style, terminal }: QueryRequest,
  path: string,
): Promise<number> {
  if (format === 'csv' || format === 'parquet')
    return exportAdHocQuery(query, path, format, { ...csv, timezone: style.timezone });
  const table = await runAdHocQuery(query);
  const printed = { ...style, significantDigits: 4 };
  if (format === 'xlsx') {
    // the other formats start sooner without it
    const { writeTableWorkbook } = await import('../render/xlsx/workbook.ts');
    await writeTableWorkbook(table, path, { title: 'Query', ...style });
  } else {
    const text = {
      table: () => `${renderTerminalTable(table, { ...terminal, ...printed })}\n`,
      json: () => renderJson(table),
      md: () => renderMarkdown(table, printed),
    }[format]();
    await writeFileAtomic(path, text);
  }
  return table.rows.length;
}
