import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { renderJson } from '../render/json.ts';
import { renderMarkdown } from '../render/markdown.ts';
import { renderTerminalTable } from '../render/terminal-table.ts';
import { exportAdHocQuery, runAdHocQuery, type AdHocQuery } from '../report/ad-hoc-query.ts';
import type { CsvOptions } from '../report/section-export.ts';

/** In a process of its own: one SELECT, and its rows written to a file. */

export type QueryFormat = 'table' | 'csv' | 'json' | 'xlsx' | 'parquet' | 'md';

export interface QueryOrder {
  readonly query: AdHocQuery;
  readonly format: QueryFormat;
  readonly csv: CsvOptions;
  readonly style: Pick<Config, 'timezone' | 'currency' | 'locale' | 'brand'>;
  readonly terminal: { readonly width: number | null; readonly color: boolean };
  /** Absolute, and empty as yet. */
  readonly folder: string;
}

export interface WrittenRows {
  readonly path: string;
  readonly rows: number;
}

export async function writeRows(order: QueryOrder): Promise<WrittenRows> {
  const path = join(order.folder, `rows.${order.format}`);
  return { path, rows: await writers[order.format](order, path) };
}

type Writer = (order: QueryOrder, path: string) => Promise<number>;

const writers: Record<QueryFormat, Writer> = {
  csv: ({ query, csv, style }, path) =>
    exportAdHocQuery(query, path, 'csv', { ...csv, timezone: style.timezone }),
  parquet: ({ query, csv }, path) => exportAdHocQuery(query, path, 'parquet', csv),
  table: async ({ query, style, terminal }, path) => {
    const table = await runAdHocQuery(query);
    await writeFileAtomic(path, `${renderTerminalTable(table, { ...terminal, ...style })}\n`);
    return table.rows.length;
  },
  json: async ({ query }, path) => {
    const table = await runAdHocQuery(query);
    await writeFileAtomic(path, renderJson(table));
    return table.rows.length;
  },
  md: async ({ query, style }, path) => {
    const table = await runAdHocQuery(query);
    await writeFileAtomic(path, renderMarkdown(table, style));
    return table.rows.length;
  },
  xlsx: async ({ query, style }, path) => {
    // the other formats start sooner without it
    const { writeTableWorkbook } = await import('../render/xlsx/workbook.ts');
    const table = await runAdHocQuery(query);
    await writeTableWorkbook(table, path, { title: 'Query', ...style });
    return table.rows.length;
  },
};
