import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { runCli, writeFiles } from '../support/cli.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { decodeQuotedPrintable } from '../support/mail-text.ts';
import { startPlainService } from '../support/plain-service.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const recently = addDays(dayOf(new Date(), 'UTC'), -2);
const [firstDay, yesterday] = [-19, -1].map((days) => addDays(dayOf(new Date(), 'UTC'), days));

interface Agency {
  /** Keys of `deliver` of the monthly report. */
  readonly deliver?: string;
  /** A second report of the monthly job. */
  readonly more?: string;
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
  const chat: string[] = [];
  const recorder = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      chat.push(body);
      response.end();
    });
  });
  recorder.listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  onTestFinished(() => void recorder.close());
  const address = recorder.address();
  const chatPort = typeof address === 'object' && address ? address.port : 0;
  const folder = await temporaryFolder();
  const workspace = (id: number, key: string) =>
    `{ base_url: "${service.url}", api_key: "\${${key}}", profiles: [{ id: ${uuid(id)}, name: Main }] }`;
  const set = ({
    deliver = '',
    more = '',
    pineAddress = 'a@pine.example',
    pineKey = 'plain-key',
    port = smtp.port,
  }: Agency) =>
    writeFiles(folder, {
      '.env': `F_KEY=plain-key\nP_KEY=${pineKey}\nCHAT=http://127.0.0.1:${chatPort}/\n`,
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
      - { report: emv, for: each, formats: [csv], deliver: [{ mail: client${deliver} }] }
${more}
  daily: { profiles: [p/*], windows: { days: 20, size_days: 60 }, details: false }
`,
    });
  const run = (...args: string[]) => runCli(args, { cwd: folder });
  const listed = async () =>
    JSON.parse((await run('deliver', 'list', '--all', '--json')).stdout) as {
      id: string;
      state: string;
      recipient: string;
      waits_for: object | null;
    }[];
  /** Recipient and subject of each mail that arrived, in the order of arrival. */
  const mails = () =>
    smtp.received.map(({ to, message }) => `${to}: ${/^Subject: (.*)\r$/m.exec(message)?.[1]}`);
  return { set, run, listed, mails, smtp, chat };
}

it('a report over days that were not read is held, notified once, and sent once the days were read', async () => {
  const { set, run, listed, mails, smtp, chat } = await agency();
  await set({ pineKey: 'wrong' });
  const first = await run('run', 'monthly');
  expect(first.code).toBe(3);
  expect(mails()).toEqual(['fjord@x.example: Fjord AS: Earned media value, All dates']);
  const held = (await listed()).find(({ recipient }) => recipient === 'a@pine.example');
  expect(held).toMatchObject({
    state: 'held',
    waits_for: {
      kind: 'days',
      days: [{ profile: 'Main', first_day: firstDay, last_day: yesterday }],
    },
  });
  const list = await run('deliver', 'list');
  expect(list.stdout).toContain(`waits for Main ${firstDay} to ${yesterday}`);
  expect(chat).toHaveLength(1);
  expect(chat[0]).toContain('Nothing has been read for this period yet.');

  expect((await run('run', 'monthly')).code).toBe(3);
  expect((await run('deliver', 'send')).code).toBe(3);
  expect(chat).toHaveLength(1);

  await set({});
  const mended = await run('run', 'monthly');
  expect(mended.code).toBe(0);
  expect(mails().slice(1)).toEqual(['a@pine.example: Pine GmbH: Earned media value, All dates']);
  const mail = decodeQuotedPrintable(smtp.received[1]?.message ?? '');
  expect(mail).toContain('Your 2 posts earned $500 of media value');
  expect(mail).not.toContain('Incomplete');
  expect((await run('run', 'monthly')).code).toBe(0);
  expect(mails()).toHaveLength(2);
});

it('the run of another job that reads the missing days sends a held report, up to the next scheduled time', async () => {
  const { set, run, mails } = await agency();
  await set({ pineKey: 'wrong' });
  await run('run', 'monthly');
  await set({});
  const daily = await run('run', 'daily');
  expect(daily.stdout).toContain('deliver emv to a@pine.example: sent\n');
  expect(daily.code).toBe(0);
  expect(mails()).toHaveLength(2);
});

it('an approved report is sent as incomplete, is not sent again automatically, and is corrected on request', async () => {
  const { set, run, listed, mails, smtp } = await agency();
  await set({ pineKey: 'wrong' });
  await run('run', 'monthly');
  const id = (await listed()).find(({ state }) => state === 'held')?.id ?? '';
  expect((await run('deliver', 'approve', id)).code).toBe(0);
  expect(mails()[1]).toBe('a@pine.example: Incomplete: Pine GmbH: Earned media value, All dates');
  const sent = decodeQuotedPrintable(smtp.received[1]?.message ?? '');
  expect(sent.match(/Nothing has been read for this period yet\./g)).toHaveLength(2);
  await set({});
  expect((await run('run', 'monthly')).code).toBe(0);
  expect(mails()).toHaveLength(2);
  const resent = await run('deliver', 'resend', id, '--note', 'A key had <expired>.');
  expect(resent).toMatchObject({ code: 0, stdout: 'sent  emv to a@pine.example\n' });
  expect(mails()[2]).toBe('a@pine.example: Corrected: Pine GmbH: Earned media value, All dates');
  const corrected = decodeQuotedPrintable(smtp.received[2]?.message ?? '');
  expect(corrected).toContain('A key had &lt;expired&gt;.');
  expect(corrected).toMatch(/Changed since .*: EMV \$500 \(was –\);/);
  expect((await run('run', 'monthly')).code).toBe(0);
  expect(mails()).toHaveLength(3);
});

it.each([
  ['send', ['a@pine.example: Incomplete: Pine GmbH: Earned media value, All dates'], 'sent'],
  ['skip', [], 'discarded'],
])('when_incomplete: %s', async (how, wanted, state) => {
  const { set, run, listed, mails } = await agency();
  const deliver = `, when_incomplete: ${how}`;
  await set({ deliver, pineKey: 'wrong' });
  await run('run', 'monthly');
  expect(mails().slice(1)).toEqual(wanted);
  const pine = (await listed()).find(({ recipient }) => recipient === 'a@pine.example');
  expect(pine?.state).toBe(state);
  await set({ deliver });
  await run('run', 'monthly');
  expect(mails().slice(1)).toEqual(wanted);
  await run('deliver', 'resend', pine?.id ?? '');
  expect(mails().at(-1)).toBe(
    'a@pine.example: Corrected: Pine GmbH: Earned media value, All dates',
  );
});

it('a waiting delivery is not sent to an address that is no longer in jobs.yaml, and the new address gets its own', async () => {
  const { set, run, listed, mails } = await agency();
  await set({ port: 1 });
  expect((await run('run', 'monthly')).code).toBe(3);
  await set({ pineAddress: 'b@pine.example' });
  expect((await run('run', 'monthly')).code).toBe(3);
  expect(mails().sort()).toEqual([
    'b@pine.example: Pine GmbH: Earned media value, All dates',
    'fjord@x.example: Fjord AS: Earned media value, All dates',
  ]);
  const old = (await listed()).find(({ recipient }) => recipient === 'a@pine.example');
  expect(old).toMatchObject({ state: 'held', waits_for: { kind: 'recipient' } });
  const approved = await run('deliver', 'approve', old?.id ?? '');
  expect(approved.code).toBe(2);
  expect(approved.stderr).toContain('a@pine.example is no longer a recipient of the job monthly');
  expect((await run('run', 'monthly')).code).toBe(0);
  expect(mails()).toHaveLength(2);
});

it('deliveries that differ in one option are both sent, and equal deliveries are refused', async () => {
  const { set, run, mails } = await agency();
  const more = (rest: string) =>
    `      - { report: emv, for: [pine], formats: [csv], out: "./again/{client}"${rest}, deliver: [{ mail: client }] }`;
  await set({ more: more(', cpm: 99') });
  expect((await run('run', 'monthly')).code).toBe(0);
  expect(mails().filter((mail) => mail.startsWith('a@pine.example'))).toHaveLength(2);
  await set({ more: more('') });
  const equal = await run('check', '--no-secrets');
  expect(equal.code).toBe(2);
  expect(equal.stderr).toContain(
    'jobs.monthly.reports[1].deliver[0]: sends emv for the client pine to a@pine.example as another delivery of the job also does',
  );
});

it('a run reports a failed delivery and exits 3 while it has failed', async () => {
  const { set, run } = await agency();
  await set({ port: 1 });
  await run('run', 'monthly');
  const refusing = await startSmtpServer({ refuse: () => 550 });
  await set({ port: refusing.port });
  expect((await run('run', 'monthly')).code).toBe(3);
  const later = await run('run', 'daily');
  expect(later.code).toBe(3);
  expect(later.stdout).toMatch(/deliver emv to a@pine\.example: failed \(.*550/);
});
