import { cp, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { fuzzTimeoutMs } from '../support/fuzz.ts';
import { filesWith, namesOfAda, reviewedSite } from '../support/reviewed-site.ts';

const readErased = (folder: string) =>
  readFile(join(folder, 'data', 'erased.json'), 'utf8').catch(() => '');
const killSwitch = pathToFileURL(resolve(import.meta.dirname, '../support/kill-switch.mjs')).href;

const readers = [
  ['export', '--parquet', 'copy'],
  ['sql', 'from approvals'],
  ['rebuild', '--check'],
];

const limits = { timeout: Math.max(fuzzTimeoutMs, 300_000) };

/** `FUZZ_RUNS=60` kills at nearly every write. */
it('an erasure that is killed anywhere is finished by the next load', limits, async () => {
  const { folder, run, totals } = await reviewedSite();
  const before = await totals();
  const backup = join(folder, 'backup');
  const parts = ['data', 'out'];
  for (const part of parts) await cp(join(folder, part), join(backup, part), { recursive: true });
  const counts = join(folder, 'counts.json');
  const erase = (kill: string) =>
    runCli(['erase', '--person', 'u-4711', '--yes'], {
      cwd: folder,
      env: {
        NODE_OPTIONS: `--import=${killSwitch}`,
        SWITCH_WALL_MS: String(Date.now()),
        SWITCH_COUNTS: counts,
        SWITCH_KILL: kill,
      },
    });
  await erase('');
  const { write: writes } = JSON.parse(await readFile(counts, 'utf8')) as { write: number };
  expect(writes).toBeGreaterThan(30);
  const count = Number(process.env['FUZZ_RUNS'] ?? 3);
  const points = Array.from(
    { length: count },
    (_, at) => 1 + Math.floor(((at + 0.5) * writes) / count),
  );
  for (const [index, point] of [...points, writes - 6].entries()) {
    for (const part of parts) {
      await rm(join(folder, part), { recursive: true });
      await cp(join(backup, part), join(folder, part), { recursive: true });
    }
    expect((await erase(`write ${point} before`)).signal).toBe('SIGKILL');
    // what shows people refuses, until it is finished; each point tries one of them
    const isBegun = (await readErased(folder)).includes('null');
    if (isBegun)
      expect(await run(...(readers[index % readers.length] ?? []))).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('erasure') as unknown,
      });
    if (isBegun)
      expect((await run('status')).stdout).toContain('an erasure is under way or was interrupted');
    // the same command finishes it, too
    if (isBegun && point % 2 === 0)
      expect(await run('erase', '--person', 'u-4711', '--yes')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Erased') as unknown,
      });
    // in a process of its own: it remembers no folder that was removed here
    const env = { NODE_OPTIONS: '--no-warnings' };
    expect(await runCli(['load'], { cwd: folder, env })).toMatchObject({ code: 0 });
    // one that was killed before it was on record is begun again
    if ((await filesWith(folder, namesOfAda)).length > 0)
      expect((await erase('')).code, `after write ${point}`).toBe(0);
    expect(await filesWith(folder, namesOfAda), `after write ${point}`).toEqual([]);
    expect(await totals()).toBe(before);
    expect((await run('verify')).code).toBe(0);
  }
});
