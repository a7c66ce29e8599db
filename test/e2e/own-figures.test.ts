import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { agency } from '../support/agency.ts';
import { runCli } from '../support/cli.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';

const yesterday = addDays(dayOf(new Date(), 'Europe/Berlin'), -1);

/** Two clients with a profile each, and a mail to the first one. */
async function twoClients() {
  const posts = (id: number) => [analyticsRecord(id, yesterday, { emv: 100 })];
  const site = await agency({
    posts: [posts(900), posts(901)],
    profiles: `[{ id: ${uuid(900)}, name: Main }, { id: ${uuid(901)}, name: Side }]`,
    windows: 'days: 40, size_days: 60',
    job: `
    reports: [{ report: overview, for: [main], period: last_7_days, formats: [html], deliver: [{ mail: client }] }]`,
  });
  const write = (first: string, second = '') =>
    site.set({
      clients: `
  main: { name: Main, profiles: [w/Main], to: [cmo@main.example], ${first} }
  side: { name: Side, profiles: [w/Side], ${second} }`,
    });
  const figures = (text: string) => writeFile(join(site.folder, 'own.csv'), text);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(args, { cwd: site.folder });
    return { code, stdout, stderr: stderr.replaceAll(`${site.folder}/`, '') };
  };
  return { ...site, write, figures, run };
}

it('figures of a file are in the mail and in own_figures, and a file that cannot be read costs no reading and no other report', async () => {
  const { smtp, write, figures, run } = await twoClients();
  await write('figures: own.csv, targets: { Followers: 2000 }');
  // as a program for tables of a German saves it
  const file = (value: string) =>
    `\uFEFFProfile;Day;Figure;Value;Kind\r\nMain;${yesterday};Followers;${value};last\r\n\r\nSide;${yesterday};Followers;7;last\r\n`;
  await figures(file('1.234,5'));
  const refused = 'own.csv:2: value: must be a number such as 1234.5, or empty, got "1.234,5"';
  expect(await run('check')).toMatchObject({ code: 2, stderr: `error: ${refused}\n` });
  const failed = await run('run');
  expect(failed.code).toBe(3);
  expect(failed.stderr).toContain(`${refused}; the view own_figures stays as it was`);
  expect(failed.stderr).toMatch(
    new RegExp(`report overview for main failed: .*${refused.slice(0, 18)}`),
  );
  const counted = ['sql', '--format', 'csv', 'select count(*) as n from post_performance'];
  expect((await run(...counted)).stdout).toBe('n\r\n2\r\n');
  expect(smtp.received).toEqual([]);

  await figures(file('1234'));
  expect((await run('check')).code).toBe(0);
  expect((await run('run')).code).toBe(0);
  const [mail, ...others] = smtp.received;
  expect(others).toEqual([]);
  expect(mail?.message).toContain('Followers');
  expect(mail?.message).toContain('1,234');
  const rows = 'select client, profile, day::varchar as day, figure, value from own_figures';
  expect((await run('sql', '--format', 'csv', rows)).stdout).toBe(
    `client,profile,day,figure,value\r\nmain,Main,${yesterday},Followers,1234.0\r\n`,
  );
  const explained = ['explain', 'overview', '--for', 'main', '--section', 'scorecard'];
  const cell = await run(...explained, '--row', 'figure=Followers', '--column', 'value');
  expect(cell.stdout).toContain('Not read from the service');
  expect(cell.stdout).toMatch(new RegExp(`2 +Main +${yesterday} +1,234`));

  await write('');
  expect((await run('load')).code).toBe(0);
  expect(
    (await run('sql', '--format', 'csv', 'select count(*) as n from own_figures')).stdout,
  ).toBe('n\r\n0\r\n');
});

it('check names each mistake of a file by line and column, targets that no file has, and rows that two clients would both get', async () => {
  const { write, figures, run } = await twoClients();
  const refused = async () => {
    const { code, stdout, stderr } = await run('check');
    expect([code, stdout]).toEqual([2, '']);
    return stderr.replace(/^error: /, '').trimEnd();
  };
  await write('figures: own.csv');
  await figures(
    [
      'profile,month,day,figure,value,kind,format',
      'Man,2026-13,,EMV,x,mean,euro',
      'Main,2026-10,,Leads,4,sum,',
      'w/Main,2026-10,,leads,4,last,money',
      'Main,,2026-10-01,Leads,4,sum,',
      'Main,2026-10,2026-10-01,Spend,4,sum,money',
    ].join('\n'),
  );
  expect((await refused()).split('\n  ')).toEqual([
    'own.csv: 12 mistakes',
    'own.csv:2: month: must be a month as YYYY-MM, got "2026-13"',
    'own.csv:2: figure: is the name of a figure of the reports themselves; take another one, got "EMV"',
    'own.csv:2: value: must be a number such as 1234.5, or empty, got "x"',
    'own.csv:2: kind: must be sum or last, got "mean"',
    'own.csv:2: format: must be count or money, or empty, got "euro"',
    'own.csv:2: profile: there is no profile "Man"; did you mean "Main"?',
    'own.csv:4: figure: is "Leads" in line 3, and must be so in all rows of the figure',
    'own.csv:4: kind: is "sum" in line 3, and must be so in all rows of the figure',
    'own.csv:4: format: is "count" in line 3, and must be so in all rows of the figure',
    'own.csv:4: month: the same profile and month stand in line 3, too; leave one out',
    'own.csv:5: day: the figure is given by month in line 3; give it by one of the two',
    'own.csv:6: day: must stand in a row without month, and month without day',
  ]);
  for (const [text, message] of [
    ['', 'own.csv is empty; its first line names the columns'],
    ['month,figure,value\n', 'own.csv:1: has no column kind; add it'],
    ['month,figur,value,kind\n', 'own.csv:1: there is no column "figur"; did you mean "figure"?'],
    ['figure,value,kind\n', 'own.csv:1: has neither a column day nor a column month; add one'],
  ] as const) {
    await figures(text);
    expect(await refused()).toBe(message);
  }

  const empty = 'profile,month,figure,value,kind\nMain,2026-10,Leads,4,sum\n,2026-10,Leads,,sum\n';
  await figures(empty);
  await write('figures: own.csv, targets: { Lead: 5 }');
  expect(await refused()).toBe(
    'jobs.yaml:9: clients.main.targets.Lead: is no figure of a report or of own.csv; did you mean "Leads"?',
  );
  await write('figures: own.csv', 'figures: ./own.csv');
  expect(await refused()).toBe(
    'own.csv:3: profile: is empty, and several clients have this file; name one',
  );
  await write('targets: { Leads: 5 }');
  expect(await refused()).toContain(
    'clients.main.targets.Leads: unknown key; known are emv, engagement_rate, posts, impressions; a target of a figure of your own needs its file, in figures',
  );
});

it('a Parquet file has the same columns, and its rows are named by number', async () => {
  const { folder, write, run } = await twoClients();
  await write('');
  expect((await run('run')).code).toBe(0);
  const parquet = async (select: string) => {
    expect((await run('sql', '--out', join(folder, 'own.parquet'), select)).code).toBe(0);
  };
  await parquet(
    `select 'Main' as profile, date '${yesterday}' as day, 'Followers' as figure, 5::bigint as value, 'last' as kind`,
  );
  await write('figures: own.parquet');
  expect((await run('load')).code).toBe(0);
  expect((await run('sql', '--format', 'csv', 'select value from own_figures')).stdout).toBe(
    'value\r\n5.0\r\n',
  );
  await parquet("select date '2026-10-02' as month, 'L' as figure, 5 as value, 'sum' as kind");
  expect((await run('check')).stderr).toContain(
    'own.parquet:row 1: month: must be a month as YYYY-MM, got "2026-10-02"',
  );
  await writeFile(join(folder, 'own.parquet'), 'no parquet');
  expect((await run('check')).stderr).toContain('own.parquet cannot be read as Parquet');
});
