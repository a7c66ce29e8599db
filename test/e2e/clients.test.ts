import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli, startCli, writeFiles } from '../support/cli.ts';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startS3Server } from '../support/s3-server.ts';
import { startPlainService } from '../support/plain-service.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const recently = addDays(dayOf(new Date(), 'UTC'), -2);

/** Two workspaces that each have a profile Main, and a client each. @param more of the file and of the first report */
async function twoClients(more = { top: '', report: '' }) {
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
    'jobs.yaml': `${more.top}workspaces:
  f:${workspace(900)}
  p:${workspace(901)}
clients:
  fjord: { name: Fjord AS, profiles: [f/Main], brand: { product_mark: false }, to: [fjord@x.example] }
  pine: { name: Pine GmbH, prepared_by: Nord, profiles: [p/*], currency: EUR, timezone: Europe/Berlin, to: [a@pine.example, b@pine.example] }
jobs:
  monthly:
    profiles: [f/*, p/*]
    windows: { days: 20, size_days: 60 }
    details: false
    reports:
      - { report: emv, for: each, formats: [csv, html, xlsx], out: "./out/{client}"${more.report} }
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

it('each client gets its files in object storage and by a command, and the metrics say what waits', async () => {
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
  const today = dayOf(new Date(), 'UTC');
  expect(stdout).toContain(`deliver emv to s3://reports/fjord/${today}/: sent\n`);
  expect(server.keys().sort()).toEqual(
    ['fjord', 'pine'].flatMap((client) => [
      `/reports/${client}/${today}/emv.manifest.json`,
      `/reports/${client}/${today}/emv.xlsx`,
    ]),
  );
  expect(JSON.stringify(server.uploads)).not.toContain('a-secret');
  const dry = await run('deliver', '--dry-run');
  expect(dry.stdout).toContain(`emv.xlsx would go to s3://reports/pine/${today}/\n`);
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
  expect(await readFile(join(copies, 'pine/emv/posts.csv'), 'utf8')).toBe(
    await readFile(join(folder, 'out/pine/emv/posts.csv'), 'utf8'),
  );
});

it.each([
  ['before a mail was on its way', 'mail', 'RCPT', 'sent'],
  ['while a mail was on its way', 'mail', 'DATA', 'unknown'],
  ['while files were uploaded', 's3', 'PUT', 'sent'],
  ['while a command ran', 'command', 'sleep', 'unknown'],
])(
  'a run that is killed %s leaves it so that nothing arrives twice',
  async (_, kind, step, state) => {
    const started = await temporaryFolder();
    let isHanging = true;
    const reached = () => writeFile(join(started, 'reached'), '');
    const hangAt = (name: string) => {
      const hangs = isHanging && step === name;
      if (hangs) void reached();
      return hangs;
    };
    const smtp = await startSmtpServer({
      refuse: () => (hangAt('RCPT') ? 'hang' : null),
      answer: () => (hangAt('DATA') ? 'hang' : null),
    });
    const s3 = await startS3Server((earlier) => (earlier === 1 && hangAt('PUT') ? 'hang' : 200));
    const script = `echo once >> ${started}/runs; touch ${started}/reached; sleep 60`;
    const targets = {
      mail: 'mail: [a@x.example]',
      s3: `s3: { bucket: b, endpoint: "${s3.endpoint}" }`,
      command: `command: [sh, -c, "${script}"]`,
    };
    const { folder, run } = await twoClients({
      top: `mail: { host: 127.0.0.1, port: ${smtp.port}, tls: off, from: r@nord.example }
s3: { access_key_id: "\${KEY}", secret_access_key: "\${KEY}" }
`,
      report: `, deliver: [{ ${targets[kind as keyof typeof targets]} }]`,
    });
    const jobs = await readFile(join(folder, 'jobs.yaml'), 'utf8');
    await writeFiles(folder, { 'jobs.yaml': jobs.replace('for: each', 'for: [pine]') });
    const { child, finished } = startCli(['run'], { cwd: folder });
    await expect.poll(() => readdir(started), { timeout: 30_000 }).toContain('reached');
    child.kill('SIGKILL');
    await finished;
    isHanging = false;
    await run('deliver');
    const [delivery] = JSON.parse((await run('deliver', 'list', '--all', '--json')).stdout) as {
      state: string;
    }[];
    expect(delivery?.state).toBe(state);
    expect(smtp.received).toHaveLength(step === 'RCPT' ? 1 : 0);
    expect(s3.keys().filter((key) => key.endsWith('manifest.json'))).toHaveLength(
      kind === 's3' ? 1 : 0,
    );
    if (kind === 'command') expect(await readFile(join(started, 'runs'), 'utf8')).toBe('once\n');
  },
);

/** The same, with an SMTP server that each client's mail goes to. */
async function twoMailedClients(delivery: string) {
  const server = await startSmtpServer();
  const top = `mail: { host: 127.0.0.1, port: ${server.port}, tls: off, from: "Nord <reports@nord.example>" }\n`;
  const report = `, deliver: [{ mail: client, ${delivery} }]`;
  return { server, ...(await twoClients({ top, report })) };
}

it('each address of a client gets its report once, with its files, however often the job runs', async () => {
  const { server, folder, run } = await twoMailedClients('attach: [xlsx], body: ./note.md');
  await writeFiles(folder, { 'note.md': 'Good morning,\n\nhere is <January>.\n' });
  const first = await run('run');
  expect(first.stdout).toContain('deliver emv to fjord@x.example: sent\n');
  const again = await run('run');
  expect(again.stdout).not.toContain('deliver emv');
  const to = server.received.map((mail) => mail.to).sort();
  expect(to).toEqual(['a@pine.example', 'b@pine.example', 'fjord@x.example']);
  const fjord = server.received.find((mail) => mail.to === 'fjord@x.example')?.message ?? '';
  const [words = '', attached = ''] = decodeQuotedPrintable(fjord).split(/(?=filename=)/);
  expect(words).toMatch(/^Subject: Fjord AS: Earned media value, all dates\r$/m);
  expect(attached.split(/\s/)[0]).toBe('filename=emv.xlsx');
  expect(words).toContain('<p style="margin:0 0 12px">here is &lt;January&gt;.</p>');
  expect(words).toContain('Attached: emv.xlsx.');
  expect(words).not.toMatch(/Pine|postledger/);
});

it('deliver writes the mails without sending them, and sends those that are held once they are approved', async () => {
  const { server, folder, run } = await twoMailedClients('hold: true');
  expect((await run('run')).code).toBe(3);
  expect(server.received).toEqual([]);
  const dry = await run('deliver', '--dry-run', '--out', 'mails');
  expect(dry.stdout.trim().split('\n')).toHaveLength(3);
  expect(await readdir(join(folder, 'mails'))).toEqual([
    expect.stringMatching(/^monthly-emv-fjord-fjord@x\.example-[0-9a-f]{8}\.eml$/),
    expect.stringMatching(/^monthly-emv-pine-a@pine\.example-/),
    expect.stringMatching(/^monthly-emv-pine-b@pine\.example-/),
  ]);
  const listed = JSON.parse((await run('deliver', 'list', '--json')).stdout) as {
    id: string;
    state: string;
    destination: string;
  }[];
  expect(listed.map(({ state }) => state)).toEqual(['held', 'held', 'held']);
  const status = await run('status');
  expect(status.stdout).toContain('\nDeliver  3 held; see: postledger deliver list\n');
  const idOf = (address: string) => listed.find((mail) => mail.destination === address)?.id ?? '';
  const approved = await run('deliver', 'approve', idOf('fjord@x.example').slice(0, 12));
  expect(approved).toMatchObject({ code: 0, stdout: 'sent  emv to fjord@x.example\n' });
  expect((await run('deliver', 'discard', idOf('a@pine.example'))).code).toBe(0);
  expect(server.received.map((mail) => mail.to)).toEqual(['fjord@x.example']);
  const twice = await run('deliver', 'approve', idOf('fjord@x.example'));
  expect(twice.code).toBe(2);
  expect(twice.stderr).toContain('is sent: there is nothing to approve');
});

it('reports that differ in their filters are two mails', async () => {
  const { run, folder } = await twoMailedClients('hold: true');
  const jobs = await readFile(join(folder, 'jobs.yaml'), 'utf8');
  const own = '{ report: emv, formats: [csv], deliver: [{ mail: [c@x.example] }], ';
  const text = jobs.replace(
    /reports:\n[^]*$/,
    `reports:
      - ${own} out: ./a }
      - ${own} out: ./b, filters: { type: [Image] } }
      - ${own} out: ./c }
`,
  );
  await writeFiles(folder, { 'jobs.yaml': text });
  expect((await run('run')).stdout.match(/deliver emv to c@x\.example: sent/g)).toHaveLength(2);
});

it('mail test sends a line, and says what is wrong with a server', async () => {
  const { server, run, folder } = await twoMailedClients('hold: true');
  expect(await run('mail', 'test', 'ops@example.com')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^sent to ops@example\.com: 250 /) as string,
  });
  expect(server.received.map((mail) => mail.to)).toEqual(['ops@example.com']);
  const jobs = await readFile(join(folder, 'jobs.yaml'), 'utf8');
  await writeFiles(folder, { 'jobs.yaml': jobs.replace(/port: \d+/, 'port: 1') });
  const wrong = await run('mail', 'test', 'ops@example.com');
  expect(wrong).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('ECONNREFUSED') as string,
  });
});

function decodeQuotedPrintable(text: string): string {
  return text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/(?:=[0-9A-F]{2})+/g, (codes) =>
      Buffer.from(codes.replaceAll('=', ''), 'hex').toString(),
    );
}
