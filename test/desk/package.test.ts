import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

// This test is in the desk tier because it installs packages, from npm's cache if npm ci filled it, else from the registry.

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const packSchema = z.tuple([
  z.object({ filename: z.string(), entryCount: z.number(), unpackedSize: z.number() }),
]);
const lockSchema = z.object({ packages: z.record(z.string(), z.object({ version: z.string() })) });

let folder: string;
let packed: z.infer<typeof packSchema>[0];

async function readVersions(path: string): Promise<Map<string, string>> {
  const { packages } = lockSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  return new Map(Object.entries(packages).map(([name, { version }]) => [name, version]));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postledger-'));
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  [packed] = packSchema.parse(JSON.parse((await run('npm', pack, { cwd: root })).stdout));
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', packed.filename];
  await run('npm', install, { cwd: folder });
}, 180_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the package', () => {
  it('has not grown', () => {
    expect(packed.entryCount).toBeLessThan(700);
    expect(packed.unpackedSize).toBeLessThan(11_000_000);
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

  it('makes the demo by itself', async () => {
    const program = join(folder, 'node_modules', '.bin', 'postledger');
    await run(program, ['demo', '--days', '1', '--out', 'demo'], { cwd: folder });
    const made = await readdir(join(folder, 'demo'));
    expect(made).toEqual(expect.arrayContaining(['emv.html', 'emv.xlsx']));
  }, 300_000);

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
