import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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

test('a failed system call is reported with its remedy', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  const below = await thrownBy(mkdir(join(folder, 'file', 'below')));
  expect(machineProblem(below)).toBe(
    `ENOTDIR: not a directory, mkdir '${join(folder, 'file', 'below')}'; a part of the path is not a folder: correct it, or move the file away`,
  );
  const whole = await thrownBy(readFile(folder));
  expect(problemText(whole)).toBe(
    'EISDIR: illegal operation on a directory, read; it is a folder: name a file',
  );
});

test('a failed allocation is reported with its remedy', () => {
  expect(() => new ArrayBuffer(2 ** 46)).toThrow(/^Array buffer allocation failed$/);
  for (const text of ['Array buffer allocation failed', 'libx.so: cannot map zero-fill pages'])
    expect(problemText(new RangeError(text))).toBe(
      `${text}; the machine is out of memory: stop other programs, or give this process more`,
    );
});

test('an error without a general remedy is reported unchanged', async () => {
  const missing = await thrownBy(rmdir(dirname(await temporaryFolder())));
  expect(machineProblem(missing)).toBeNull();
  expect(problemText(missing)).toMatch(/^ENOTEMPTY: directory not empty, rmdir '/);
  expect(machineProblem(new Error('a bug'))).toBeNull();
  expect(problemText(new UsageError('name a job'))).toBe('name a job');
  expect(problemText('a text')).toBe('a text');
});
