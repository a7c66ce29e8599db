import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../../src/core/errors.ts';
import { machineProblem, problemText } from '../../src/core/machine-problem.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

test('what the system refuses is told with what to do about it', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  const below = await thrownBy(mkdir(join(folder, 'file', 'below')));
  expect(machineProblem(below)).toBe(
    `ENOTDIR: not a directory, mkdir '${join(folder, 'file', 'below')}'; a part of the path is no folder: correct it, or move the file away`,
  );
  const whole = await thrownBy(readFile(folder));
  expect(problemText(whole)).toBe(
    'EISDIR: illegal operation on a directory, read; it is a folder: name a file',
  );
});

test('memory that is not given is told with what to do about it', () => {
  expect(() => new ArrayBuffer(2 ** 46)).toThrow(/^Array buffer allocation failed$/);
  for (const text of ['Array buffer allocation failed', 'libx.so: cannot map zero-fill pages'])
    expect(problemText(new RangeError(text))).toBe(
      `${text}; the machine has no memory left: end what uses it, or give this process more`,
    );
});

test('what has no general remedy, and what is no fault of the machine, is told as it came', async () => {
  const missing = await thrownBy(readFile(join(await temporaryFolder(), 'none')));
  expect(machineProblem(missing)).toBeNull();
  expect(problemText(missing)).toMatch(/^ENOENT: no such file or directory, open '.*none'$/);
  expect(machineProblem(new Error('a bug'))).toBeNull();
  expect(problemText(new UsageError('name a job'))).toBe('name a job');
  expect(problemText('a text')).toBe('a text');
});
