import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { runCli, writeFiles } from '../support/cli.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService } from '../support/plain-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const recently = addDays(dayOf(new Date(), 'UTC'), -2);

/** A job, and what check says of it. */
async function project(keys: string) {
  const service = await startPlainService({
    analytics: new Map([[uuid(900), [analyticsRecord(1, recently)]]]),
  });
  const folder = await temporaryFolder();
  const write = (windows: string, more: Readonly<Record<string, string>> = {}) =>
    writeFiles(folder, {
      '.env': 'KEY=plain-key\n',
      'jobs.yaml': `workspaces:
  acme: { base_url: "${service.url}", api_key: "\${KEY}", profiles: [{ id: ${uuid(900)}, name: Main }] }
clients:
  main: { name: Main, profiles: [acme/*], to: [ana@main.example] }
mail: { host: 127.0.0.1, port: 1, tls: off, from: ops@nord.example }
jobs:
  daily:
    profiles: [acme/*]
    windows: { ${windows} }
    reports:
      - report: overview
        period: last_month
        for: each
${keys}`,
      ...more,
    });
  const run = (...args: string[]) => runCli(args, { cwd: folder });
  const check = async () => {
    const { code, stderr } = await run('check');
    const doubts = stderr.split('\n').map((line) => line.replaceAll(`${folder}/`, ''));
    return { code, doubts };
  };
  return { write, run, check };
}

it('check names each word in the body of a mail that is no placeholder, and arguments that are misspelt', async () => {
  const { write, check } = await project(`        deliver:
          - { mail: client, body: ./text.md }
          - { mail: [bo@main.example], body: ./text.md }
          - { command: [sh, -c, 'awk "{print}" {foldr}/a'] }
`);
  const text =
    'Dear {client},\r\n\r\nhere is {reprot} of {period}, {Client}.\r\nFrom { from } to {to}: {job}, {1}, {}.\n';
  await write('days: 500', { 'text.md': text });
  const { code, doubts } = await check();
  expect(code).toBe(0);
  const known = 'there are {client} {report} {period} {from} {to} {job}';
  const said = doubts.filter((line) => line.includes('placeholder'));
  expect(said.map((line) => line.replace(/^.*WARN: /, ''))).toEqual([
    `text.md:3: {reprot} is no placeholder, and is sent as it is written; ${known}; did you mean "{report}"?`,
    `text.md:3: {Client} is no placeholder, and is sent as it is written; ${known}; did you mean "{client}"?`,
    `text.md:4: { from } is no placeholder, and is sent as it is written; ${known}; did you mean "{from}"?`,
    'jobs.daily.reports[0].deliver[2].command[2]: {foldr} is no placeholder; there are {folder} {report} {job} {client} {from} {to} {date}; did you mean "{folder}"?',
  ]);
});

it('check doubts a subject that ends at a #, windows, and alerts that nobody is told of', async () => {
  const { write, check } = await project(`        deliver:
          - mail: client
            subject: Report #1 for {client}
`);
  await write('days: 40', { 'alerts/low.sql': 'select 1', 'alerts/high.sql': 'select 2' });
  const { code, doubts } = await check();
  expect(code).toBe(0);
  expect(doubts.map((line) => line.replace(/^.*WARN: /, '')).filter(Boolean)).toEqual([
    'jobs.yaml:16: jobs.daily.reports[0].deliver[0].subject: ends at the # of its line, as "Report"; put it in quotes, together with the # where that belongs to it',
    'alerts/high.sql, alerts/low.sql: never run, since no rule of notify has alert in its when; add a rule to notify, or alert to the when of one',
    expect.stringMatching(
      /^jobs\.daily\.windows: days: 40 does not reach all that is reported: overview \(last_month\) shows the 12 months before its period and needs up to 42[78] days; set days: 42[78] or more, or start: \d{4}-\d\d-01$/,
    ),
  ]);
});

it('check does not doubt windows that read once what they no longer reach', async () => {
  const { write, run, check } = await project('');
  await write('days: 460, size_days: 500');
  expect((await run('run')).code).toBe(0);
  await write('days: 40, size_days: 500');
  expect((await check()).doubts).toEqual(['']);
});

it('check refuses a parameter that its report does not have', async () => {
  const { write, check } = await project('        set: { minimum: 3 }\n');
  await write('days: 430');
  const unknown = await check();
  expect([unknown.code, unknown.doubts[0]]).toEqual([
    2,
    'error: jobs.yaml:14: jobs.daily.reports[0].set: minimum: not a parameter of overview; the parameters are minimum_impressions',
  ]);
});
