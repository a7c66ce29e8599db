import { existsSync } from 'node:fs';
import { readFile, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { zipEntries } from '../render/xlsx/zip-entries.ts';
import { agency } from '../support/agency.ts';
import { writeFiles } from '../support/cli.ts';
import { analyticsRecord } from '../support/made-records.ts';
import { startS3Server } from '../support/s3-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const october = '2026-11-01T16:30:00Z';

const record = (id: number, commentary: string) =>
  analyticsRecord(id, '2026-10-05', { commentary, emv: id });

/** Two clients with a profile each, whose reports are delivered like this, and a report of one that fails. */
const twoClients = (deliver: string, more = '', formats = 'csv, html, xlsx') =>
  agency({
    posts: [[record(1, 'Words of Fjord')], [record(2, 'Words of Pine'), record(3, 'More of Pine')]],
    clients: `
  fjord: { name: Fjord AS, profiles: [w/East], to: [fjord@x.example] }
  pine: { name: Pine GmbH, prepared_by: Nord, profiles: [w/West], currency: EUR, timezone: Asia/Tokyo, brand: { product_mark: true }, to: [a@pine.example, b@pine.example] }`,
    job: `
    reports:
      - { report: value, period: last_month, for: each, formats: [${formats}], out: "./out/{client}", deliver: [${deliver}] }
      - { report: value, period: last_month, for: [pine], formats: [csv], out: "./out/broken/{client}", set: { none: 1 } }`,
    more,
  });

it('each client gets the same report of its own profiles that report run --for makes, and a failed report does not affect the others', async () => {
  const { folder, run } = await twoClients('', '', 'csv, html');
  const { code, stdout } = await run('run', october);
  expect(code).toBe(3);
  expect(stdout).toContain(`report value for fjord: `);
  expect(stdout).toContain('report value for pine failed: --set none: not a parameter of value');
  const text = async (name: string) => readFile(join(folder, 'out', name), 'utf8');
  const [fjord, pine] = [await text('fjord/value.html'), await text('pine/value.html')];
  expect(fjord).toContain('<bdi>Fjord AS</bdi>');
  expect(fjord).not.toMatch(/Pine|Nord|Asia\/Tokyo/);
  expect(pine).toContain('<bdi>Pine GmbH</bdi>');
  expect(pine).toMatch(/<dt>Prepared by<\/dt><dd><bdi>Nord<\/bdi>/);
  expect(pine).toContain('Asia/Tokyo');
  expect(pine).not.toMatch(/Fjord/);
  expect(await text('fjord/value/posts.csv')).not.toContain('Pine');
  expect((await text('pine/value/posts.csv')).split('\n')).toHaveLength(4);
  expect(await readdir(join(folder, 'out'))).not.toContain('broken');

  const byHand = join(folder, 'by-hand');
  const runFor = (client: string) =>
    run(`report run value --for ${client} --period last_month --format csv,html --out ${byHand}`);
  expect((await runFor('pine')).code).toBe(0);
  for (const name of ['value.html', 'value/posts.csv'])
    expect(await readFile(join(byHand, name), 'utf8')).toBe(await text(`pine/${name}`));
  const wrong = await runFor('pin');
  expect(wrong.code).toBe(2);
  expect(wrong.log).toContain('--for pin: there is no such client; did you mean ');
});

it('each address of a client gets its report once, with its files, when it is approved, and the list of reports says so', async () => {
  const { folder, run, smtp, mails, listed } = await twoClients(
    '{ mail: client, attach: [xlsx], body: ./note.md, hold: true }',
  );
  await writeFiles(folder, { 'note.md': 'Good morning,\n\nhere is <January>.\n' });
  expect((await run('run', october)).code).toBe(3);
  const index = () => readFile(join(folder, 'out/index.html'), 'utf8');
  const first = await index();
  expect(
    first.match(/<h2[^>]*>.*?<\/h2>/g)?.map((head) => head.replaceAll(/<[^>]+>/g, '')),
  ).toEqual(['Fjord AS', 'Pine GmbH']);
  expect(first).toContain('$1 of media value.');
  expect(first).toContain('Waits for approval: <bdi>a@pine.example</bdi>');
  expect(first).toMatch(/\d deliveries wait or have failed: see postledger deliver list/);
  const links = [...first.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
  expect(links).toEqual(
    expect.arrayContaining(['fjord/value.html', 'fjord/value.xlsx', 'pine/value/']),
  );
  expect(links.filter((link) => !existsSync(join(folder, 'out', link)))).toEqual([]);
  expect(first).toMatch(
    /<bdi>value<\/bdi>.*<p class="bad">Failed<\/p>.*--set none: not a parameter/,
  );

  const dry = await run(`deliver --dry-run --out ${folder}/mails`);
  expect(dry.stdout.trim().split('\n').slice(3)).toEqual([
    expect.stringMatching(/^failed {2}value for pine: --set none: /),
  ]);
  expect(await readdir(join(folder, 'mails'))).toEqual([
    expect.stringMatching(/^monthly-value-fjord-fjord@x\.example-[0-9a-f]{8}\.eml$/),
    expect.stringMatching(/^monthly-value-pine-a@pine\.example-/),
    expect.stringMatching(/^monthly-value-pine-b@pine\.example-/),
  ]);
  const held = await listed();
  expect(held.map(({ state }) => state)).toEqual(['held', 'held', 'held']);
  expect((await run('status')).stdout).toContain(
    '\nDeliver  3 held; see: postledger deliver list\n',
  );
  expect(smtp.received).toEqual([]);

  const idOf = (address: string) => held.find((mail) => mail.recipient === address)?.id ?? '';
  expect(await run(`deliver approve ${idOf('fjord@x.example').slice(11, 17)}`)).toMatchObject({
    code: 0,
    stdout: 'sent  value to fjord@x.example\n',
  });
  expect(await index()).toContain('Sent to <bdi>fjord@x.example</bdi>');
  expect((await run(`deliver discard ${idOf('b@pine.example')}`)).code).toBe(0);
  const twice = await run(`deliver approve ${idOf('fjord@x.example')}`);
  expect(twice.code).toBe(2);
  expect(twice.log).toContain('is sent: there is nothing to approve');

  const [fjord = ''] = mails('fjord@x.example');
  const [words = '', attached = ''] = fjord.split(/(?=filename=)/);
  expect(words).toMatch(/^Subject: Fjord AS, LinkedIn: Value, October 2026$/m);
  expect(attached.split(/\s/)[0]).toBe('filename=fjord-value-2026-10.xlsx');
  expect(words).toContain('<p style="margin:0 0 12px">here is &lt;January&gt;.</p>');
  expect(words).toContain('Attached: fjord-value-2026-10.xlsx.');
  expect(words).not.toContain('Pine');
  expect(fjord).not.toContain('index.html');
  // the name of the program stands there only if product_mark is true
  const made = async (client: string, mail = '') => [
    await readFile(join(folder, 'out', client, 'value.html'), 'utf8'),
    [...(await zipEntries(join(folder, 'out', client, 'value.xlsx')))].flat().join('\n'),
    mail,
  ];
  for (const text of await made('fjord', fjord)) {
    expect(text).toContain('Fjord AS');
    expect(text).not.toMatch(/postledger/i);
  }

  // reports whose files are gone are not listed
  await rm(join(folder, 'out', 'fjord'), { recursive: true });
  expect((await run(`deliver approve ${idOf('a@pine.example')}`)).code).toBe(0);
  expect(await index()).not.toContain('Fjord');
  for (const text of await made('pine', mails('a@pine.example')[0]))
    expect(text).toContain('postledger');
  expect((await run('run')).stdout).not.toContain('deliver value');
  expect(smtp.received.map(({ to }) => to)).toEqual(['fjord@x.example', 'a@pine.example']);
});

it('each client gets its files in object storage and through a command, the metrics count waiting reports, and no other file is replaced by the list of reports', async () => {
  const server = await startS3Server();
  const copies = await temporaryFolder();
  const { folder, run, listed } = await twoClients(
    `{ s3: { bucket: reports, prefix: "{client}/{date}/", endpoint: "${server.endpoint}" }, attach: [xlsx] }, { command: [cp, -R, "{folder}", "${copies}/{client}"], hold: true }`,
    's3: { access_key_id: "${S3_ID}", secret_access_key: "${S3_SECRET}" }\nmetrics_file: ./metrics/postledger.prom\n',
  );
  await writeFiles(folder, {
    '.env': 'KEY=plain-key\nS3_ID=an-id\nS3_SECRET=a-secret\n',
    'out/index.html': '<p>Mine</p>',
  });
  const { stdout, log } = await run('run', october);
  expect(await readFile(join(folder, 'out/index.html'), 'utf8')).toBe('<p>Mine</p>');
  expect(log).toMatch(/out\/index\.html is not a list of reports/);
  // the folder has the day in the client's time zone
  const days = { fjord: '2026-11-01', pine: '2026-11-02' };
  expect(stdout).toContain(`deliver value to s3://reports/fjord/${days.fjord}/: sent\n`);
  expect(server.keys().sort()).toEqual(
    Object.entries(days).flatMap(([client, day]) => [
      `/reports/${client}/${day}/value.manifest.json`,
      `/reports/${client}/${day}/value.xlsx`,
    ]),
  );
  expect(JSON.stringify(server.uploads)).not.toContain('a-secret');
  const dry = await run('deliver --dry-run');
  expect(dry.stdout).toContain(`value.xlsx would go to s3://reports/pine/${days.pine}/\n`);
  const metrics = await readFile(join(folder, 'metrics/postledger.prom'), 'utf8');
  expect(metrics).toContain('postledger_deliveries{state="held"} 2\n');
  expect(metrics).toContain('postledger_last_run_succeeded{job="monthly"} 1\n');
  expect(metrics).toMatch(
    /postledger_last_read_timestamp_seconds\{workspace="w",profile="East"\} \d{10}/,
  );
  const held = (await listed()).filter(({ state }) => state === 'held');
  expect(held).toHaveLength(2);
  expect((await run(`deliver approve ${held.map(({ id }) => id).join(' ')}`)).code).toBe(0);
  expect(await readdir(copies)).toEqual(['fjord', 'pine']);
  expect(await readFile(join(copies, 'pine/value/posts.csv'), 'utf8')).toBe(
    await readFile(join(folder, 'out/pine/value/posts.csv'), 'utf8'),
  );
});

it('mail goes to a domain of any script by its name in ASCII, and greets by a full name; mail test says what is wrong with a server', async () => {
  const { smtp, run, folder } = await agency();
  const sent = await run('mail test chef@müller-bau.example');
  expect([sent.code, sent.stdout]).toEqual([
    0,
    expect.stringMatching(/^sent to chef@müller-bau\.example: 250 /),
  ]);
  const name = hostname().includes('.') ? hostname() : 'nord.example';
  const commands = () => smtp.sent.join('').match(/^(?:EHLO|MAIL FROM:|RCPT TO:) ?[^\s]+/gm);
  expect(commands()).toEqual([
    `EHLO ${name}`,
    'MAIL FROM:<r@nord.example>',
    'RCPT TO:<chef@xn--mller-bau-q9a.example>',
  ]);
  expect(smtp.received[0]?.message).toContain('\r\nTo: chef@xn--mller-bau-q9a.example\r\n');

  const jobs = await readFile(join(folder, 'jobs.yaml'), 'utf8');
  const odd = jobs
    .replace('mail: { ', 'mail: { name: relay.nord.example, ')
    .replace('r@nord.example', 'r@Bücher.example')
    .replace('east@x.example', 'münchen@x.example');
  await writeFiles(folder, { 'jobs.yaml': odd });
  expect((await run('mail test ops@example.com')).code).toBe(0);
  expect(commands()?.slice(3)).toEqual([
    'EHLO relay.nord.example',
    'MAIL FROM:<r@xn--bcher-kva.example>',
    'RCPT TO:<ops@example.com>',
  ]);
  expect(smtp.received[1]?.message).toMatch(/^Message-ID: <[\w.-]+@xn--bcher-kva\.example>\r$/m);
  const checked = await run('check');
  expect(checked.code).toBe(0);
  expect(checked.log).toContain(
    'münchen@x.example is not ASCII before the @, so the mail server must know SMTPUTF8',
  );

  await writeFiles(folder, { 'jobs.yaml': jobs.replace(/port: \d+/, 'port: 1') });
  const wrong = await run('mail test ops@example.com');
  expect([wrong.code, wrong.stdout]).toEqual([
    1,
    expect.stringMatching(
      /ECONNREFUSED.*; check mail\.host and mail\.port, and that a firewall .*\n$/,
    ),
  ]);
});
