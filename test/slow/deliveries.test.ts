import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agency, eastOctober, notifies, october, westOctober } from '../support/agency.ts';
import { writeFiles } from '../support/cli.ts';
import { uuid } from '../support/made-records.ts';

/** A job that mails a month to one client. */
const job = `
    schedule: "0 7 1 * *"
    reports: [{ report: value, for: [east], period: last_month, formats: [md], deliver: [{ mail: client }] }]`;
const eastNovember = eastOctober.replace('October', 'November');

it('a report of an open period is sent once a slot, and once for a time that comes twice in a night', async () => {
  const daily = job.replace('0 7 1 * *', '30 2,14 * * *').replace('last_month', 'all');
  const { run, smtp } = await agency({ job: daily });
  const counts: number[] = [];
  for (const at of ['T00:30:01Z', 'T00:31:00Z', 'T01:30:01Z', 'T13:30:01Z']) {
    await run('run monthly', `2026-10-25${at}`);
    counts.push(smtp.received.length);
  }
  expect(counts).toEqual([1, 1, 1, 2]);
});

it('a held month stays until it is read, however many slots pass, and goes out beside the later ones', async () => {
  const { run, service, subjects, listed } = await agency({ job });
  service.answer('/analytics/', { status: 500, body: '{}' });
  expect((await run('run monthly', '2026-11-01T08:30:00Z')).code).toBe(3);
  expect((await run('run monthly', '2026-12-01T08:30:00Z')).code).toBe(3);
  expect(subjects()).toEqual([]);
  expect((await listed()).map(({ state, to }) => `${state} ${to}`).sort()).toEqual([
    'held 2026-10-31',
    'held 2026-11-30',
  ]);
  service.answer('/analytics/', null);
  // what has failed for a month is asked for once a day
  expect((await run('catch-up', '2026-12-02T09:00:00Z')).code).toBe(0);
  expect(subjects().sort()).toEqual([eastNovember, eastOctober]);
});

it('a data folder that is restored sends nothing again, and without the records of what was sent holds it, says so, and sends the next month', async () => {
  const { folder, run, subjects, listed } = await agency({ job });
  const restore = async (...kept: readonly string[]) => {
    const [dataDir, backup] = [join(folder, 'data'), join(folder, `without-${kept.length}`)];
    await rename(dataDir, backup);
    for (const name of kept) await cp(join(backup, name), join(dataDir, name), { recursive: true });
  };
  await run('run monthly', '2026-11-01T08:00:00Z');
  await restore('raw', 'deliveries.jsonl');
  expect((await run('run monthly', '2026-11-01T09:00:00Z')).code).toBe(0);
  await restore('raw');
  const again = await run('run monthly', '2026-11-01T09:30:00Z');
  expect(again.code).toBe(3);
  expect(again.log).toContain('no deliveries.jsonl, which says what was sent');
  expect((await listed()).map(({ state }) => state)).toEqual(['held']);
  expect(subjects()).toHaveLength(1);
  await run('run monthly', '2026-12-01T08:30:00Z');
  expect(subjects().slice(1)).toEqual([eastNovember]);
});

it('mails over days that were not read are held, sent or skipped, notified once, sent by the run that reads them, and corrected on request', async () => {
  const pine = 'a@pine.example';
  const ways = ['hold', 'send', 'skip'].map(
    (how) => `{ mail: client, name: ${how}, when_incomplete: ${how} }`,
  );
  const { run, listed, mails, notices, service } = await agency({
    clients: `\n  pine: { name: Pine GmbH, profiles: [w/West], to: [${pine}] }`,
    // one mail of a single report is approved before its days are read
    job: `
    reports:
      - { report: value, period: last_month, for: [pine], formats: [md], deliver: [{ mail: client }, { mail: client, name: early }] }
      - { report: words, period: last_month, for: [pine], formats: [md] }
    deliver: [${ways.join(', ')}]
  daily: { profiles: [w/West], windows: { start: 2026-09-01, size_days: 60 }, details: false }`,
    more: notifies,
  });
  const [one = '', all = ''] = ['Value', 'Reports'].map(
    (title) => `Pine GmbH, LinkedIn: ${title}, October 2026`,
  );
  const subjectOf = (mail: string) => /^Subject: (.*)$/m.exec(mail)?.[1] ?? '';
  /** The mails since the last look, by subject. */
  let known = 0;
  const news = () => {
    const arrived = mails().slice(known);
    known += arrived.length;
    return new Map(arrived.map((mail) => [subjectOf(mail), mail]));
  };

  service.answer(uuid(901), { status: 401, body: '{}' });
  expect((await run('run monthly', october)).code).toBe(3);
  const incomplete = news();
  expect([...incomplete.keys()]).toEqual([`Incomplete: ${all}`]);
  const nothing = /Nothing has been read for this period yet\./g;
  expect(incomplete.get(`Incomplete: ${all}`)?.match(nothing)).toHaveLength(4);
  const first = await listed();
  const idOf = (wanted: string, report = 'value, words') =>
    first.find((each) => each.state === wanted && each.report === report)?.id ?? '';
  const days = [{ profile: 'West', first_day: '2026-10-01', last_day: '2026-10-31' }];
  const held = first.filter(({ state }) => state === 'held');
  expect(held).toMatchObject(Array(3).fill({ waits_for: { kind: 'days', days } }));
  expect((await run('deliver list')).stdout).toContain('waits for West 2026-10-01 to 2026-10-31');
  const told = notices().length;
  expect(notices()[0]?.text).toContain('Nothing has been read for this period yet.');
  expect((await run('run monthly')).code).toBe(3);
  // the one that was skipped is sent with --yes alone
  expect((await run('deliver send')).code).toBe(2);
  expect(notices()).toHaveLength(told);
  expect((await run(`deliver approve ${idOf('held', 'value')}`)).code).toBe(0);
  expect(news().get(`Incomplete: ${one}`)?.match(nothing)).toHaveLength(2);

  service.answer(uuid(901), null);
  const daily = await run('run daily', '2026-11-02T06:00:00Z');
  expect(daily.code).toBe(0);
  expect(daily.stdout).toContain(`deliver value, words to ${pine}: sent\n`);
  const complete = news();
  expect([...complete.keys()].sort()).toEqual([all, one]);
  expect(complete.get(one)).toContain('$400 of media value.');

  // all who got it get the correction, under whatever name
  const resend = async (id: string, note: string): Promise<string[]> => {
    const before = mails().length;
    expect((await run(['deliver', 'resend', id, '--note', note])).code).toBe(0);
    return mails()
      .slice(before)
      .map((mail) => {
        expect(mail).toContain(note.replace(/<(.*)>/, '&lt;$1&gt;'));
        const change =
          /No key figure has changed since|Changed since .*: (?:Value, )?EMV \$400 \(was –\)\./;
        const [said] = change.exec(mail) ?? [];
        return `${subjectOf(mail)}: ${said?.replace(/since .*: /, 'since: ')}`;
      });
  };
  const corrected = (title: string, ...changes: string[]) =>
    changes.map((change) => `Corrected: ${title}: ${change}`);
  const same = 'No key figure has changed since';
  const ofSeveral = 'Changed since: Value, EMV $400 (was –).';
  expect((await resend(idOf('held', 'value'), 'A key had <expired>.')).sort()).toEqual(
    corrected(one, 'Changed since: EMV $400 (was –).', same),
  );
  expect((await resend(idOf('held'), 'One moment.')).sort()).toEqual(
    corrected(all, ofSeveral, same),
  );
  // what was skipped reached nobody, and goes only if it is asked for itself
  expect((await resend(idOf('discarded'), 'Again.')).sort()).toEqual(
    corrected(all, ofSeveral, same, same),
  );
  news();
  expect((await run('run monthly')).code).toBe(0);
  expect(news().size).toBe(0);
});

it('a run exits 3 while a delivery has failed or a mail server defers it, and what waits goes to the address that jobs.yaml has', async () => {
  let isBusy = true;
  const refuse = (address: string) => {
    if (address === 'east@x.example') return 550;
    return isBusy ? 451 : null;
  };
  const to = (address: string) => `
  east: { name: East AG, profiles: [w/East], to: [east@x.example] }
  west: { name: West Inc, profiles: [w/West], to: [west@x.example, ${address}] }`;
  const { run, set, subjects, listed } = await agency({
    smtp: { refuse },
    clients: to('old@x.example'),
  });
  expect((await run('run monthly', '2026-11-01T08:00:00Z')).code).toBe(3);
  const later = await run('run monthly', '2026-11-01T08:15:00Z');
  expect(later.code).toBe(3);
  expect(later.stdout).toMatch(/deliver value to east@x\.example: failed \(.*550/);
  expect(subjects()).toEqual([]);
  await set({ clients: to('new@x.example') });
  isBusy = false;
  await run('catch-up', '2026-11-01T08:30:00Z');
  expect(subjects()).toEqual([westOctober]);
  expect((await run('run monthly', '2026-11-01T08:35:00Z')).code).toBe(3);
  const sent = [westOctober, westOctober.replace('west@', 'new@')];
  expect(subjects()).toEqual(sent);
  const of = async (address: string) =>
    (await listed()).find(({ recipient }) => recipient === address);
  const old = await of('old@x.example');
  expect(old).toMatchObject({ state: 'held', waits_for: { kind: 'recipient' } });
  const approved = await run(`deliver approve ${old?.id}`);
  expect(approved.code).toBe(2);
  expect(approved.log).toContain('old@x.example is no longer a recipient of the job monthly');
  await run(`deliver discard ${(await of('east@x.example'))?.id}`);
  expect(await run('catch-up', '2026-11-01T08:45:00Z')).toMatchObject({ code: 0, stdout: '' });
  expect(subjects()).toEqual(sent);
});

it('check refuses the body of a mail that cannot be read, and such a mail alone is not sent, which is said', async () => {
  const { folder, run, subjects } = await agency({
    job: `
    reports: [{ report: value, for: each, period: last_month, formats: [md], deliver: [{ mail: client, body: "./notes/{client}.md" }] }]`,
  });
  await writeFiles(folder, { 'notes/east.md': 'Good morning.\n' });
  const path = join(folder, 'notes/west.md');
  const refused = async (problem: string) => {
    const { code, log } = await run('check');
    expect(code).toBe(2);
    expect(log).toMatch(/jobs\.yaml:\d+: jobs\.monthly\.reports\[0\]\.deliver\[0\]\.body: /);
    expect(log).toContain(`body: ${path} ${problem}`);
  };
  await refused('does not exist; write it, or correct its path in jobs.yaml');
  await mkdir(path);
  await refused('is not a file; name a Markdown file');
  await rm(path, { recursive: true });
  await writeFile(path, Buffer.from('Gr\xfc\xdfe', 'latin1'));
  await refused('is not text in UTF-8; save it in that encoding');
  await writeFile(path, 'a'.repeat(1_000_001));
  await refused('has 1000001 bytes; shorten it to 1000000');
  await rm(path);

  const problem = `the mail to west@x.example was not made: ${path} does not exist;`;
  const ran = await run('run monthly', '2026-11-02T06:00:00Z');
  expect(ran.code).toBe(3);
  expect(ran.stdout).toContain('  deliver value to east@x.example: sent\n');
  expect(ran.stdout).toContain(`  report value for west: `);
  expect(ran.stdout).toContain(`  report value for west failed: ${problem}`);
  const sent = await run('deliver');
  expect(sent.code).toBe(3);
  expect(sent.stdout).toContain(`failed  value for west: ${problem}`);
  expect(sent.stdout).not.toContain('Nothing to send');
  await writeFiles(folder, { 'notes/west.md': 'Guten Morgen.\n' });
  expect((await run('check')).code).toBe(0);
  await run('deliver');
  expect(subjects()).toHaveLength(2);
});

describe('a delivery of all reports of a job', () => {
  const november = '2026-11-02T06:00:00Z';
  /** Some reports for each client, in one mail. */
  const allReports = (deliver: string, ...reports: string[]) => ({
    job: `
    reports: [${reports.map((report) => `{ report: ${report}, period: all, for: each, internal: allow, formats: [html] }`).join(', ')}]
    deliver: [{ mail: client${deliver} }]`,
  });

  it('is one mail for each client, with the first report in full and a line for each other, or with a body as Markdown in which hostile text stays text', async () => {
    const own = '{ mail: client, name: own, body: ./body.md, subject: "{client} {from} to {to}"';
    const { run, listed, mails, folder } = await agency(
      allReports(`, attach: [html] }, ${own}`, 'value', 'video'),
    );
    await writeFiles(folder, {
      'body.md':
        'Dear **{client}**,\n\nsee <b> [here](https://nord.example/{period}) and [there](javascript:x).\n\n- {report}\n- {other}\n',
    });
    const { code, stdout } = await run('run monthly', november);
    expect(code).toBe(0);
    expect(stdout).toContain('  deliver value, video to east@x.example: sent\n');
    const mailOf = (subject: string) =>
      mails().find((mail) => mail.includes(`\nSubject: ${subject}\n`)) ?? '';
    expect(mailOf('East AG, LinkedIn: Reports, All dates')).not.toContain('West');
    const west = mailOf('West Inc, LinkedIn: Reports, All dates');
    const [text = '', html = ''] = west.split(/(?=<!doctype html>)/);
    for (const body of [text, html]) {
      expect(body).toContain('Here are the reports of West Inc.');
      expect(body).toContain('$900 of media value.');
      expect(body).not.toContain('East');
    }
    expect(text).toMatch(/\nVideo\nNo videos\.\n/);
    expect(html).toMatch(/<h2 [^>]*>Video<\/h2>\s*<p [^>]*>No videos\./);
    expect(west.match(/filename=\S+/g)).toEqual([
      'filename=west-value-all.html',
      'filename=west-video-all.html',
    ]);
    const east = mailOf('East AG All dates to All dates');
    expect(east).toContain('Dear <strong>East AG</strong>,');
    expect(east).toContain('see &lt;b&gt; <a href="https://nord.example/All%20dates"');
    expect(east).toContain('and [there](javascript:x).</p>');
    expect(east).toMatch(/<li[^>]*>Reports<\/li>\s*<li[^>]*>\{other\}<\/li>/);
    expect(east).toContain('Dear **East AG**,\n');
    expect(east).not.toContain('Here are the reports');
    expect((await listed()).map(({ state }) => state)).toEqual(Array(4).fill('sent'));
  });

  it('is skipped as empty only if all of its reports are, and is not sent while one of them cannot be rendered', async () => {
    const { run, set, subjects } = await agency(allReports(', if_empty: skip', 'video'));
    expect((await run('run monthly', november)).code).toBe(0);
    expect(subjects()).toEqual([]);
    await set(allReports(', if_empty: skip', 'value', 'video, set: { none: 1 }'));
    expect((await run('deliver send monthly')).code).toBe(3);
    expect(subjects()).toEqual([]);
    await set(allReports(', if_empty: skip', 'value', 'video'));
    expect((await run('deliver send monthly')).code).toBe(0);
    expect(subjects()).toHaveLength(2);
  });

  it('has the files of reports that go to the same folder, each by its own name', async () => {
    const [first, second] = [10, 20].map(
      (cpm) =>
        `{ report: value, period: last_month, for: [east], cpm: ${cpm}, formats: [html], out: "./out/{client}" }`,
    );
    const { run, set, folder } = await agency();
    await set({
      job: `
    reports: [${first}, ${second}]
    deliver: [{ command: [cp, -R, "{folder}", "${folder}/copied"] }]`,
    });
    expect((await run('run monthly', november)).code).toBe(0);
    const copied = (name: string) => readFile(join(folder, 'copied', name), 'utf8');
    expect(await copied('value.html')).toContain('$10 of media value');
    expect(await copied('value-2.html')).toContain('$20 of media value');
  });
});
