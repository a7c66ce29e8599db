import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { expect } from 'vitest';

/**
 * Holds a folder of made files against the golden one: the same names, the same bytes. A file that differs
 * is left beside its golden as `<name>-changed`. With UPDATE_GOLDEN=1 the golden folder is written instead,
 * but never in CI.
 */
export async function expectGolden(golden: string, made: string): Promise<void> {
  if (process.env['UPDATE_GOLDEN'] === '1') {
    if (process.env['CI']) throw new Error('CI never writes a golden file');
    await rm(golden, { recursive: true, force: true });
    await copyFiles(made, golden);
  }
  await removeChanged(golden);
  expect(await fileNames(made), `the files of ${golden}`).toEqual(await fileNames(golden));
  for (const name of await fileNames(golden)) {
    const bytes = await readFile(join(made, name));
    if (bytes.equals(await readFile(join(golden, name)))) continue;
    await writeFile(join(golden, `${name}-changed`), bytes);
    expect(bytes.toString('utf8'), join(golden, name)).toBe(
      await readFile(join(golden, name), 'utf8'),
    );
  }
}

async function fileNames(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

async function copyFiles(from: string, to: string): Promise<void> {
  for (const name of await fileNames(from)) {
    await mkdir(dirname(join(to, name)), { recursive: true });
    await writeFile(join(to, name), await readFile(join(from, name)));
  }
}

async function removeChanged(folder: string): Promise<void> {
  const names = await fileNames(folder);
  await Promise.all(
    names.filter((name) => name.endsWith('-changed')).map((name) => rm(join(folder, name))),
  );
}
