import { readFile, readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dayOf } from '../../src/core/calendar.ts';
import { writeFiles } from '../support/cli.ts';
import { decodeQuotedPrintable } from '../support/mail-text.ts';
import { startS3Server } from '../support/s3-server.ts';
import { zipEntries } from '../render/xlsx/zip-entries.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { twoClients, twoMailedClients } from '../support/two-clients.ts';

it('each client gets the same report of its own profiles that report run --for makes, and a failed report does not affect the others', async () => {
  const { folder, run } = await twoClients();
  const { code, stdout } = await run('run');
  expect(code).toBe(3);
  expect(stdout).toContain(`report value for fjord: `);
  expect(stdout).toContain('report value for pine failed: --set none: not a parameter of value');
  const text = async (name: string) => readFile(join(folder, 'out', name), 'utf8');
  const [fjord, pine] = [await text('fjord/value.html'), await text('pine/value.html')];
  expect(fjord).toContain('<bdi>Fjord AS</bdi>');
  expect(fjord).not.toMatch(/Pine|Nord|Europe\/Berlin/);
  expect(pine).toContain('<bdi>Pine GmbH</bdi>');
  expect(pine).toMatch(/<dt>Prepared by<\/dt><dd><bdi>Nord<\/bdi>/);
  expect(pine).toContain('Europe/Berlin');
  expect(pine).not.toMatch(/Fjord/);
  expect(await text('fjord/value/posts.csv')).not.toContain('Pine');
  expect((await text('pine/value/posts.csv')).split('\n')).toHaveLength(4);
  expect(await readdir(folder)).not.toContain('broken');

  const runFor = (...flags: string[]) => run('report', 'run', 'value', '--for', ...flags);
  expect((await runFor('pine', '--format', 'csv,html', '--out', 'by-hand')).code).toBe(0);
  for (const name of ['value.html', 'value/posts.csv'])
    expect(await readFile(join(folder, 'by-hand', name), 'utf8')).toBe(await text(`pine/${name}`));
  const wrong = await runFor('pin');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('--for pin: there is no such client; did you mean ');
});

it('each address of a client gets its report once, with its files, however often the job runs', async () => {
  const { server, folder, run } = await twoMailedClients('attach: [xlsx], body: ./note.md');
  await writeFiles(folder, { 'note.md': 'Good morning,\n\nhere is <January>.\n' });
  const first = await run('run');
  expect(first.stdout).toContain('deliver value to fjord@x.example: sent\n');
  const again = await run('run');
  expect(again.stdout).not.toContain('deliver value');
  const to = server.received.map((mail) => mail.to).sort();
  expect(to).toEqual(['a@pine.example', 'b@pine.example', 'fjord@x.example']);
  const fjord = server.received.find((mail) => mail.to === 'fjord@x.example')?.message ?? '';
  const [words = '', attached = ''] = decodeQuotedPrintable(fjord).split(/(?=filename=)/);
  expect(words).toMatch(/^Subject: Fjord AS, LinkedIn: Value, All dates\r$/m);
  expect(attached.split(/\s/)[0]).toBe('filename=fjord-value-all.xlsx');
  expect(words).toContain('<p style="margin:0 0 12px">here is &lt;January&gt;.</p>');
  expect(words).toContain('Attached: fjord-value-all.xlsx.');
  expect(words).not.toContain('Pine');

  // the name of the program stands there only if product_mark is true
  const made = async (client: string, address: string) => [
    await readFile(join(folder, 'out', client, 'value.html'), 'utf8'),
    [...(await zipEntries(join(folder, 'out', client, 'value.xlsx')))].flat().join('\n'),
    decodeQuotedPrintable(server.received.find(({ to }) => to === address)?.message ?? ''),
  ];
  for (const text of await made('fjord', 'fjord@x.example')) {
    expect(text).toContain('Fjord AS');
    expect(text).not.toMatch(/postledger/i);
  }
  for (const text of await made('pine', 'a@pine.example')) expect(text).toContain('postledger');
});

it('each client gets its files in object storage and through a command, and the metrics count waiting reports', async () => {
  const server = await startS3Server();
  const copies = await temporaryFolder();
  const { folder, run } = await twoClients({
    top: `s3: { access_key_id: "\${S3_ID}", secret_access_key: "\${S3_SECRET}" }
metrics_file: ./metrics/postledger.prom
`,
    report: `, deliver: [{ s3: { bucket: reports, prefix: "{client}/{date}/", endpoint: "${server.endpoint}" }, attach: [xlsx] }, { command: [cp, -R, "{folder}", "${copies}/{client}"], hold: true }]`,
  });
  await writeFiles(folder, { '.env': 'KEY=plain-key\nS3_ID=an-id\nS3_SECRET=a-secret\n' });
  const { stdout } = await run('run');
  // the folder has the day in the client's time zone
  const days = { fjord: dayOf(new Date(), 'UTC'), pine: dayOf(new Date(), 'Europe/Berlin') };
  expect(stdout).toContain(`deliver value to s3://reports/fjord/${days.fjord}/: sent\n`);
  expect(server.keys().sort()).toEqual(
    Object.entries(days).flatMap(([client, day]) => [
      `/reports/${client}/${day}/value.manifest.json`,
      `/reports/${client}/${day}/value.xlsx`,
    ]),
  );
  expect(JSON.stringify(server.uploads)).not.toContain('a-secret');
  const dry = await run('deliver', '--dry-run');
  expect(dry.stdout).toContain(`value.xlsx would go to s3://reports/pine/${days.pine}/\n`);
  const metrics = await readFile(join(folder, 'metrics/postledger.prom'), 'utf8');
  expect(metrics).toContain('postledger_deliveries{state="held"} 2\n');
  expect(metrics).toContain('postledger_last_run_succeeded{job="monthly"} 1\n');
  expect(metrics).toMatch(
    /postledger_last_read_timestamp_seconds\{workspace="f",profile="Main"\} \d{10}/,
  );
  const held = JSON.parse((await run('deliver', 'list', '--json')).stdout) as { id: string }[];
  expect(held).toHaveLength(2);
  expect((await run('deliver', 'approve', ...held.map(({ id }) => id))).code).toBe(0);
  expect(await readdir(copies)).toEqual(['fjord', 'pine']);
  expect(await readFile(join(copies, 'pine/value/posts.csv'), 'utf8')).toBe(
    await readFile(join(folder, 'out/pine/value/posts.csv'), 'utf8'),
  );
});

it('mail goes to a domain of any script by its name in ASCII, and greets by a full name; mail test says what is wrong with a server', async () => {
  const { server, run, folder } = await twoMailedClients('hold: true');
  const sent = await run('mail', 'test', 'chef@müller-bau.example');
  expect([sent.code, sent.stdout]).toEqual([
    0,
    expect.stringMatching(/^sent to chef@müller-bau\.example: 250 /),
  ]);
  const name = hostname().includes('.') ? hostname() : 'nord.example';
  const commands = () => server.sent.join('').match(/^(?:EHLO|MAIL FROM:|RCPT TO:) ?[^\s]+/gm);
  expect(commands()).toEqual([
    `EHLO ${name}`,
    'MAIL FROM:<reports@nord.example>',
    'RCPT TO:<chef@xn--mller-bau-q9a.example>',
  ]);
  expect(server.received[0]?.message).toContain('\r\nTo: chef@xn--mller-bau-q9a.example\r\n');

  const jobs = await readFile(join(folder, 'jobs.yaml'), 'utf8');
  const odd = jobs
    .replace('mail: { ', 'mail: { name: relay.nord.example, ')
    .replace('reports@nord.example', 'reports@Bücher.example')
    .replace('a@pine.example', 'münchen@pine.example')
    .replace(', set: { none: 1 }', '');
  await writeFiles(folder, { 'jobs.yaml': odd });
  expect((await run('mail', 'test', 'ops@example.com')).code).toBe(0);
  expect(commands()?.slice(3)).toEqual([
    'EHLO relay.nord.example',
    'MAIL FROM:<reports@xn--bcher-kva.example>',
    'RCPT TO:<ops@example.com>',
  ]);
  expect(server.received[1]?.message).toMatch(/^Message-ID: <[\w.-]+@xn--bcher-kva\.example>\r$/m);
  const checked = await run('check');
  expect(checked.code).toBe(0);
  expect(checked.stderr).toContain(
    'münchen@pine.example is not ASCII before the @, so the mail server must know SMTPUTF8\n',
  );

  await writeFiles(folder, { 'jobs.yaml': jobs.replace(/port: \d+/, 'port: 1') });
  const wrong = await run('mail', 'test', 'ops@example.com');
  expect([wrong.code, wrong.stdout]).toEqual([
    1,
    expect.stringMatching(
      /ECONNREFUSED.*; check mail\.host and mail\.port, and that a firewall .*\n$/,
    ),
  ]);
});
