import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import ts from 'typescript';

const entry = resolve(import.meta.dirname, '../../dist/bin.js');

interface Ended {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program on a Node that pretends to have this version. */
function runOn(version: string, ...args: string[]): Promise<Ended> {
  const says = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
  return new Promise((done) => {
    execFile(process.execPath, ['--import', says, entry, ...args], (error, stdout, stderr) => {
      done({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

describe('the check of the Node version', () => {
  it.each(['12.22.0', '20.18.3'])('tells Node %s which version is needed', async (version) => {
    expect(await runOn(version, 'run')).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: postledger needs Node.js 20.19 or later; this is ${version}\n`,
    });
  });

  it('is in a file that an old Node can parse', async () => {
    const text = await readFile(entry, 'utf8');
    const source = ts.createSourceFile('bin.js', text, ts.ScriptTarget.ES2020, true);
    const imports = source.statements.filter(ts.isImportDeclaration);
    expect(imports.map(({ moduleSpecifier }) => moduleSpecifier.getText())).toEqual(['"fs"']);
    // the first Node with ES modules can parse everything except import() itself
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { target: ts.ScriptTarget.ES2020, module: ts.ModuleKind.ES2020 },
    });
    expect(withoutLayout(outputText)).toBe(withoutLayout(text.replace('export {};', '')));
  });

  it.each(['20.19.0', '100.0.0'])('accepts Node %s', async (version) => {
    expect(await runOn(version, '--version')).toMatchObject({ code: 0, stderr: '' });
  });
});

function withoutLayout(text: string): string {
  return text.replaceAll(/\/\/# sourceMappingURL.*|\s/gu, '');
}
