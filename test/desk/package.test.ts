import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { installedPackage } from './support/made-demo.ts';

// This test is in the desk tier because it installs packages, from npm's cache if npm ci filled it, else from the registry.

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const packSchema = z.tuple([z.object({ entryCount: z.number(), unpackedSize: z.number() })]);
const lockSchema = z.object({ packages: z.record(z.string(), z.object({ version: z.string() })) });

let folder: string;
let packed: z.infer<typeof packSchema>[0];

async function readVersions(path: string): Promise<Map<string, string>> {
  const { packages } = lockSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  return new Map(Object.entries(packages).map(([name, { version }]) => [name, version]));
}

beforeAll(async () => {
  folder = await installedPackage();
  [packed] = packSchema.parse(JSON.parse(await readFile(join(folder, 'pack.json'), 'utf8')));
}, 180_000);

describe('the package', () => {
  it('has not grown', () => {
    expect(packed.entryCount).toBeLessThan(700);
    // the charts of mails bring 2.9 MB of it
    expect(packed.unpackedSize).toBeLessThan(14_000_000);
  });

  it('brings DuckDB alone, in the versions that are tested', async () => {
    const tested = await readVersions(join(root, 'package-lock.json'));
    const installed = await readVersions(join(folder, 'node_modules/.package-lock.json'));
    installed.delete('node_modules/postledger');
    for (const [path, version] of installed)
      expect([path, version]).toEqual([path, tested.get(path)]);
    const binary = 'node_modules/@duckdb/node-bindings-';
    expect([...installed.keys()].filter((path) => !path.startsWith(binary))).toEqual([
      'node_modules/@duckdb/node-bindings',
      'node_modules/detect-libc',
    ]);
  });

  it('has the licence of each package that is bundled', async () => {
    const file = join(folder, 'node_modules/postledger/dist/THIRD-PARTY-LICENSES');
    const text = await readFile(file, 'utf8');
    for (const name of ['exceljs', 'undici', 'zod'])
      expect(text).toMatch(new RegExp(`^${name}@`, 'm'));
  });

  it('has types that need no package but those of Node', async () => {
    const program = `
      import { linkedInPostAnalyticsSchema, WorkspaceClient } from 'postledger';
      export const record = linkedInPostAnalyticsSchema.parse({});
      export const impressions: number | null | undefined = record.impressionCount;
      // @ts-expect-error it is a number
      export const text: string = record.impressionCount;
      export const close = (client: WorkspaceClient): Promise<void> => client.close();`;
    await writeFile(join(folder, 'program.mts'), program);
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'];
    const options = [...flags, ...types, 'program.mts'];
    await run(process.execPath, [compiler, ...options], { cwd: folder });
  });
});
