import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../../src/core/calendar.ts';
import { writeFiles } from '../../support/cli.ts';
import { analyticsRecord, postDetails, uuid } from '../../support/made-records.ts';
import { startPlainService } from '../../support/plain-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runOnTerminal } from '../../support/terminal-screen.ts';
import { valueReport } from '../../support/value-report.ts';

const today = dayOf(new Date(), 'UTC');

function workspaceYaml(key: string, url: string, number: number): string {
  return `  ${key}:
    base_url: ${url}
    api_key: \${${key.toUpperCase()}_KEY}
    profiles: [{ id: ${uuid(number)}, name: ${key} on LinkedIn }]
`;
}

/** Two workspaces, of which one refuses its key, and a job with a report. */
async function twoWorkspaces(): Promise<string> {
  const numbers = [1, 2, 3];
  const records = numbers.map((number) => {
    const servicePost = { id: uuid(500 + number), title: `Post ${number}`, labels: [] };
    return analyticsRecord(number, addDays(today, -number), { servicePost });
  });
  const acme = await startPlainService({
    analytics: new Map([[uuid(900), records]]),
    posts: new Map(numbers.map((number) => [uuid(500 + number), postDetails(500 + number)])),
  });
  const globex = await startPlainService({ analytics: new Map(), key: 'another' });
  const folder = await temporaryFolder();
  await writeFiles(folder, {
    ...valueReport,
    '.env': 'ACME_KEY=plain-key\nGLOBEX_KEY=refused\n',
    'jobs.yaml': `workspaces:
${workspaceYaml('acme', acme.url, 900)}${workspaceYaml('globex', globex.url, 901)}
jobs:
  daily:
    profiles: [acme/*, globex/*]
    windows: { days: 60, size_days: 30, refresh_days: 10 }
    details: true
    reports: [{ report: value, period: all, formats: [csv], out: ./out/value }]
`,
  });
  return folder;
}

it('a plan shows complete names and days on 80 columns, and says what is unknown', async () => {
  const folder = await twoWorkspaces();
  const plan = async () => (await runOnTerminal(['plan'], { cwd: folder, columns: 80 })).lines;
  // a date more is asked for, as the dates of the service may be those of another zone
  const first = addDays(today, -60);
  const heads = ['Profile', 'Date ranges', 'Never read', 'From', 'To'];
  const before = await plan();
  expect(before[2]?.split(/ {2,}/u)).toEqual(heads);
  expect(before.slice(4, 6).map((line) => line.split(/ {2,}/u))).toEqual([
    ['acme/acme on LinkedIn', '3', '3', first, today],
    ['globex/globex on LinkedIn', '3', '3', first, today],
  ]);
  expect(before.at(-2)).toBe(
    'acme: 3 date ranges, 0 post details known to be due; 3 requests or more at 100 per 60 s',
  );
  await runOnTerminal(['run', '--from', addDays(today, -3)], { cwd: folder, columns: 80 });
  expect((await plan()).at(-2)).toBe(
    'acme: 3 date ranges, 0 post details known to be due; 3 requests or more at 100 per 60 s',
  );
});

function withoutChance(line: string): string {
  return line
    .replace(/^\[[^\]]+\]/u, '[TIME]')
    .replaceAll(/\d+(\.\d+)? s\b/gu, 'N s')
    .replace(/\d+ files/u, 'N files');
}

it('a run leaves a readable screen', async () => {
  const folder = await twoWorkspaces();
  const { lines, ...ended } = await runOnTerminal(['run'], { cwd: folder, columns: 80 });
  expect(ended).toEqual({ code: 3, isRestored: true });
  const refusal =
    'globex: Invalid or unauthorized API key (401); check GLOBEX_KEY: it must be a key of the workspace at workspaces.globex.base_url, complete and without spaces';
  const bar = '━'.repeat(20);
  expect(lines.map(withoutChance)).toEqual([
    `[TIME] WARN: ${refusal}; no further requests are sent to this workspace in this run {"status":401}`,
    `${bar}  acme  6 requests in N s`,
    `${bar}  globex  3 requests in N s`,
    'Job daily',
    '  acme: 3 date ranges and 3 post details read in 6 requests',
    '  globex: nothing read in 3 requests',
    '    failed: globex: Invalid or unauthorized API key (401); check GLOBEX_KEY:',
    '      it must be a key of the workspace at workspaces.globex.base_url, complete',
    '      and without spaces',
    '    not read, for the same reason: 2',
    '  9 responses loaded · posts: 3 new.',
    '  report value: N files in out/value',
    '  see: out/value/index.html',
    '  next: postledger catch-up',
  ]);
});
