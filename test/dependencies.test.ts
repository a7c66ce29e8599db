import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const root = resolve(import.meta.dirname, '..');

/** Packages that may run a program of theirs when they are installed. */
const mayRunScripts: readonly string[] = [];

const versions = z.record(z.string(), z.string());
const manifestSchema = z.object({
  dependencies: versions,
  devDependencies: versions,
  overrides: z.record(z.string(), z.union([z.string(), versions])),
});
const lockSchema = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

async function readJson(name: string): Promise<unknown> {
  return JSON.parse(await readFile(join(root, name), 'utf8'));
}

// whoever owned that name in a registry would be run by it
test('nobody is told to have npx ask a registry for this program', async () => {
  const told = ['README.md', 'SECURITY.md', 'CHANGELOG.md', 'jobs.yaml', '.env.example'];
  for (const folder of ['docs', 'src', 'reports']) {
    const files = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    const own = files.filter((file) => file.isFile());
    told.push(...own.map((file) => join(file.parentPath, file.name)));
  }
  const asking: string[] = [];
  for (const path of told) {
    if (/\bnpx postledger/.test(await readFile(resolve(root, path), 'utf8'))) asking.push(path);
  }
  expect(asking).toEqual([]);
});

describe('dependencies', () => {
  test('are named by exact versions', async () => {
    const manifest = manifestSchema.parse(await readJson('package.json'));
    const overrides = Object.values(manifest.overrides).flatMap((version) =>
      typeof version === 'string' ? [version] : Object.values(version),
    );
    const all = [
      ...Object.values(manifest.dependencies),
      ...Object.values(manifest.devDependencies),
      ...overrides,
    ];
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  test('are each held by their hash, from whatever registry they come', async () => {
    const { packages } = lockSchema.parse(await readJson('package-lock.json'));
    const installed = Object.entries(packages).filter(([path]) => path !== '');
    expect(installed.length).toBeGreaterThan(100);
    const loose = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    expect(loose.map(([path]) => path)).toEqual([]);
    const bound = installed.filter(([, { resolved }]) => resolved !== undefined);
    expect(bound.map(([path]) => path)).toEqual([]);
  });

  test('run nothing when they are installed', async () => {
    const { packages } = lockSchema.parse(await readJson('package-lock.json'));
    const running = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    expect(running.map(([path]) => path)).toEqual(mayRunScripts);
  });
});
