import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agency, october } from '../support/agency.ts';
import { attachmentsOf } from '../support/mail-text.ts';
import { uuid } from '../support/made-records.ts';

const noon = '2026-11-02T11:00:00Z';
const later = '2026-11-03T11:00:00Z';
/** It renders and sends what a run would, and reads nothing before. */
const send = 'deliver send monthly';

/** A job that mails last month to a client, or to addresses, with other keys of its report and its mail. */
const job = (report: string, mail = 'mail: client', name = 'value') => `
    reports: [{ report: ${name}, period: last_month, formats: [md], ${report}, deliver: [{ ${mail} }] }]`;
const east = (to: string, more = '', key = 'east') =>
  `\n  ${key}: { name: East AG, profiles: [w/East${more}], to: [${to}] }`;

it('a mail of a closed month goes again only if jobs.yaml asks for another one, not if it spells or packs it otherwise', async () => {
  const entry = (keys = '', mail = 'client', formats = 'md') =>
    `{ report: value, for: [east], period: last_month, formats: [${formats}], ${keys}deliver: [{ mail: ${mail} }] }`;
  const asked = (to: string, ...entries: string[]) => ({
    clients: east(to),
    job: `\n    reports: [${entries.join(', ')}]`,
  });
  const { run, set, subjects } = await agency(
    asked('a@Büro.example', entry('', 'client, hold: true')),
  );
  await run('run monthly', october);
  expect(subjects()).toEqual([]);
  await set(asked('a@Büro.example', entry()));
  await run(send, noon);
  expect(subjects()).toHaveLength(1);
  await set(
    asked(
      'a@xn--bro-hoa.example',
      entry(
        'compare: previous, set: { minimum: 500 }, filters: {}, out: "./x/{client}", ',
        'client, hold: true, attach: [html], subject: Other, file: other, if_empty: skip',
        'md, html',
      ),
      entry('', '["A <a@BÜRO.example>"]'),
    ),
  );
  expect(await run(send, noon)).toMatchObject({ code: 0 });
  expect(subjects()).toHaveLength(1);
  const others = [
    entry('', '[A@büro.example]'),
    entry('', 'client, name: again'),
    entry('compare: year, '),
    entry('set: { minimum: 50 }, '),
    entry('filters: { type: [Image, Text] }, '),
    entry('filters: { label: [Image, Text] }, '),
  ];
  const alike = [
    entry('set: { minimum: "050" }, '),
    entry('filters: { type: [Text, Image, Text] }, '),
  ];
  for (const entries of [others, alike]) {
    await set(asked('a@büro.example', ...entries));
    expect(await run(send, noon)).toMatchObject({ code: 0 });
    expect(subjects()).toHaveLength(1 + others.length);
  }
});

it('a job without clients that was renamed, or whose reports stand in another order, sends nothing again, and another job a mail of its own', async () => {
  const mails = (...order: string[]) => `
    reports: [${order.map((report) => `{ report: ${report}, period: last_month, formats: [md] }`).join(', ')}]
    deliver: [{ mail: [boss@x.example] }]`;
  const site = { clients: ' {}', reads: 'w/East', job: mails('value', 'words') };
  const { run, set, subjects } = await agency(site);
  await run('run monthly', october);
  const months = { job: mails('words', 'value'), name: 'months' };
  await set(months);
  await run('deliver send months', noon);
  expect(subjects()).toHaveLength(1);
  const other = `  other:\n    profiles: [w/West]\n    windows: { start: 2026-09-01, size_days: 60 }${site.job}\n`;
  await set({ ...months, more: other });
  expect((await run('run other', noon)).code).toBe(0);
  expect(subjects()).toHaveLength(2);
});

describe('a closed month that was sent', () => {
  const sent = async () => {
    const site = await agency({
      more: 'locale: en-GB\ncurrency: EUR',
      clients: east('a@x.example'),
      job: job('for: [east]'),
    });
    await site.run('run monthly', october);
    const held = async () => (await site.listed()).filter(({ state }) => state === 'held');
    return { ...site, held };
  };

  it('waits for a person if profiles, prices or the key of the client have changed, as long as they have, and goes as a correction once', async () => {
    const { run, set, subjects, held, mails } = await sent();
    const both = { clients: east('a@x.example', ', w/West') };
    await set(both);
    await run(send, noon);
    expect(await held()).toHaveLength(1);
    await set({});
    await run(send, noon);
    expect([subjects().length, await held()]).toEqual([1, []]);
    const priced = `[{ id: ${uuid(900)}, name: East, cpm: 40 }, { id: ${uuid(901)}, name: West }]`;
    const changes = [
      [both, `2026-11-01: it now has West (w/${uuid(901)})`],
      [{ ...both, profiles: priced }, '2026-11-02: the CPM of East is 40, and was none'],
      [
        { ...both, job: job('for: [east], cpm: 12.5') },
        '2026-11-02: the CPM of East is none, and was 40; the CPM of the report value is 12.5, and was none',
      ],
      // back again is a change, too
      [both, '2026-11-02: the CPM of the report value is none, and was 12.5'],
    ] as const;
    for (const [index, [change, difference]] of changes.entries()) {
      await set(change);
      const at = `2026-11-02T1${index}:00:00Z`;
      expect((await run(send, at)).code).toBe(0);
      expect(subjects()).toHaveLength(1 + index);
      const [{ id, reason } = { id: '', reason: '' }] = await held();
      expect(reason).toBe(`it differs from what was sent on ${difference}`);
      expect((await run(`deliver approve ${id}`, at)).code).toBe(0);
      expect(subjects().at(-1)).toMatch(/: (?:=\?UTF-8\?Q\?)?Corrected/);
    }
    expect(mails()[1]).toMatch(/changed since/i);
    await run(send, later);
    expect((await run('catch-up', later)).code).toBe(0);
    expect(subjects()).toHaveLength(1 + changes.length);

    // a client whose key was renamed
    const clients = (key: string) => east('a@x.example', ', w/West', key);
    await set({ clients: clients('ost'), job: job('for: [ost]') });
    await run(send, later);
    expect(subjects()).toHaveLength(1 + changes.length);
    expect(await held()).toMatchObject([
      {
        reason:
          'the same was sent on 2026-11-02 for the client east, which jobs.yaml no longer sends it to',
      },
    ]);
    // two clients that have one recipient get a mail each
    const ost = east('a@x.example', '', 'ost').replace('w/East', 'w/West');
    await set({ clients: clients('east') + ost, job: job('for: [east, ost]') });
    await run(send, later);
    expect(subjects()).toHaveLength(2 + changes.length);
    expect(await held()).toEqual([]);
  });

  it('waits only for other prices of its own days, whatever their list is called and prices later', async () => {
    const { run, set, subjects, held } = await sent();
    const listed = (name: string, editions: string) => ({
      clients: east('a@x.example', '').replace('to:', `prices: ${name}, to:`),
      more: `locale: en-GB\ncurrency: EUR\nprices: { ${name}: [${editions}] }`,
    });
    const first = '{ from: 2026-01-01, clicks: 4 }';
    const changes = [
      [listed('board', first), 'the price of the report value is (clicks 4), and was none'],
      [listed('board', `${first}, { from: 2026-11-01, clicks: 5 }`), null],
      [listed('list', `{ from: 2025-01-01, clicks: 3 }, ${first}`), null],
      [
        listed('list', `${first}, { from: 2026-10-15, clicks: 5 }`),
        'the price of the report value is (clicks 4; from 2026-10-15 clicks 5), and was (clicks 4)',
      ],
    ] as const;
    for (const [index, [change, difference]] of changes.entries()) {
      await set(change);
      const at = `2026-11-02T1${index}:00:00Z`;
      const count = subjects().length;
      expect((await run(send, at)).code).toBe(0);
      expect(subjects()).toHaveLength(count);
      const [waiting] = await held();
      expect(waiting?.reason?.split(': ')[1] ?? null).toBe(difference);
      if (waiting) await run(`deliver approve ${waiting.id}`, at);
    }
    expect(subjects()).toHaveLength(3);
  });
});

it('what other prices changed says so in the next report', async () => {
  const listed = (editions: string) => ({
    clients: east('a@x.example').replace('to:', 'prices: board, to:'),
    more: `prices: { board: [${editions}] }`,
  });
  const keys = job('for: [east]', 'mail: client', 'overview').replace('[md]', '[md, csv]');
  const { folder, run, set, subjects } = await agency({
    ...listed('{ from: 2026-01-01, clicks: 4 }'),
    job: keys,
  });
  await run('run monthly', october);
  await set(listed('{ from: 2026-01-01, clicks: 5 }'));
  expect((await run('run monthly', '2026-12-01T06:00:00Z')).code).toBe(0);
  expect(subjects()).toHaveLength(2);
  const file = join(folder, 'out/east/overview-2026-11-30/overview/changed_since.csv');
  const [names = '', ...rows] = (await readFile(file, 'utf8')).trim().split('\r\n');
  const cells = rows.map((row) => row.split(','));
  const cell = (name: string) => cells.map((row) => row[names.split(',').indexOf(name)]);
  const clicks = 5;
  expect([cell('period'), cell('sent').map(Number), cell('now').map(Number)]).toEqual([
    ['2026-10'],
    [clicks * 4],
    [clicks * 5],
  ]);
  expect(cell('because')).toEqual(['other prices']);
});

it('a correction goes to all who got the report and whom jobs.yaml still has, and names the others', async () => {
  const to = (mailboxes: string, more = '') => ({
    clients: ' {}',
    job: `
    reports: [{ report: value, period: last_month, formats: [md], deliver: [{ mail: [${mailboxes}] }${more}] }]`,
  });
  const board = ', { mail: [board@x.example], name: board, hold: true }';
  const { run, set, subjects, listed } = await agency(
    to('a@x.example, b@x.example, gone@x.example', board),
  );
  await run('run monthly', october);
  const first = (await listed()).find(({ recipient }) => recipient === 'a@x.example');
  // a report of other posts to the same reader is no such mail
  await set({
    job: to('a@x.example').job.replace('formats', 'filters: { type: [Poll] }, formats'),
  });
  await run(send, noon);
  await set(to('a@x.example, B@X.example, b@X.example', board));
  const before = subjects().length;
  const resent = await run(`deliver resend ${first?.id ?? ''} --note Sorry.`, later);
  expect(resent.code).toBe(0);
  expect(resent.stdout).toContain(
    'not sent  value to gone@x.example, who got it: jobs.yaml no longer sends it there',
  );
  expect(subjects().slice(before).sort()).toEqual([
    'a@x.example: Corrected: LinkedIn: Value, October 2026',
    'b@x.example: Corrected: LinkedIn: Value, October 2026',
  ]);
});

it('a report of some posts and the whole one have names of their own in one mail', async () => {
  const { run, smtp, mails } = await agency({
    clients: east('a@x.example'),
    job: `
    reports:
      - { report: value, for: [east], period: last_month, formats: [xlsx] }
      - { report: value, for: [east], period: last_month, formats: [xlsx], filters: { type: [Text, Image] }, cpm: 12.5 }
    deliver: [{ mail: client, attach: [xlsx] }]`,
  });
  await run('run monthly', october);
  expect([...attachmentsOf(smtp.received[0]?.message ?? '').keys()]).toEqual([
    'east-value-2026-10.xlsx',
    'east-value-2026-10-type-Text-or-Image-CPM-12-50.xlsx',
  ]);
  expect(mails()[0]).toContain('Value (type: Text or Image, CPM: ');
});

it('what was sent as complete and has days that count as unread now stands in status, with the way to correct it', async () => {
  const { run, set, listed } = await agency({
    clients: east('a@x.example'),
    job: job('for: [east]'),
    start: '2026-10-06',
  });
  await run('run monthly', october);
  const warned = async () => (await run('status --fail-on warning', noon)).stdout;
  expect(await warned()).not.toContain('as complete');
  await set({ start: '2026-09-01' });
  const [{ id } = { id: '' }] = await listed();
  expect((await warned()).replaceAll(/\s+/g, ' ')).toContain(
    `value of 2026-10-01 to 2026-10-31 was sent as complete, and counts as unread now: East 2026-10-01 to 2026-10-05; once it is read again, \`postledger deliver resend ${id}\` corrects it for all who got it`,
  );
  await run('run monthly', later);
  expect((await run('status', later)).stdout).not.toContain('as complete');
});
