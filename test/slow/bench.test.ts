import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
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
