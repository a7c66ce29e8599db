import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { onTestFinished } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');

/**
 * Compiles TypeScript so that plain Node runs it in a process of its own, with the same layout of folders.
 * @param sources files or folders, relative to the repository
 * @returns the folder that stands for the repository; it goes away with the test
 */
export async function compileSources(sources: readonly string[]): Promise<string> {
  // Inside the repository, so that packages resolve.
  const folder = join(root, 'node_modules', '.cache', 'postledger-test', randomUUID());
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const source of sources) {
    for (const file of await listTypeScript(source)) await compileFile(file, folder);
  }
  await writeFile(join(folder, 'package.json'), '{"type":"module","version":"0.0.0"}');
  return folder;
}

async function listTypeScript(source: string): Promise<string[]> {
  if (source.endsWith('.ts')) return [source];
  const names = await readdir(join(root, source), { recursive: true });
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(source, name));
}

async function compileFile(file: string, folder: string): Promise<void> {
  const { outputText } = ts.transpileModule(await readFile(join(root, file), 'utf8'), {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
    },
  });
  const target = join(folder, file.replace(/\.ts$/, '.js'));
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, outputText);
}
