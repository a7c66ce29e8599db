import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { runCli, writeFiles } from '../support/cli.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService } from '../support/plain-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const today = dayOf(new Date(), 'UTC');
const published = addDays(today, -9);
const from = addDays(today, -5);

/** A page with a post that the API prices, and price lists of which a client uses one. */
async function site() {
  const figures = { impressionCount: 1234, clickCount: 7, commentCount: 3, emv: 5 };
  const service = await startPlainService({
    analytics: new Map([[uuid(900), [analyticsRecord(1, published, figures)]]]),
  });
  const folder = await temporaryFolder();
  const write = (lists: string, key = 'prices: board') =>
    writeFiles(folder, {
      '.env': 'KEY=plain-key\n',
      'jobs.yaml': `timezone: UTC
prices:
${lists}
workspaces:
  acme: { base_url: "${service.url}", api_key: "\${KEY}", profiles: [{ id: ${uuid(900)}, name: Main }] }
clients:
  main: { name: Main, profiles: [acme/*], ${key} }
jobs:
  daily: { profiles: [acme/*], windows: { days: 30, size_days: 60 } }
`,
    });
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(args, { cwd: folder });
    const plain = (line: string) => line.replaceAll(`${folder}/`, '').replace(/^.*WARN: /, '');
    const lines = stderr.split('\n').filter(Boolean);
    return { code, stdout, said: lines.map(plain) };
  };
  /** The EMV of its one post in a report with these flags. */
  const emvWith = async (...flags: string[]) => {
    const { code } = await run('report', 'run', 'emv', ...flags, '--format', 'json', '--out', 'o');
    expect(code).toBe(0);
    const file = await readFile(join(folder, 'o', 'emv', 'posts.json'), 'utf8');
    return (JSON.parse(file) as { emv: number | null; emv_source: string | null }[]).map(
      ({ emv, emv_source: source }) => [emv && Number(emv.toFixed(2)), source],
    );
  };
  return { write, run, emvWith };
}

it('check names lists that price nothing or begin too late, and a report takes one list or CPM of those that there are', async () => {
  const { write, run, emvWith } = await site();
  const late = `  board: [{ from: ${from}, clicks: 9 }]`;
  const lists = `${late}\n  idle: { impressions: 30, clicks: 4.5, comments: 2 }`;
  await write(lists);
  const asked = addDays(today, -29);
  const unused = 'jobs.yaml:4: prices.idle: prices nothing: no profile, client or report names it';
  expect(await run('check')).toMatchObject({
    code: 0,
    said: [
      unused,
      `prices.board: its first prices are from ${from}, and posts from ${asked} on are read; those in between get no EMV from it: give it prices from ${asked}, or leave out from`,
    ],
  });
  expect((await run('run')).code).toBe(0);
  const idle = (1234 / 1000) * 30 + 7 * 4.5 + 3 * 2;
  expect(await emvWith()).toEqual([[5, 'api']]);
  expect(await emvWith('--prices', 'idle')).toEqual([[idle, 'prices']]);
  expect(await emvWith('--for', 'main')).toEqual([[null, null]]);
  expect(await emvWith('--for', 'main', '--prices', 'idle')).toEqual([[idle, 'prices']]);
  expect(await emvWith('--for', 'main', '--cpm', '10')).toEqual([[12.34, 'cpm']]);
  const refused = async (...args: string[]) => {
    const { code, stdout, said } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    return said.find((line) => line !== unused);
  };
  const report = ['report', 'run', 'emv', '--period', 'all', '--out', 'no'];
  expect(await refused(...report, '--cpm', '3', '--prices', 'idle')).toBe(
    "error: option '--prices <list>' cannot be used with option '--cpm <amount>'",
  );
  expect(await refused(...report, '--prices', 'idel')).toBe(
    'error: --prices idel: there is no such price list; did you mean "idle"?',
  );
  await write(lists, 'prices: bored');
  expect(await refused('check')).toBe(
    'error: jobs.yaml:8: clients.main.prices: no price list "bored"; did you mean "board"?',
  );
});
