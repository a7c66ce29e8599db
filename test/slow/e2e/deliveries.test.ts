import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addDays, dayOf } from '../../../src/core/calendar.ts';
import { register as registerCheck } from '../../../src/commands/check.ts';
import { register as registerDeliver } from '../../../src/commands/deliver.ts';
import { register as registerRun } from '../../../src/commands/run.ts';
import { writeFiles } from '../../support/cli.ts';
import { analyticsRecord, uuid } from '../../support/made-records.ts';
import { decodeQuotedPrintable } from '../../support/mail-text.ts';
import { startPlainService } from '../../support/plain-service.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { valueCard, valueReport, wordsReport } from '../../support/value-report.ts';
import { TimedCli } from '../../support/timed-cli.ts';
import { twoMailedClients } from '../../support/two-clients.ts';
import { startWebhookEndpoint } from '../../support/webhook-endpoint.ts';

const recently = addDays(dayOf(new Date(), 'UTC'), -2);
const [firstDay, yesterday] = [-19, -1].map((days) => addDays(dayOf(new Date(), 'UTC'), days));

interface Agency {
  /** Other reports of the monthly job, and its own `deliver`. */
  readonly reports?: string;
  readonly pineAddress?: string;
  readonly pineKey?: string;
  readonly port?: number;
}

/** Two clients with a workspace each, whose job mails each its report. Any key but plain-key is refused. */
async function agency() {
  const post = (id: number) =>
    analyticsRecord(id, recently, {
      commentary: `Words ${id}`,
      emv: 100 * id,
      impressionCount: 1000,
    });
  const service = await startPlainService({
    analytics: new Map([
      [uuid(900), [post(1)]],
      [uuid(901), [post(2), post(3)]],
    ]),
  });
  const smtp = await startSmtpServer();
  const chat = await startWebhookEndpoint();
  const folder = await temporaryFolder();
  const workspace = (id: number, key: string) =>
    `{ base_url: "${service.url}", api_key: "\${${key}}", profiles: [{ id: ${uuid(id)}, name: Main }] }`;
  const set = ({
    reports = `      - { report: value, period: all, for: each, formats: [md], deliver: [{ mail: client }] }`,
    pineAddress = 'a@pine.example',
    pineKey = 'plain-key',
    port = smtp.port,
  }: Agency) =>
    writeFiles(folder, {
      ...valueReport,
      ...valueCard,
      ...wordsReport,
      '.env': `F_KEY=plain-key\nP_KEY=${pineKey}\nCHAT=${chat.url}\n`,
      'jobs.yaml': `mail: { host: 127.0.0.1, port: ${port}, tls: off, from: reports@nord.example }
notify: [{ post: "\${CHAT}", as: json }]
workspaces:
  f: ${workspace(900, 'F_KEY')}
  p: ${workspace(901, 'P_KEY')}
clients:
  fjord: { name: Fjord AS, profiles: [f/Main], to: [fjord@x.example] }
  pine: { name: Pine GmbH, profiles: [p/Main], to: [${pineAddress}] }
jobs:
  monthly:
    schedule: "0 6 1 * *"
    profiles: [f/*, p/*]
    windows: { days: 20, size_days: 60 }
    details: false
    reports:
${reports}
  daily: { profiles: [p/*], windows: { days: 20, size_days: 60 }, details: false }
`,
    });
  const cli = new TimedCli(folder, (program, invoke) => {
    for (const register of [registerRun, registerDeliver, registerCheck]) register(program, invoke);
  });
  const run = (...args: string[]) => cli.run(args);
  const listed = async () =>
    JSON.parse((await run('deliver', 'list', '--all', '--json')).stdout) as {
      id: string;
      state: string;
      report: string;
      recipient: string;
      waits_for: object | null;
    }[];
  /** Recipient and subject of each mail that arrived, in the order of arrival. */
  const mails = () =>
    smtp.received.map(({ to, message }) => `${to}: ${/^Subject: (.*)\r$/m.exec(message)?.[1]}`);
  return { set, run, listed, mails, smtp, chat, folder };
}

it('mails over days that were not read are held, sent or skipped, notified once, sent by the run that reads them, and corrected on request', async () => {
  const { set, run, listed, mails, smtp, chat } = await agency();
  const ways = ['hold', 'send', 'skip'].map(
    (how) => `{ mail: client, name: ${how}, when_incomplete: ${how} }`,
  );
  // one mail of a single report is approved before its days are read
  const reports = `      - { report: value, period: all, for: [pine], formats: [md], deliver: [{ mail: client }, { mail: client, name: early }] }
      - { report: words, period: all, for: [pine], formats: [md] }
    deliver: [${ways.join(', ')}]`;
  const [one = '', all = ''] = ['Value', 'Reports'].map(
    (title) => `Pine GmbH, LinkedIn: ${title}, All dates`,
  );
  /** The subjects and texts of the mails to Pine, since the last look. */
  let known = 0;
  const toPine = () => {
    const pine = smtp.received.filter(({ to }) => to === 'a@pine.example').slice(known);
    known += pine.length;
    return new Map(
      pine.map(({ message }) => [
        /^Subject: (.*)\r$/m.exec(message)?.[1] ?? '',
        decodeQuotedPrintable(message),
      ]),
    );
  };
  const ofPine = async () =>
    (await listed()).filter(({ recipient }) => recipient === 'a@pine.example');

  await set({ reports, pineKey: 'wrong' });
  expect((await run('run', 'monthly')).code).toBe(3);
  expect(mails()).toHaveLength(1);
  const incomplete = toPine();
  expect([...incomplete.keys()]).toEqual([`Incomplete: ${all}`]);
  const nothing = /Nothing has been read for this period yet\./g;
  expect(incomplete.get(`Incomplete: ${all}`)?.match(nothing)).toHaveLength(4);
  const first = await ofPine();
  const idOf = (wanted: string, report = 'value, words') =>
    first.find((each) => each.state === wanted && each.report === report)?.id ?? '';
  const days = [{ profile: 'Main', first_day: firstDay, last_day: yesterday }];
  const held = first.filter(({ state }) => state === 'held');
  expect(held).toMatchObject(Array(3).fill({ waits_for: { kind: 'days', days } }));
  const list = await run('deliver', 'list');
  expect(list.stdout).toContain(`waits for Main ${firstDay} to ${yesterday}`);
  const notices = chat.arrivals.length;
  expect(chat.arrivals[0]?.body).toContain('Nothing has been read for this period yet.');
  expect((await run('run', 'monthly')).code).toBe(3);
  // the one that was skipped is sent with --yes alone
  expect((await run('deliver', 'send')).code).toBe(2);
  expect(chat.arrivals).toHaveLength(notices);
  expect((await run('deliver', 'approve', idOf('held', 'value'))).code).toBe(0);
  expect(toPine().get(`Incomplete: ${one}`)?.match(nothing)).toHaveLength(2);

  await set({ reports });
  const daily = await run('run', 'daily');
  expect(daily.code).toBe(0);
  expect(daily.stdout).toContain('deliver value, words to a@pine.example: sent\n');
  const complete = toPine();
  expect([...complete.keys()].sort()).toEqual([all, one]);
  expect(complete.get(one)).toContain('$500 of media value.');
  expect((await run('run', 'monthly')).code).toBe(0);
  expect(toPine().size).toBe(0);

  // all who got it get the correction, under whatever name
  const resend = async (id: string, note: string): Promise<string[]> => {
    const before = smtp.received.length;
    expect((await run('deliver', 'resend', id, '--note', note)).code).toBe(0);
    return smtp.received.slice(before).map(({ to, message }) => {
      const subject = /^Subject: (.*)\r$/m.exec(message)?.[1];
      const text = decodeQuotedPrintable(message);
      const change =
        /No key figure has changed since|Changed since .*: (?:Value, )?EMV \$500 \(was –\)\./;
      expect(text).toContain(note.replace(/<(.*)>/, '&lt;$1&gt;'));
      return `${to}: ${subject}: ${change.exec(text)?.[0].replace(/since .*: /, 'since: ')}`;
    });
  };
  const corrected = (title: string, ...changes: string[]) =>
    changes.map((change) => `a@pine.example: Corrected: ${title}: ${change}`);
  const same = 'No key figure has changed since';
  const other = 'Changed since: EMV $500 (was –).';
  const ofSeveral = 'Changed since: Value, EMV $500 (was –).';
  expect((await resend(idOf('held', 'value'), 'A key had <expired>.')).sort()).toEqual(
    corrected(one, other, same),
  );
  expect((await resend(idOf('held'), 'One moment.')).sort()).toEqual(
    corrected(all, ofSeveral, same),
  );
  // what was skipped reached nobody, and goes only if it is asked for itself
  expect((await resend(idOf('discarded'), 'Again.')).sort()).toEqual(
    corrected(all, ofSeveral, same, same),
  );
  toPine();
  expect((await run('run', 'monthly')).code).toBe(0);
  expect(toPine().size).toBe(0);
});

it('a run exits 3 while a delivery has failed; one that waits is not sent to an address that is no longer in jobs.yaml, and the new address gets its own', async () => {
  const { set, run, listed, mails } = await agency();
  const refuse = (address: string) => (address === 'fjord@x.example' ? 550 : 451);
  const { port } = await startSmtpServer({ refuse });
  await set({ port });
  expect((await run('run', 'monthly')).code).toBe(3);
  const later = await run('run', 'daily');
  expect(later.code).toBe(3);
  expect(later.stdout).toMatch(/deliver value to fjord@x\.example: failed \(.*550/);
  await set({ pineAddress: 'b@pine.example' });
  expect((await run('run', 'monthly')).code).toBe(3);
  const sent = ['b@pine.example: Pine GmbH, LinkedIn: Value, All dates'];
  expect(mails()).toEqual(sent);
  const of = async (address: string) =>
    (await listed()).find(({ recipient }) => recipient === address);
  const old = await of('a@pine.example');
  expect(old).toMatchObject({ state: 'held', waits_for: { kind: 'recipient' } });
  const approved = await run('deliver', 'approve', old?.id ?? '');
  expect(approved.code).toBe(2);
  expect(approved.log).toContain('a@pine.example is no longer a recipient of the job monthly');
  await run('deliver', 'discard', (await of('fjord@x.example'))?.id ?? '');
  expect((await run('run', 'monthly')).code).toBe(0);
  expect(mails()).toEqual(sent);
});

/** Some reports for each client, in one mail. */
function allReports(deliver: string, names: readonly string[]) {
  return names
    .map(
      (name) =>
        `      - { report: ${name}, period: all, for: each, internal: allow, formats: [html] }`,
    )
    .join('\n')
    .concat(`\n    deliver: [{ mail: client${deliver} }]`);
}

it('deliver --dry-run writes the mails without sending them, and held mails are sent once they are approved', async () => {
  const { server, folder, run } = await twoMailedClients('hold: true');
  expect((await run('run')).code).toBe(3);
  expect(server.received).toEqual([]);
  const dry = await run('deliver', '--dry-run', '--out', 'mails');
  expect(dry.stdout.trim().split('\n').slice(3)).toEqual([
    expect.stringMatching(/^failed {2}value for pine: --set none: /),
  ]);
  expect((await run('deliver')).stdout.split('\n').slice(0, 4)).toEqual([
    'held  value to fjord@x.example: waits for approval',
    'held  value to a@pine.example: waits for approval',
    'held  value to b@pine.example: waits for approval',
    expect.stringMatching(/^failed {2}value for pine: /),
  ]);
  expect(await readdir(join(folder, 'mails'))).toEqual([
    expect.stringMatching(/^monthly-value-fjord-fjord@x\.example-[0-9a-f]{8}\.eml$/),
    expect.stringMatching(/^monthly-value-pine-a@pine\.example-/),
    expect.stringMatching(/^monthly-value-pine-b@pine\.example-/),
  ]);
  const listed = JSON.parse((await run('deliver', 'list', '--json')).stdout) as {
    id: string;
    state: string;
    recipient: string;
  }[];
  expect(listed.map(({ state }) => state)).toEqual(['held', 'held', 'held']);
  const status = await run('status');
  expect(status.stdout).toContain('\nDeliver  3 held; see: postledger deliver list\n');
  const idOf = (address: string) => listed.find((mail) => mail.recipient === address)?.id ?? '';
  const approved = await run('deliver', 'approve', idOf('fjord@x.example').slice(11, 17));
  expect(approved).toMatchObject({ code: 0, stdout: 'sent  value to fjord@x.example\n' });
  expect((await run('deliver', 'discard', idOf('a@pine.example'))).code).toBe(0);
  expect(server.received.map((mail) => mail.to)).toEqual(['fjord@x.example']);
  const twice = await run('deliver', 'approve', idOf('fjord@x.example'));
  expect(twice.code).toBe(2);
  expect(twice.stderr).toContain('is sent: there is nothing to approve');
});

it('check refuses the body of a mail that cannot be read, and such a mail alone is not sent, which is said', async () => {
  const { server, folder, run } = await twoMailedClients('body: "./notes/{client}.md"');
  const jobs = await readFile(join(folder, 'jobs.yaml'), 'utf8');
  await writeFiles(folder, {
    'jobs.yaml': jobs.replace(', set: { none: 1 }', ''),
    'notes/fjord.md': 'Good morning.\n',
  });
  const path = join(folder, 'notes/pine.md');
  const location = 'jobs.yaml:20: jobs.monthly.reports[0].deliver[0].body: ';
  const refused = async (problem: string) => {
    const { code, stderr } = await run('check');
    expect(code).toBe(2);
    expect(stderr).toBe(`error: ${location}${path} ${problem}\n`);
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

  const problem = `value for pine: the mail to a@pine.example was not made: ${path} does not exist;`;
  const ran = await run('run', '--quiet');
  expect(ran.code).toBe(3);
  expect(ran.stdout).toContain('  deliver value to fjord@x.example: sent\n');
  expect(ran.stdout).toContain(`  report value for pine: `);
  expect(ran.stdout).toContain(`  report ${problem.replace('pine:', 'pine failed:')}`);
  const sent = await run('deliver', '--quiet');
  expect(sent.code).toBe(3);
  expect(sent.stdout).toContain(`failed  ${problem}`);
  expect(sent.stdout).toContain('the mail to b@pine.example was not made: ');
  expect(sent.stdout).not.toContain('Nothing to send');
  await writeFiles(folder, { 'notes/pine.md': 'Guten Morgen.\n' });
  expect((await run('check')).code).toBe(0);
  await run('deliver');
  const to = server.received.map((mail) => mail.to).sort();
  expect(to).toEqual(['a@pine.example', 'b@pine.example', 'fjord@x.example']);
});

describe('a delivery of all reports of a job', () => {
  it('is one mail for each client, with the first report in full and a line for each other, or with a body as Markdown in which hostile text stays text', async () => {
    const { set, run, listed, smtp, folder } = await agency();
    await writeFiles(folder, {
      'body.md':
        'Dear **{client}**,\n\nsee <b> [here](https://nord.example/{period}) and [there](javascript:x).\n\n- {report}\n- {other}\n',
    });
    const own = '{ mail: client, name: own, body: ./body.md, subject: "{client} {from} to {to}"';
    const reports = allReports(`, attach: [html] }, ${own}`, ['value', 'video']);
    await set({ reports });
    const { code, stdout } = await run('run', 'monthly');
    expect(code).toBe(0);
    expect(stdout).toContain('  deliver value, video to fjord@x.example: sent\n');
    const mailOf = (subject: string) =>
      decodeQuotedPrintable(
        smtp.received.find(({ message }) => message.includes(`\nSubject: ${subject}\r\n`))
          ?.message ?? '',
      );
    expect(mailOf('Fjord AS, LinkedIn: Reports, All dates')).not.toContain('Pine');
    const pine = mailOf('Pine GmbH, LinkedIn: Reports, All dates');
    const [text = '', html = ''] = pine.split(/(?=<!doctype html>)/);
    for (const body of [text, html]) {
      expect(body).toContain('Here are the reports of Pine GmbH.');
      expect(body).toContain('$500 of media value.');
      expect(body).not.toContain('Fjord');
    }
    expect(text).toMatch(/\nVideo\r?\nNo videos\.\r?\n/);
    expect(html).toMatch(/<h2 [^>]*>Video<\/h2>\s*<p [^>]*>No videos\./);
    expect(pine.match(/filename=\S+/g)).toEqual([
      'filename=pine-value-all.html',
      'filename=pine-video-all.html',
    ]);
    const fjord = mailOf('Fjord AS All dates to All dates');
    expect(fjord).toContain('Dear <strong>Fjord AS</strong>,');
    expect(fjord).toContain('see &lt;b&gt; <a href="https://nord.example/All%20dates"');
    expect(fjord).toContain('and [there](javascript:x).</p>');
    expect(fjord).toMatch(/<li[^>]*>Reports<\/li>\s*<li[^>]*>\{other\}<\/li>/);
    expect(fjord).toContain('Dear **Fjord AS**,\r\n');
    expect(fjord).not.toContain('Here are the reports');
    expect((await listed()).map(({ state }) => state)).toEqual(Array(4).fill('sent'));
  });

  it('is skipped as empty only if all of its reports are, and is not sent while one of them cannot be rendered', async () => {
    const { set, run, mails } = await agency();
    const reportsOf = (...names: string[]) => allReports(', if_empty: skip', names);
    await set({ reports: reportsOf('video') });
    expect((await run('run', 'monthly')).code).toBe(0);
    expect(mails()).toEqual([]);
    const reports = reportsOf('value', 'video');
    await set({ reports: reports.replace('video, ', 'video, set: { none: 1 }, ') });
    expect((await run('run', 'monthly')).code).toBe(3);
    expect(mails()).toEqual([]);
    await set({ reports });
    expect((await run('run', 'monthly')).code).toBe(0);
    expect(mails()).toHaveLength(2);
  });

  it('has the files of reports that go to the same folder, each by its own name', async () => {
    const { set, run, folder } = await agency();
    const twice = (cpm: number) =>
      `      - { report: value, period: all, for: [pine], cpm: ${cpm}, formats: [html], out: "./out/{client}" }\n`;
    const deliver = `    deliver: [{ command: [cp, -R, "{folder}", "${folder}/copied"] }]`;
    await set({ reports: `${twice(10)}${twice(20)}${deliver}` });
    expect((await run('run', 'monthly')).code).toBe(0);
    const copied = (name: string) => readFile(join(folder, 'copied', name), 'utf8');
    expect(await copied('value.html')).toContain('$20 of media value');
    expect(await copied('value-2.html')).toContain('$40 of media value');
  });
});
