import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli, writeFiles } from '../support/cli.ts';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService } from '../support/plain-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const recently = addDays(dayOf(new Date(), 'UTC'), -2);

/** Two workspaces that each have a profile Main, and a client each. */
async function twoClients() {
  const post = (id: number, commentary: string) =>
    analyticsRecord(id, recently, { commentary, emv: id, impressionCount: 1000 });
  const service = await startPlainService({
    analytics: new Map([
      [uuid(900), [post(1, 'Words of Fjord')]],
      [uuid(901), [post(2, 'Words of Pine'), post(3, 'More of Pine')]],
    ]),
  });
  const folder = await temporaryFolder();
  const workspace = (id: number) => `
    base_url: ${service.url}
    api_key: \${KEY}
    profiles: [{ id: ${uuid(id)}, name: Main }]`;
  await writeFiles(folder, {
    '.env': 'KEY=plain-key\n',
    'jobs.yaml': `workspaces:
  f:${workspace(900)}
  p:${workspace(901)}
clients:
  fjord: { name: Fjord AS, profiles: [f/Main], brand: { product_mark: false } }
  pine: { name: Pine GmbH, prepared_by: Nord, profiles: [p/*], currency: EUR, timezone: Europe/Berlin }
jobs:
  monthly:
    profiles: [f/*, p/*]
    windows: { days: 20, size_days: 60 }
    details: false
    reports:
      - { report: emv, for: each, formats: [csv, html, xlsx], out: "./out/{client}" }
      - { report: emv, for: [pine], formats: [csv], out: "./broken/{client}", set: { none: 1 } }
`,
  });
  return { folder, run: (...args: string[]) => runCli(args, { cwd: folder }) };
}

it('each client gets a report of its own profiles under its name, and one that fails costs the others nothing', async () => {
  const { folder, run } = await twoClients();
  const { code, stdout } = await run('run');
  expect(code).toBe(3);
  expect(stdout).toContain(`report emv for fjord: `);
  expect(stdout).toContain(
    'report emv for pine failed: --set none: no parameter of emv; there is ',
  );
  const text = async (name: string) => readFile(join(folder, 'out', name), 'utf8');
  const [fjord, pine] = [await text('fjord/emv.html'), await text('pine/emv.html')];
  expect(fjord).toContain('<bdi>Fjord AS</bdi>');
  expect(fjord).not.toMatch(/Pine|Nord|postledger|Europe\/Berlin/);
  expect(pine).toContain('<bdi>Pine GmbH</bdi>');
  expect(pine).toMatch(/<dt>Prepared by<\/dt><dd><bdi>Nord<\/bdi>/);
  expect(pine).toContain('Europe/Berlin');
  expect(pine).not.toMatch(/Fjord/);
  expect(await text('fjord/emv/posts.csv')).not.toContain('Pine');
  expect(await text('pine/emv/summary.csv')).toMatch(/^posts,.*\r?\n2,/);
  expect(await readdir(folder)).not.toContain('broken');
});

it('report run --for makes the same report, and refuses a client that there is not', async () => {
  const { folder, run } = await twoClients();
  await run('run');
  const made = await run(
    'report',
    'run',
    'emv',
    '--for',
    'pine',
    '--format',
    'csv,html',
    '--out',
    'by-hand',
  );
  expect(made.code).toBe(0);
  for (const name of ['emv.html', 'emv/posts.csv', 'emv/by_profile.csv'])
    expect(await readFile(join(folder, 'by-hand', name), 'utf8')).toBe(
      await readFile(join(folder, 'out/pine', name), 'utf8'),
    );
  const wrong = await run('report', 'run', 'emv', '--for', 'pin');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('--for pin: there is no such client; did you mean ');
});
