import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MailConfig } from '../../src/config/config.ts';
import { Secret } from '../../src/config/secret.ts';
import { silentLog } from '../../src/core/log.ts';
import { composeMail } from '../../src/deliver/mail-message.ts';
import { deliveryId, destinationOf, Outbox, type DeliveryState } from '../../src/deliver/outbox.ts';
import { sendQueued } from '../../src/deliver/send-queue.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { startSmtpServer, type SmtpBehaviour } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { signal } = new AbortController();

function mailTo(port: number, change: Partial<MailConfig> = {}): MailConfig {
  const from = 'Nord <reports@nord.example>';
  const host = '127.0.0.1';
  return { host, port, isEncrypted: false, login: null, from, maxBytes: 15e6, ...change };
}

/** An outbox with a mail for each address. */
async function outboxFor(addresses: readonly string[], state: 'held' | 'queued' = 'queued') {
  const dataDir = await temporaryFolder();
  const clock = Object.assign(new ManualClock(), { sleep: () => Promise.resolve() });
  const add = (address: string) =>
    Outbox.with(dataDir, { clock, waitMs: 0 }, async (outbox) => {
      const id = deliveryId([address]);
      const message = await composeMail({
        from: 'Nord <reports@nord.example>',
        to: address,
        subject: 'EMV\r\nBcc: evil@example.com',
        html: '<p>Words</p>',
        text: 'Words',
        attachments: [],
        id,
        date: clock.now(),
      });
      const period = { from: '2026-01-01', to: '2026-01-31' };
      const names = { id, job: 'monthly', report: 'emv', client: null, ...period };
      const target = { kind: 'mail' as const, address, subject: 'EMV', attached: [] };
      return outbox.add({ ...names, target }, [{ name: 'message.eml', content: message }], state);
    });
  for (const address of addresses) expect(await add(address)).toBe(true);
  const states = () =>
    Outbox.with(dataDir, { clock, waitMs: 0 }, async (outbox) =>
      (await outbox.list())
        .map(({ record, status }) => [destinationOf(record.target), status.state])
        .sort(),
    );
  const send = (mail: MailConfig) =>
    Outbox.with(dataDir, { clock, waitMs: 0 }, (outbox) =>
      sendQueued(outbox, { config: { mail, s3: null }, clock, log: silentLog, signal }),
    );
  return { dataDir, add, states, send, clock };
}

/** What becomes of a mail to each address, and what the server got. */
async function outcome(behaviour: SmtpBehaviour, addresses: readonly string[]) {
  const server = await startSmtpServer(behaviour);
  const { send, states } = await outboxFor(addresses);
  await send(mailTo(server.port));
  return { states: await states(), received: server.received.map(({ to }) => to), server };
}

describe('a queue', () => {
  it('sends each mail once, whatever is added or sent again', async () => {
    const server = await startSmtpServer();
    const { add, send, states } = await outboxFor(['a@x.example', 'b@x.example']);
    await send(mailTo(server.port));
    expect(await add('a@x.example')).toBe(false);
    await send(mailTo(server.port));
    expect(server.received.map(({ to }) => to).sort()).toEqual(['a@x.example', 'b@x.example']);
    expect(await states()).toEqual([
      ['a@x.example', 'sent'],
      ['b@x.example', 'sent'],
    ]);
    const [{ message } = { message: '' }] = server.received;
    expect(message).toMatch(/^Message-ID: <[0-9a-f]{20}@nord\.example>\r$/m);
    expect(message).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(message).not.toMatch(/^Bcc:/m);
  });

  it.each([
    ['421', 421],
    ['450', 450],
  ])(
    'tries one that is answered with %s again, then leaves it to the next run',
    async (_, code) => {
      const later = await outcome({ refuse: () => code }, ['a@x.example']);
      expect(later.states).toEqual([['a@x.example', 'queued']]);
      const soon = await outcome({ refuse: (_address, attempt) => (attempt === 1 ? code : null) }, [
        'a@x.example',
      ]);
      expect(soon).toMatchObject({ states: [['a@x.example', 'sent']], received: ['a@x.example'] });
    },
  );

  it.each([
    ['recipient', { refuse: (address: string) => (address.startsWith('a') ? 550 : null) }],
    ['message', { answer: (address: string) => (address.startsWith('a') ? 552 : null) }],
  ])('never sends one again whose %s is refused for good, and sends the others', async (_, how) => {
    const { states, received } = await outcome(how, ['a@x.example', 'b@x.example']);
    expect(states).toEqual([
      ['a@x.example', 'failed'],
      ['b@x.example', 'sent'],
    ]);
    expect(received).toEqual(['b@x.example']);
  });

  it('does not know of one whose connection ends after its text was sent, and does not send it again', async () => {
    const server = await startSmtpServer({ answer: () => 'hang up' });
    const { send, states } = await outboxFor(['a@x.example']);
    await send(mailTo(server.port));
    expect(await states()).toEqual([['a@x.example', 'unknown']]);
    await send(mailTo(server.port));
    expect(server.attempts.get('a@x.example')).toBe(1);
  });

  it('keeps all where the server is not there, asks for no more than one connection, and sends them later', async () => {
    const { send, states } = await outboxFor(['a@x.example', 'b@x.example']);
    const sent = await send(mailTo(1));
    expect(sent.map(({ status }) => status.reason)).toEqual([
      expect.stringContaining('ECONNREFUSED'),
      expect.stringContaining('ECONNREFUSED'),
    ]);
    expect(await states()).toEqual([
      ['a@x.example', 'queued'],
      ['b@x.example', 'queued'],
    ]);
    const server = await startSmtpServer();
    await send(mailTo(server.port));
    expect(server.received).toHaveLength(2);
  });

  it('sends nothing unencrypted, and no password, to a server without TLS', async () => {
    const server = await startSmtpServer();
    const { send, states } = await outboxFor(['a@x.example']);
    const password = new Secret('SMTP_PASSWORD', 'jobs.yaml', 'a-secret');
    const login = { user: 'nord', password };
    const [sent] = await send(mailTo(server.port, { isEncrypted: true, login }));
    expect(sent?.status.reason).toMatch(/STARTTLS|TLS/);
    expect(sent?.status.reason).not.toContain('a-secret');
    expect(await states()).toEqual([['a@x.example', 'queued']]);
    expect(server.attempts.size).toBe(0);
  });
});

it.each<[string, DeliveryState, DeliveryState]>([
  ['before a message was on its way is sent by the next', 'sending', 'queued'],
  ['while a message was on its way leaves it as unknown', 'transmitting', 'unknown'],
])('a process that is killed %s', async (_, left, state) => {
  const { dataDir, states } = await outboxFor(['a@x.example']);
  const file = join(dataDir, 'outbox', deliveryId(['a@x.example']), 'state.json');
  const status = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...status, state: left }));
  expect(await states()).toEqual([['a@x.example', state]]);
});

it('a mail that is held is not sent', async () => {
  const server = await startSmtpServer();
  const { send, states } = await outboxFor(['a@x.example'], 'held');
  await send(mailTo(server.port));
  expect(await states()).toEqual([['a@x.example', 'held']]);
  expect(server.received).toEqual([]);
});

it('a mail whose files are damaged has failed, and costs the others nothing', async () => {
  const server = await startSmtpServer();
  const { dataDir, send, states } = await outboxFor(['a@x.example', 'b@x.example', 'c@x.example']);
  const file = (address: string, name: string) =>
    join(dataDir, 'outbox', deliveryId([address]), name);
  await writeFile(file('a@x.example', 'files/message.eml'), 'another message');
  await writeFile(file('b@x.example', 'state.json'), '{');
  await send(mailTo(server.port));
  expect(await states()).toEqual([
    ['', 'failed'],
    ['a@x.example', 'failed'],
    ['c@x.example', 'sent'],
  ]);
  expect(server.received.map(({ to }) => to)).toEqual(['c@x.example']);
});
