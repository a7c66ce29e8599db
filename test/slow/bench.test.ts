import { readdirSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runCli, writeFiles } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = resolve(import.meta.dirname, '../../bench');
// test/slow/lake/chaos.test.ts is the short bench/chaos
const names = readdirSync(folder).filter((name) => name.endsWith('.mjs') && name !== 'chaos.mjs');

interface Printed {
  readonly rows: readonly Readonly<Record<string, string | number>>[];
  readonly problems?: readonly string[];
}

it.each(names)('a short bench/%s prints its figures and finds no problem', async (name) => {
  const options = { cwd: await temporaryFolder(), entry: resolve(folder, name) };
  const { code, stdout, stderr } = await runCli(['--short', '--json'], options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { rows, problems = [] } = JSON.parse(stdout) as Printed;
  expect(rows.length).toBeGreaterThan(1);
  for (const [what, ...figures] of rows.map((row) => Object.values(row))) {
    expect(what).toBeTypeOf('string');
    expect(figures.length).toBeGreaterThan(2);
    expect([what, figures.filter((figure) => !Number.isFinite(figure))]).toEqual([what, []]);
  }
  expect(problems).toEqual([]);
});

it('npm run bench hands options to the one bench that is named before them, and keeps the table of one with problems', async () => {
  const root = await temporaryFolder();
  const print = (rows: string) =>
    `console.log(JSON.stringify({ rows: [${rows}], problems: ['odd'] }))`;
  await writeFiles(root, {
    'bench/good.mjs': print('{ given: process.argv.slice(2).join(" ") }'),
    'bench/odd.mjs': `${print('{ what: 1 }')}; process.exitCode = 1`,
    'bench/broken.mjs': 'process.exit(1)',
  });
  const entry = join(root, 'bench/support/run.mjs');
  await cp(join(folder, 'support/run.mjs'), entry);
  const run = (...args: string[]) => runCli(args, { cwd: root, entry });
  const measured = async () => {
    const text = await readFile(join(root, 'bench-results.json'), 'utf8');
    const { benches } = JSON.parse(text) as { benches: Record<string, Printed> };
    return Object.entries(benches).map(([name, { rows }]) => [name, rows]);
  };
  expect((await run('good', '--short', '--minutes', '6')).code).toBe(0);
  expect(await measured()).toEqual([['good', [{ given: '--json --short --minutes 6' }]]]);
  const all = await run('broken', 'odd', 'good');
  expect(all).toMatchObject({ code: 1, stderr: 'odd\nodd\n' });
  expect(await measured()).toEqual([
    ['odd', [{ what: 1 }]],
    ['good', [{ given: '--json' }]],
  ]);
  for (const names of [[], ['good', 'odd']]) {
    const refused = await run(...names, '--minutes', '6');
    expect(refused.stderr).toContain('--minutes is an option of one bench: name it before');
  }
});
