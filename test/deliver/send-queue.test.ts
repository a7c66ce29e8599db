import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { MailConfig } from '../../src/config/config.ts';
import { Secret } from '../../src/config/secret.ts';
import { InterruptedError } from '../../src/core/errors.ts';
import { createLog, silentLog } from '../../src/core/log.ts';
import { composeMail } from '../../src/deliver/mail-message.ts';
import { destinationOf, type DeliveryState } from '../../src/deliver/delivery.ts';
import { Outbox, readAllDeliveries } from '../../src/deliver/outbox.ts';
import { sendQueued } from '../../src/deliver/send-queue.ts';
import { sendText } from '../../src/deliver/smtp.ts';
import { beginRecords } from '../../src/pipeline/deliveries.ts';
import { rawFolder } from '../../src/store/layout.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { configOf } from '../support/stored-run.ts';
import { startSmtpServer, type SizeLimit, type SmtpBehaviour } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { madeDelivery, mailTarget } from './made-delivery.ts';
import { listenOnLoopback } from '../support/loopback.ts';

const { signal } = new AbortController();

function mailTo(port: number, change: Partial<MailConfig> = {}): MailConfig {
  const from = 'Nord <reports@nord.example>';
  const host = '127.0.0.1';
  return {
    host,
    name: null,
    port,
    isEncrypted: false,
    login: null,
    from,
    maxBytes: 15e6,
    ...change,
  };
}

/** An outbox with a mail for each address. @param file the size of an attached file; 0: none */
async function outboxFor(addresses: readonly string[], file = 0) {
  const dataDir = await temporaryFolder();
  const clock = Object.assign(new ManualClock(), { sleep: () => Promise.resolve() });
  const add = (address: string) =>
    Outbox.with(dataDir, { clock, waitMs: 0 }, async (outbox) => {
      const record = madeDelivery(mailTarget(address, file > 0 ? ['emv.pdf'] : []));
      const compose = (attached: number) =>
        composeMail({
          from: 'Nord <reports@nord.example>',
          to: address,
          subject: 'EMV\r\nBcc: evil@example.com',
          html: '<p>Words</p>',
          text: 'Words',
          attachments: attached > 0 ? [{ name: 'emv.pdf', content: Buffer.alloc(attached) }] : [],
          id: record.id,
          date: clock.now(),
        });
      const files = [{ name: 'message.eml', content: await compose(file) }];
      if (file > 0)
        files.push({ name: 'message-without-attachments.eml', content: await compose(0) });
      await outbox.put(record, files, { state: 'queued' });
    });
  for (const address of addresses) await add(address);
  const logged: string[] = [];
  const destination = { write: (line: string) => logged.push(line) };
  const log = createLog({ level: 'debug', format: 'json', color: false, destination });
  /** The deliveries after the outbox has been repaired. */
  const states = async () => {
    await Outbox.with(dataDir, { clock, waitMs: 0 }, () => Promise.resolve());
    return (await readAllDeliveries(dataDir))
      .map(({ record, status }) => [destinationOf(record.target), status.state])
      .sort();
  };
  const send = (
    mail: MailConfig,
    hasRecipient: (address: string) => boolean = () => true,
    stopSignal = signal,
  ) =>
    sendQueued({
      config: { dataDir, mail, s3: null },
      hasRecipient: ({ recipient }) => hasRecipient(recipient),
      withOutbox: (work) => Outbox.with(dataDir, { clock, waitMs: 0 }, work),
      clock,
      log,
      signal: stopSignal,
    });
  return { dataDir, add, states, send, clock, logged };
}

/** The outcome of a mail to each address, and the mails that the server received. */
async function outcome(behaviour: SmtpBehaviour, addresses: readonly string[]) {
  const server = await startSmtpServer(behaviour);
  const { send, states } = await outboxFor(addresses);
  await send(mailTo(server.port));
  return { states: await states(), received: server.received.map(({ to }) => to), server };
}

describe('a queue', () => {
  it('sends each mail once, and records it as sent', async () => {
    const server = await startSmtpServer();
    const { dataDir, send, states } = await outboxFor(['a@x.example', 'b@x.example']);
    await send(mailTo(server.port));
    await send(mailTo(server.port));
    const { id } = madeDelivery(mailTarget('a@x.example'));
    const known = await Outbox.with(dataDir, { clock: new ManualClock(), waitMs: 0 }, (outbox) =>
      outbox.find(id),
    );
    expect(known?.status.state).toBe('sent');
    expect(server.received.map(({ to }) => to).sort()).toEqual(['a@x.example', 'b@x.example']);
    expect(await states()).toEqual([
      ['a@x.example', 'sent'],
      ['b@x.example', 'sent'],
    ]);
    const [{ message } = { message: '' }] = server.received;
    expect(message).toMatch(/^Message-ID: <2026-02-01-[0-9a-f]{20}@nord\.example>\r$/m);
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
  ])(
    'never resends a mail whose %s is permanently refused, but sends the others',
    async (_, how) => {
      const { states, received } = await outcome(how, ['a@x.example', 'b@x.example']);
      expect(states).toEqual([
        ['a@x.example', 'failed'],
        ['b@x.example', 'sent'],
      ]);
      expect(received).toEqual(['b@x.example']);
    },
  );

  it('marks a mail as unknown if the connection ends after its text was sent, and does not resend it', async () => {
    const server = await startSmtpServer({ answer: () => 'hang up' });
    const { send, states } = await outboxFor(['a@x.example']);
    await send(mailTo(server.port));
    expect(await states()).toEqual([['a@x.example', 'unknown']]);
    await send(mailTo(server.port));
    expect(server.attempts.get('a@x.example')).toBe(1);
  });

  it('keeps all mails if the server is down, tries one connection only, and sends them later', async () => {
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

describe('a mail server that takes no large message', () => {
  it.each<[SizeLimit['at'], string | undefined]>([
    ['EHLO', undefined],
    ['MAIL', '552 message size exceeds fixed maximium message size'],
    ['RCPT', '552 5.3.4 Message too big for system'],
    ['RCPT', '550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient'],
    ['DATA', '552-5.3.4 Your message exceeded our limits.'],
    ['DATA', '552 Requested mail action aborted: exceeded storage allocation'],
    ['DATA', '554 Maximum message size exceeded'],
    ['DATA', '452 4.3.1 Insufficient system storage'],
  ])('and says so at %s with %j gets it without its attachments', async (at, answer) => {
    const size = { at, bytes: 100_000, ...(answer !== undefined && { answer }) };
    const server = await startSmtpServer({ size });
    const { dataDir, send, logged } = await outboxFor(['a@x.example'], 300_000);
    const [sent] = await send(mailTo(server.port));
    expect(sent?.status).toMatchObject({ state: 'sent', left_out: ['emv.pdf'] });
    expect(sent?.status.reason).toMatch(
      /; set mail\.max_mb to what the server takes \(the message has 4\d\d\.\d kB\)$/,
    );
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.message).not.toContain('emv.pdf');
    expect(logged.join('')).toContain('sent emv to a@x.example without emv.pdf');
    const [recorded] = await readAllDeliveries(dataDir);
    expect(recorded?.status.left_out).toEqual(['emv.pdf']);
    expect(recorded?.record.files.map(({ name }) => name)).toEqual([
      'message.eml',
      'message-without-attachments.eml',
    ]);
  });

  it.each([
    ['552 5.3.4 Message size exceeds fixed limit', 'failed'],
    ['452 4.3.1 Insufficient system storage', 'queued'],
  ])(
    'not even without attachments (%s) is told of max_mb, not of the address',
    async (answer, state) => {
      const server = await startSmtpServer({ size: { at: 'DATA', bytes: 100, answer } });
      const { send, states } = await outboxFor(['a@x.example'], 300_000);
      const [sent] = await send(mailTo(server.port));
      expect(await states()).toEqual([['a@x.example', state]]);
      expect(sent?.status.reason).toMatch(/; set mail\.max_mb [^;]+$/);
    },
  );

  it.each([
    '552 5.2.2 Mailbox full',
    '552 The mailbox of this user is over its quota',
    '552 5.7.0 This message was blocked because its content presents a potential security issue',
    '550 5.1.1 No such user',
  ])('is not one that answers %s, whose mail fails whole', async (answer) => {
    const server = await startSmtpServer({ size: { at: 'DATA', bytes: 100_000, answer } });
    const { send } = await outboxFor(['a@x.example'], 300_000);
    const [sent] = await send(mailTo(server.port));
    expect(sent?.status.state).toBe('failed');
    expect(sent?.status.reason).toMatch(/; correct the address/);
    expect(server.attempts.get('a@x.example')).toBe(1);
  });
});

describe('a silent mail server', () => {
  /** A server that greets after this time, by the timers of the client. */
  async function startSlowServer(greetsAfterMs: number) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const connections: Socket[] = [];
    const server = createServer((socket) => {
      connections.push(socket);
      void (async () => {
        for (let turn = 0; turn < 50; turn += 1) await new Promise((next) => setImmediate(next));
        await vi.advanceTimersByTimeAsync(greetsAfterMs);
        socket.write('220 mail.example\r\n');
        createInterface(socket).on('line', (line) => {
          if (/^(?:EHLO|MAIL|RCPT)|^\.$/.test(line)) socket.write('250 ok\r\n');
          if (line === 'DATA') socket.write('354 go on\r\n');
        });
      })();
    });
    return { port: await listenOnLoopback(server), connections };
  }

  it('has five minutes to greet', async () => {
    const { port } = await startSlowServer(295_000);
    const { send, states } = await outboxFor(['a@x.example']);
    await send(mailTo(port));
    expect(await states()).toEqual([['a@x.example', 'sent']]);
  });

  it('is not tried again in the same run, and its other mails stay queued', async () => {
    const { port, connections } = await startSlowServer(305_000);
    const { send, clock } = await outboxFor(['a@x.example', 'b@x.example', 'c@x.example']);
    const sent = await send(mailTo(port));
    expect(sent.map(({ status }) => status.state)).toEqual(['queued', 'queued', 'queued']);
    expect(sent[2]?.status.reason).toContain('Greeting never received');
    const words = { subject: 'Daily failed', text: 'Words' };
    const told = await sendText(mailTo(port), 'ops@x.example', words, clock);
    expect(told).toMatchObject({ state: 'queued', isSilent: true });
    expect(connections).toHaveLength(1);
  });

  it('keeps no other process from the outbox, nor from its delivery, which is sent once', async () => {
    let hasArrived: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (hasArrived = resolve));
    const server = await startSmtpServer({
      answer: () => {
        hasArrived();
        return 'hang';
      },
    });
    const { send, states, add, dataDir, clock } = await outboxFor(['a@x.example', 'b@x.example']);
    const stop = new AbortController();
    const sending = send(mailTo(server.port), undefined, stop.signal);
    await arrived;
    // the second process finds one on its way to a server of which nothing is heard
    const second = await send(mailTo(server.port));
    expect(second.map(({ status }) => status.state)).toEqual(['queued']);
    expect(second[0]?.status.reason).toMatch(/has waited for the answer of this server since/);
    await add('a@x.example');
    expect(await states()).toEqual([
      ['a@x.example', 'sending'],
      ['b@x.example', 'queued'],
    ]);
    const erasing = Outbox.withNoneSending(dataDir, { clock, waitMs: 0 }, () => Promise.resolve());
    await expect(erasing).rejects.toThrow(/sending the delivery/);
    stop.abort();
    await expect(sending).rejects.toThrow(InterruptedError);
    expect(await states()).toEqual([
      ['a@x.example', 'unknown'],
      ['b@x.example', 'queued'],
    ]);
    expect(server.attempts).toEqual(new Map([['a@x.example', 1]]));
  });
});

it.each(['PLAIN', 'LOGIN', 'XOAUTH2'])(
  'a secret of a login by %s that the mail server quotes, in Base64 as well, is in no log and no outbox',
  async (method) => {
    const secret = 'sk live 4711';
    const heard: string[] = [];
    const server = createServer((socket) => {
      const answer = (line: string) => socket.write(`${line}\r\n`);
      answer('220 mail.example');
      createInterface(socket).on('line', (line) => {
        heard.push(line);
        if (line.startsWith('EHLO')) answer(`250-mail.example\r\n250 AUTH ${method}`);
        else if (line === 'AUTH LOGIN' || heard.at(-2) === 'AUTH LOGIN') answer('334 UGFzc3dvcmQ6');
        else answer(`535 no login with ${line} or ${secret}`);
      });
    });
    const tokens = createHttpServer((_, response) =>
      response.end(JSON.stringify({ access_token: secret })),
    );
    const [port, tokenPort] = [await listenOnLoopback(server), await listenOnLoopback(tokens)];
    const { dataDir, send, logged } = await outboxFor(['a@x.example']);
    const stored = new Secret('SMTP_SECRET', 'jobs.yaml', secret);
    const tokenUrl = `http://127.0.0.1:${tokenPort}/`;
    const token = { tokenUrl, clientId: 'id', clientSecret: stored, scope: null };
    const login = { user: 'nord', ...(method === 'XOAUTH2' ? token : { password: stored }) };
    const [sent] = await send(mailTo(port, { login }));
    const sentAs = method === 'LOGIN' ? '[password]' : `AUTH ${method} [password]`;
    expect(sent?.status.reason).toContain(`535 no login with ${sentAs} or [password]`);
    expect(sent?.status.reason).toMatch(/; check the user and the secret of mail in jobs\.yaml$/);
    const kept = await readFile(fileOf(dataDir, 'a@x.example', 'state.json'), 'utf8');
    for (const text of [kept, logged.join('')]) {
      expect(text).toContain('535 no login with');
      const blobs = text.match(/[\w+/]{12,}={0,2}/g) ?? [];
      expect(blobs.map((blob) => Buffer.from(blob, 'base64').toString()).join()).not.toContain(
        secret,
      );
      expect(text).not.toContain(secret);
    }
  },
);

function fileOf(dataDir: string, address: string, name: string): string {
  return join(dataDir, 'outbox', 'waiting', madeDelivery(mailTarget(address)).id, name);
}

it.each<[string, object, DeliveryState]>([
  ['before a message was on its way is sent by the next', { state: 'sending' }, 'queued'],
  [
    'while a message was on its way leaves it as unknown',
    { state: 'sending', is_transmitting: true },
    'unknown',
  ],
  ['before one that was sent is put away leaves it as sent', { state: 'sent' }, 'sent'],
])('a process that is killed %s', async (_, left, state) => {
  const { dataDir, states } = await outboxFor(['a@x.example']);
  const file = fileOf(dataDir, 'a@x.example', 'state.json');
  const status = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...status, ...left }));
  expect(await states()).toEqual([['a@x.example', state]]);
});

it('a mail with damaged files fails, and the others are sent', async () => {
  const server = await startSmtpServer();
  const { dataDir, send, states } = await outboxFor(['a@x.example', 'b@x.example', 'c@x.example']);
  await writeFile(fileOf(dataDir, 'a@x.example', 'files/message.eml'), 'another message');
  await writeFile(fileOf(dataDir, 'b@x.example', 'state.json'), '{');
  await send(mailTo(server.port));
  expect(await states()).toEqual([
    ['', 'failed'],
    ['a@x.example', 'failed'],
    ['c@x.example', 'sent'],
  ]);
  expect(server.received.map(({ to }) => to)).toEqual(['c@x.example']);
});

it('nothing is sent to a recipient that is no longer in jobs.yaml until it is added again', async () => {
  const server = await startSmtpServer();
  const { send, states } = await outboxFor(['a@x.example', 'b@x.example']);
  const sent = await send(mailTo(server.port), (address) => address === 'b@x.example');
  expect(sent.map(({ status }) => [status.state, status.waits_for])).toEqual([
    ['held', { kind: 'recipient' }],
    ['sent', null],
  ]);
  expect(await send(mailTo(server.port), () => false)).toEqual([]);
  await send(mailTo(server.port));
  expect(server.received.map(({ to }) => to)).toEqual(['b@x.example', 'a@x.example']);
  expect(await states()).toEqual([
    ['a@x.example', 'sent'],
    ['b@x.example', 'sent'],
  ]);
});

it('files of sent deliveries are removed after a time, and their records are kept', async () => {
  const server = await startSmtpServer();
  const { dataDir, send, states } = await outboxFor(['a@x.example', 'b@x.example']);
  await send(mailTo(server.port), (address) => address === 'a@x.example');
  const { id } = madeDelivery(mailTarget('a@x.example'));
  const filesAfter = async (now: string) => {
    const clock = new ManualClock(now);
    await Outbox.with(dataDir, { clock, waitMs: 0 }, (outbox) => outbox.prune(30));
    const names = await readdir(join(dataDir, 'outbox'), { recursive: true });
    return names.filter((name) => name.includes(id) && name.endsWith('.eml')).length;
  };
  expect(await filesAfter('2026-02-20T00:00:00Z')).toBe(1);
  expect(await filesAfter('2026-05-01T00:00:00Z')).toBe(0);
  expect(await states()).toEqual([
    ['a@x.example', 'sent'],
    ['b@x.example', 'held'],
  ]);
});

it('records that are lost are told with the time of their loss, and new ones begin once', async () => {
  const clock = new ManualClock();
  const config = configOf(await temporaryFolder());
  const { dataDir } = config;
  const run = join(rawFolder(dataDir), 'acme', '2026-01-15', '20260115T051500Z-aaaaaa');
  await mkdir(run, { recursive: true });
  await writeFile(join(run, 'run.json'), '{"delivers": true}');
  const begin = async () => {
    await beginRecords({ config, clock, log: silentLog });
    return Outbox.with(dataDir, { clock, waitMs: 0 }, ({ sent }) => Promise.resolve(sent.lostAt));
  };
  const lostAt = clock.now().toISOString();
  expect(await begin()).toBe(lostAt);
  await clock.advance(1000);
  expect(await begin()).toBe(lostAt);
});

it.each([
  ['an id that is not its folder’s', { id: 'another' }],
  ['a file outside of its folder', { files: [{ name: '../../x', bytes: 1, sha256: '' }] }],
])('a record with %s is not sent', async (_, change) => {
  const server = await startSmtpServer();
  const { dataDir, send, states } = await outboxFor(['a@x.example']);
  const file = fileOf(dataDir, 'a@x.example', 'delivery.json');
  const record = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...record, ...change }));
  await send(mailTo(server.port));
  expect(await states()).toEqual([['', 'failed']]);
  expect(server.attempts.size).toBe(0);
});
