import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { findingKinds } from '../../src/archive/finding.ts';
import { readLedgerLine } from '../../src/archive/ledger-line.ts';
import { archivedData } from '../support/archived-data.ts';
import { runCli, writeFiles } from '../support/cli.ts';
import { minimalJobs } from '../support/jobs-file.ts';
import { shellLines } from './shell-lines.ts';

const page = await readFile(resolve(import.meta.dirname, '../../docs/archive.md'), 'utf8');
const execute = promisify(execFile);

/** What stands as code in the first column of tables. */
function firstCodes(): string[] {
  return [...page.matchAll(/^\| `([^`]+)` /gm)].map(([, code = '']) => code);
}

it('tells of each kind of finding', () => {
  expect(firstCodes()).toEqual(expect.arrayContaining([...findingKinds]));
});

it('shows a line of the ledger of each kind, with its right check', () => {
  const lines = page.split('\n').filter((line) => line.startsWith('{"version":1,"kind":'));
  const kinds = lines.map((line) => {
    const found = readLedgerLine(line);
    return 'reason' in found ? found.reason : found.kind;
  });
  expect(kinds).toEqual(['part', 'segment', 'slugs', 'pruned']);
});

it('has the names of all files of a part', async () => {
  const { dataDir } = await archivedData();
  const day = join(dataDir, 'archive', 'acme', '2026-01-15');
  const [run = ''] = await readdir(day);
  const names = new Set(
    (await readdir(join(day, run))).map((name) => name.replace(/^\d{6}/, '000001')),
  );
  expect(firstCodes()).toEqual(expect.arrayContaining([...names]));
});

it('has commands that do what it says', async () => {
  const { folder } = await archivedData();
  await writeFiles(folder, { 'jobs.yaml': minimalJobs, '.env': 'ACME_API_KEY=key\n' });
  const lines = shellLines(page).filter((line) => line.includes('archive verify'));
  expect(lines).toHaveLength(6);
  for (const line of lines.filter((each) => !each.includes('backup/'))) {
    const { code, stdout } = await runCli(line.split(' ').slice(1), { cwd: folder });
    expect([line, code, stdout]).toEqual([
      line,
      0,
      expect.stringMatching(line.includes('--json') ? '"findings": \\[\\]' : ': 0 findings.'),
    ]);
  }
  const proofs = shellLines(page).filter((line) => line.startsWith('head '));
  const shown = await Promise.all(
    proofs.map(async (line) => (await execute('sh', ['-c', line], { cwd: folder })).stdout.trim()),
  );
  expect(shown).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), shown[0]]);
});
