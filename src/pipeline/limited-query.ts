import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { moduleBeside } from '../core/child-task.ts';
import { withPrivateFolder } from '../core/private-folder.ts';
import { handOn, shareFolder } from '../core/private-files.ts';
import { runLimited, type TaskTools } from './limited-task.ts';
import type { QueryOrder, WrittenRows } from './query-task.ts';

export interface QueryRequest extends Omit<QueryOrder, 'folder' | 'query'> {
  readonly warehouse: string;
  readonly sql: string;
}

/** Writes what one SELECT gives to a file, whole or not at all. @returns how many rows */
export async function writeQuery(
  request: QueryRequest,
  path: string,
  tools: TaskTools,
): Promise<number> {
  await shareFolder(dirname(path));
  return withPrivateFolder(dirname(path), async (folder) => {
    const written = await runQuery(request, folder, tools);
    await handOn(written.path, path);
    return written.rows;
  });
}

/** The same bytes, piece by piece: no answer is held in memory whole. */
export async function printQuery(
  request: QueryRequest,
  print: (data: Uint8Array) => void,
  tools: TaskTools,
): Promise<void> {
  await withPrivateFolder(tmpdir(), async (folder) => {
    const { path } = await runQuery(request, folder, tools);
    for await (const data of createReadStream(path)) print(data as Uint8Array);
  });
}

async function runQuery(
  { warehouse, sql, ...request }: QueryRequest,
  folder: string,
  tools: TaskTools,
): Promise<WrittenRows> {
  return runLimited<WrittenRows>('the query', [folder], tools, (limits) => {
    const input: QueryOrder = { ...request, query: { warehouse, sql, limits }, folder };
    return { module: moduleBeside('query-task', import.meta.url), work: 'writeRows', input };
  });
}
