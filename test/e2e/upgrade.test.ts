import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Database } from '../../src/warehouse/database.ts';
import { runCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A folder for each version that changed the tables: jobs.yaml, data and reports as that version wrote them. */
const versions = resolve(import.meta.dirname, '../fixtures/upgrade');

async function unpack(version: string) {
  const folder = await temporaryFolder();
  await cp(join(versions, version), folder, { recursive: true });
  const bytes = gunzipSync(await readFile(join(folder, 'postledger.duckdb.gz')));
  const path = join(folder, 'data', 'postledger.duckdb');
  await writeFile(path, bytes);
  const run = (...args: string[]) => runCli(args, { cwd: folder });
  return { folder, path, bytes, run };
}

async function readRows(path: string): Promise<Record<string, unknown>[]> {
  const database = await Database.open(':memory:', 'READ_WRITE');
  const rows = await database.queryObjects(`from read_csv('${path}', all_varchar = true)`);
  database.close();
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, comparable(cell)])),
  );
}

/** A fraction to 12 digits, since later versions add up more exactly; lists and times as the first version wrote them. */
function comparable(cell: unknown): unknown {
  if (typeof cell === 'string' && cell.startsWith('[')) {
    const list = JSON.parse(cell) as unknown[];
    return list.length === 0 ? null : list.join(', ');
  }
  if (typeof cell === 'string' && /T[\d:]+\.000/.test(cell)) return cell.replace('.000', '');
  if (typeof cell !== 'string' || !/^-?\d+\.\d+$/.test(cell)) return cell;
  return Number(Number(cell).toPrecision(12));
}

test.each(await readdir(versions))(
  'a data folder of the tables %s is upgraded in place, with equal reports',
  async (version) => {
    const { folder, path, bytes, run } = await unpack(version);
    const held = (await run('deliver', 'list', '--all', '--json')).stdout;

    const refused = await run('report', 'run', 'emv');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('run `postledger load` to bring it up to date');

    const dry = await run('load', '--dry-run');
    expect(dry.stdout).toBe('Nothing new to load. Nothing was changed.\n');
    expect(dry.stderr).toContain(`the tables are brought up to this version {"from":"${version}"}`);
    expect((await readFile(path)).equals(bytes)).toBe(true);

    const reader = await Database.open(path, 'READ_ONLY');
    expect((await run('load')).code).toBe(0);
    expect((await reader.query('select count(*) from linkedin_posts')).rows).toEqual([[15]]);
    reader.close();
    expect((await readFile(`${path}.${version}`)).equals(bytes)).toBe(true);

    const period = ['--from', '2026-05-10', '--to', '2026-11-24'];
    const reports = ['emv', 'engagement', 'video'];
    await run('report', 'run', ...reports, ...period, '--format', 'csv', '--out', 'now');
    const written = await readdir(join(folder, 'reports'));
    expect(written).toHaveLength(7);
    for (const file of written) {
      const before = await readRows(join(folder, 'reports', file));
      const now = await readRows(join(folder, 'now', file.replace('-', '/')));
      // columns that only priced a workbook are gone
      const kept = (row: Record<string, unknown> = {}, at: number) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => name in (now[at] ?? {})));
      const found = now.map((row, at) => rounded({ ...row, ...kept(before[at], at) }));
      expect(found).toEqual(now.map(rounded));
      expect(now).toHaveLength(before.length);
    }
    expect((await run('rebuild', '--check')).stdout).toContain(
      'A rebuild gives the same warehouse.',
    );
    expect((await run('deliver', 'list', '--all', '--json')).stdout).toBe(held);
    expect(JSON.parse(held)).toMatchObject([{ state: 'held' }, { state: 'sent' }]);
  },
);

/** Earlier versions added doubles up in another way, which shows in the last of 15 digits. */
function rounded(row: Record<string, unknown>): Record<string, unknown> {
  const isLong = (cell: unknown) => /^-?\d+\.\d{6,}$/.test(String(cell));
  const entries = Object.entries(row).map(([name, cell]): [string, unknown] => [
    name,
    isLong(cell) ? Number(cell).toPrecision(13) : cell,
  ]);
  return Object.fromEntries(entries);
}
