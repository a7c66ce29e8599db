import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { handOn, shareFolder } from '../core/private-files.ts';
import { withPrivateFolder } from '../core/private-files.ts';
import { renderJson } from '../render/json.ts';
import { renderMarkdown } from '../render/markdown.ts';
import { renderTerminalTable } from '../render/terminal-table.ts';
import { exportAdHocQuery, runAdHocQuery, type AdHocQuery } from '../report/ad-hoc-query.ts';
import type { CsvOptions } from '../report/section-query.ts';
import { withinLimits, type LimitTools } from './limits.ts';

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
    await handOn(written.path, path);
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
  { warehouse, sql, ...request }: QueryRequest,
  folder: string,
  tools: LimitTools,
): Promise<{ path: string; rows: number }> {
  const path = join(folder, `rows.${request.format}`);
  const rows = await withinLimits('the query', tools, (limits) =>
    writers[request.format]({ warehouse, sql, limits }, request, path),
  );
  return { path, rows };
}

type Writer = (
  query: AdHocQuery,
  request: Pick<QueryRequest, 'csv' | 'style' | 'terminal'>,
  path: string,
) => Promise<number>;

const writers: Record<QueryFormat, Writer> = {
  csv: (query, { csv, style }, path) =>
    exportAdHocQuery(query, path, 'csv', { ...csv, timezone: style.timezone }),
  parquet: (query, { csv }, path) => exportAdHocQuery(query, path, 'parquet', csv),
  table: async (query, { style, terminal }, path) => {
    const table = await runAdHocQuery(query);
    await writeFileAtomic(path, `${renderTerminalTable(table, { ...terminal, ...style })}\n`);
    return table.rows.length;
  },
  json: async (query, _, path) => {
    const table = await runAdHocQuery(query);
    await writeFileAtomic(path, renderJson(table));
    return table.rows.length;
  },
  md: async (query, { style }, path) => {
    const table = await runAdHocQuery(query);
    await writeFileAtomic(path, renderMarkdown(table, style));
    return table.rows.length;
  },
  xlsx: async (query, { style }, path) => {
    // the other formats start sooner without it
    const { writeTableWorkbook } = await import('../render/xlsx/workbook.ts');
    const table = await runAdHocQuery(query);
    await writeTableWorkbook(table, path, { title: 'Query', ...style });
    return table.rows.length;
  },
};
