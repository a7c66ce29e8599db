import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { S3Credentials } from '../../src/config/config.ts';
import { Secret } from '../../src/config/secret.ts';
import { silentLog } from '../../src/core/log.ts';
import type { DeliveryTarget } from '../../src/deliver/delivery.ts';
import { Outbox } from '../../src/deliver/outbox.ts';
import { sendQueued } from '../../src/deliver/send-queue.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { startS3Server } from '../support/s3-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { madeDelivery } from './made-delivery.ts';

const secret = (name: string) => new Secret(name, 'jobs.yaml', `value of ${name}`);
const keys: S3Credentials = { accessKeyId: secret('ID'), secretAccessKey: secret('KEY') };
const clock = Object.assign(new ManualClock(), { sleep: () => Promise.resolve() });
const files = [
  { name: 'emv.xlsx', content: Buffer.from('a workbook') },
  { name: 'emv/by_month.csv', content: Buffer.alloc(3_000_000, 'month,emv\r\n') },
];

/** An outbox with a delivery of these files for each target. */
async function queueFor(...targets: DeliveryTarget[]) {
  const dataDir = await temporaryFolder();
  const inOutbox = <Result>(work: (outbox: Outbox) => Promise<Result>) =>
    Outbox.with(dataDir, { clock, waitMs: 0 }, work);
  await inOutbox(async (outbox) => {
    for (const [index, target] of targets.entries())
      await outbox.put(madeDelivery(target, { id: `delivery${index}`, client: 'fjord' }), files, {
        state: 'queued',
      });
  });
  return async (signal = new AbortController().signal) => {
    const config = { dataDir, mail: null, s3: keys };
    const tools = { config, clock, log: silentLog, signal, hasRecipient: () => true };
    const sent = await sendQueued({ ...tools, withOutbox: inOutbox });
    return sent.map(({ status: { state, reason } }) => [state, reason]);
  };
}

describe('object storage', () => {
  const bucket = (endpoint: string, prefix = 'fjord/2026-01-31/'): DeliveryTarget => ({
    kind: 's3',
    bucket: 'reports',
    prefix,
    endpoint,
    region: 'eu-central-1',
  });

  it('receives all files below the prefix, signed, and last the manifest with their hashes', async () => {
    const server = await startS3Server();
    const send = await queueFor(bucket(server.endpoint));
    expect(await send()).toEqual([['sent', '2 files and their manifest']]);
    expect(await send()).toEqual([]);
    const folder = '/reports/fjord/2026-01-31';
    expect(server.keys()).toEqual([
      `${folder}/emv.xlsx`,
      `${folder}/emv/by_month.csv`,
      `${folder}/emv.manifest.json`,
    ]);
    const [workbook, , manifest] = server.uploads;
    expect(workbook?.body).toBe('a workbook');
    expect(workbook?.authorization).toContain('Credential=value of ID/20');
    expect(workbook?.authorization).toContain('/eu-central-1/s3/aws4_request');
    expect(JSON.parse(manifest?.body ?? '')).toEqual({
      corrects: null,
      id: 'delivery0',
      job: 'monthly',
      report: 'emv',
      client: 'fjord',
      from: '2026-01-01',
      to: '2026-01-31',
      created_at: clock.now().toISOString(),
      files: files.map(({ name, content }) => ({
        name,
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      })),
    });
  });

  it('receives all files again from the next run after a failure half way, and no manifest before', async () => {
    let isBroken = true;
    const server = await startS3Server((earlier) => (isBroken && earlier > 0 ? 500 : 200));
    const send = await queueFor(bucket(server.endpoint));
    expect(await send()).toEqual([['queued', 'InternalError: no']]);
    expect(server.keys()).toEqual(['/reports/fjord/2026-01-31/emv.xlsx']);
    isBroken = false;
    expect(await send()).toEqual([['sent', '2 files and their manifest']]);
    expect(server.keys().at(-1)).toBe('/reports/fjord/2026-01-31/emv.manifest.json');
  });

  it('fails if it refuses the bucket, and is retried once by the next run if it refuses the keys', async () => {
    const refusing = await startS3Server(() => 403);
    expect(await (await queueFor(bucket(refusing.endpoint)))()).toEqual([
      ['failed', 'AccessDenied: no'],
    ]);
    const unknown = await startS3Server(() => 401);
    const send = await queueFor(bucket(unknown.endpoint, 'a/'), bucket(unknown.endpoint, 'b/'));
    const reason = 'InvalidAccessKeyId: no';
    expect(await send()).toEqual([
      ['queued', reason],
      ['queued', reason],
    ]);
    expect(unknown.requests()).toBe(3);
  });

  it('is reached through the proxy of the environment, with large files too', async () => {
    const proxy = await startS3Server();
    vi.stubEnv('HTTP_PROXY', proxy.endpoint);
    onTestFinished(() => void vi.unstubAllEnvs());
    const send = await queueFor(bucket('http://s3.far.example', 'a+b/(é)/'));
    expect(await send()).toEqual([['sent', '2 files and their manifest']]);
    const folder = 'http://s3.far.example/reports/a%2Bb/%28%C3%A9%29';
    expect(proxy.keys()).toEqual(
      ['emv.xlsx', 'emv/by_month.csv', 'emv.manifest.json'].map((name) => `${folder}/${name}`),
    );
    expect(proxy.uploads[1]?.body).toHaveLength(3_000_000);
  });

  it('leaves the report to the next run if it cannot be reached', async () => {
    const send = await queueFor(bucket('http://127.0.0.1:1'));
    expect(await send()).toEqual([['queued', expect.stringContaining('ECONNREFUSED')]]);
  });
});

describe('a command', () => {
  const script = (text: string): DeliveryTarget => ({
    kind: 'command',
    command: [process.execPath, '-e', text, '{folder}', '$HOME; touch x'],
  });

  it('finds the files in its folder, and gets its arguments unchanged and none of our secrets', async () => {
    const secrets = ['S3_SECRET', 'S3_SECRET_FILE', 'CREDENTIALS_DIRECTORY'];
    for (const name of secrets) vi.stubEnv(name, 'a-secret');
    const out = join(await temporaryFolder(), 'seen.json');
    const send = await queueFor(
      script(`
      const fs = require('fs');
      const [, folder, words] = process.argv;
      const files = fs.readdirSync(folder, { recursive: true }).sort();
      const seen = { files, words, isHere: process.cwd() === fs.realpathSync(folder), variables: Object.keys(process.env) };
      fs.writeFileSync(${JSON.stringify(out)}, JSON.stringify(seen));`),
    );
    expect(await send()).toEqual([['sent', 'exit code 0']]);
    vi.unstubAllEnvs();
    const { default: seen } = (await import(out, { with: { type: 'json' } })) as {
      default: { variables: string[] };
    };
    expect(seen).toMatchObject({
      files: ['emv', 'emv.xlsx', 'emv/by_month.csv'],
      words: '$HOME; touch x',
      isHere: true,
    });
    expect(seen.variables).toContain('PATH');
    for (const name of secrets) expect(seen.variables).not.toContain(name);
  });

  it.each([
    ['75 is tried again', 75, 'queued', 'exit code 75: no room'],
    ['of any other kind has failed', 2, 'failed', 'exit code 2: no room'],
  ])('whose exit code is %s', async (_, code, state, reason) => {
    const send = await queueFor(
      script(`process.stderr.write('connecting\\nno room\\n'); process.exitCode = ${code}`),
    );
    expect(await send()).toEqual([[state, reason]]);
  });

  it('ends with its program, even if a child process keeps the pipe open', async () => {
    const send = await queueFor(
      script(`
      const { spawn } = require('child_process');
      spawn('sleep', ['60'], { detached: true, stdio: ['ignore', 'ignore', 'inherit'] }).unref();
      process.stderr.write('done\\n');`),
    );
    const stop = new AbortController();
    expect(await send(stop.signal)).toEqual([['sent', 'exit code 0: done']]);
    stop.abort();
  });

  it('fails if its program does not exist', async () => {
    const send = await queueFor({ kind: 'command', command: ['no-such-program', '{folder}'] });
    expect(await send()).toEqual([['failed', 'spawn no-such-program ENOENT']]);
  });

  it('is killed with all its child processes when postledger is stopped, and is not run again', async () => {
    const folder = await temporaryFolder();
    const stop = new AbortController();
    const send = await queueFor(
      script(`
      require('child_process').spawn('sleep', ['60'], { stdio: 'inherit' });
      require('fs').writeFileSync(${JSON.stringify(join(folder, 'started'))}, '');
      setInterval(() => {}, 1000);`),
    );
    const sending = send(stop.signal);
    await expect
      .poll(
        () =>
          access(join(folder, 'started')).then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
    stop.abort();
    expect(await sending).toEqual([['unknown', 'it was stopped before it had finished']]);
    expect(await send()).toEqual([]);
  });
});
