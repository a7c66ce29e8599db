import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'api.md'), 'utf8');

/** Where the page says that each file of tests is, by what the page calls it. */
const files = new Map(
  [...page.matchAll(/^\[([\w/-]+)\]: \.\.\/(.+)$/gm)].map(([, name = '', file = '']) => [
    name,
    file,
  ]),
);

/** Every test that the page names, with its file. */
const named = [...page.matchAll(/\[([\w/-]+)\] `([^`]+)`/g)].map(([, file = '', name = '']) => ({
  file,
  name,
}));

/** Lines of the tables below "line by line" that say something, without their heads. */
const lines = page
  .slice(page.indexOf('## The specification, line by line'))
  .split('\n')
  .filter(
    (line) =>
      line.startsWith('| ') && !/^\| (-+|The specification says|It does not show) /.test(line),
  );

/** Names of the tests in a file as they are written there, with whatever stands for values. */
function testNamesIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const names: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && /^(it|test)\b/.test(node.expression.getText(source))) {
      const [name] = node.arguments;
      if (name && ts.isStringLiteralLike(name)) names.push(name.text);
      else if (name && ts.isTemplateExpression(name)) names.push(name.getText(source).slice(1, -1));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

describe('the page about the API', () => {
  it('names tests that are there, for every line of the specification', () => {
    const names = new Map([...files].map(([name, file]) => [name, testNamesIn(file)]));
    expect(named.filter(({ file, name }) => !names.get(file)?.includes(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(lines.length);
  });

  it('calls each file by its place, and names no file for nothing', () => {
    const called = [...files.keys()];
    expect([...files.values()]).toEqual(called.map((name) => `test/${name}.test.ts`));
    expect([...new Set(named.map(({ file }) => file))].sort()).toEqual(called);
  });

  it('has no line without a test, except for what no operation does', () => {
    const bare = lines.filter((line) => !/\[[\w/-]+\] `/.test(line));
    expect(bare.map((line) => line.split('|')[1]?.trim())).toEqual([
      'Keys are made, seen and revoked in the settings, on the plan Pro or higher',
      'Images up to 10 MB, videos up to 350 MB',
    ]);
  });
});
