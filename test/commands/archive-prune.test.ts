import { expect, test } from 'vitest';
import { pruneSentence } from '../../src/commands/archive-prune.ts';
import type { PruneSummary } from '../../src/load/prune.ts';
import { runCli, writeFiles } from '../support/cli.ts';
import { minimalJobs } from '../support/jobs-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const nothing: PruneSummary = {
  keep_from: '2026-01-20',
  responses: 0,
  bytes: 0,
  needed: 0,
  snapshots: 0,
  is_dry_run: false,
};

test.each<[string, Partial<PruneSummary>]>([
  ['Nothing to prune from before 2026-01-20.', {}],
  [
    'Nothing to prune from before 2026-01-20: 1 older response stays, as the warehouse rests on it.',
    { needed: 1 },
  ],
  ['2 bodies of before 2026-01-20 are gone (3.0 kB).', { responses: 2, bytes: 3_000 }],
  [
    '1 body of before 2026-01-20 would go (3.0 kB); 2 older responses stay, as the warehouse rests on them. 4 snapshots of those days are in the warehouse alone.',
    { responses: 1, bytes: 3_000, needed: 2, snapshots: 4, is_dry_run: true },
  ],
])('says %j', (sentence, change) => {
  expect(pruneSentence({ ...nothing, ...change })).toBe(sentence);
});

test('keeps no more days than a century has, beyond which days are none of the calendar', async () => {
  const folder = await temporaryFolder();
  await writeFiles(folder, { 'jobs.yaml': minimalJobs, '.env': 'ACME_API_KEY=key\n' });
  const { code, stderr } = await runCli(['archive', 'prune', '--keep', '36501'], { cwd: folder });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('Give a whole number, 1 to 36,500.') as string,
  });
});
