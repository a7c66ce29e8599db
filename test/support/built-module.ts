import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { temporaryFolder } from './temporary-folder.ts';

const root = resolve(import.meta.dirname, '..', '..');

/** The address of a module of the built program, by its path in `dist`: a plain process runs no TypeScript. */
export function builtUrl(path: string): string {
  return pathToFileURL(join(root, 'dist', path)).href;
}

/** The address of a module of `test/support` as JavaScript that imports the built program's modules. */
export async function compiledUrl(name: string): Promise<string> {
  const source = await readFile(join(import.meta.dirname, name), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const file = join(await temporaryFolder(), name.replace(/\.ts$/, '.mjs'));
  const isOurs = /'\.\.\/\.\.\/src\/(.*)\.ts'/g;
  const text = outputText.replace(isOurs, (_, path: string) => `'${builtUrl(`${path}.js`)}'`);
  await writeFile(file, text);
  return pathToFileURL(file).href;
}
