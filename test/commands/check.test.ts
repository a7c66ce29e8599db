import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { agency } from '../support/agency.ts';
import { writeFiles } from '../support/cli.ts';
import { analyticsRecord } from '../support/made-records.ts';

const recently = addDays(dayOf(new Date(), 'Europe/Berlin'), -2);

/** A job with keys of its report, and what check says of it. */
async function project(keys: string) {
  const { folder, set, run } = await agency({
    posts: [[analyticsRecord(1, recently)], []],
    clients: '\n  main: { name: Main, profiles: [w/East], to: [ana@main.example] }',
    reads: 'w/East',
    job: `
    reports:
      - report: overview
        period: last_month
        for: each
${keys}`,
  });
  const write = async (windows: string, more: Readonly<Record<string, string>> = {}) => {
    await set({ windows });
    await writeFiles(folder, more);
  };
  const check = async () => {
    const { code, log } = await run('check');
    return { code, doubts: log.replaceAll(`${folder}/`, '').split('\n') };
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
  expect(said).toEqual([
    `text.md:3: {reprot} is no placeholder, and is sent as it is written; ${known}; did you mean "{report}"?`,
    `text.md:3: {Client} is no placeholder, and is sent as it is written; ${known}; did you mean "{client}"?`,
    `text.md:4: { from } is no placeholder, and is sent as it is written; ${known}; did you mean "{from}"?`,
    'jobs.monthly.reports[0].deliver[2].command[2]: {foldr} is no placeholder; there are {folder} {report} {job} {client} {from} {to} {date}; did you mean "{folder}"?',
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
  expect(doubts).toEqual([
    'jobs.yaml:21: jobs.monthly.reports[0].deliver[0].subject: ends at the # of its line, as "Report"; put it in quotes, together with the # where that belongs to it',
    'alerts/high.sql, alerts/low.sql: never run, since no rule of notify has alert in its when; add a rule to notify, or alert to the when of one',
    expect.stringMatching(
      /^jobs\.monthly\.windows: days: 40 does not reach all that is reported: overview \(last_month\) shows the 12 months before its period and needs up to 42[78] days; set days: 42[78] or more, or start: \d{4}-\d\d-01$/,
    ),
  ]);
});

it('check does not doubt windows that read once what they no longer reach', async () => {
  const { write, run, check } = await project('');
  await write('days: 460, size_days: 500');
  expect((await run('run --no-reports')).code).toBe(0);
  await write('days: 40, size_days: 500');
  expect((await check()).doubts).toEqual(['']);
});

it('check refuses a parameter that its report does not have', async () => {
  const { write, check } = await project('        set: { minimum: 3 }\n');
  await write('days: 430');
  const unknown = await check();
  expect([unknown.code, unknown.doubts[0]]).toEqual([
    2,
    'jobs.yaml:19: jobs.monthly.reports[0].set: minimum: not a parameter of overview; the parameters are minimum_impressions',
  ]);
});
