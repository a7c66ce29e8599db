import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startCli, writeFiles } from '../support/cli.ts';
import { startS3Server } from '../support/s3-server.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { twoClients } from '../support/two-clients.ts';

it.each([
  ['before a mail was on its way', 'mail', 'RCPT', 'sent'],
  ['while a mail was on its way', 'mail', 'DATA', 'unknown'],
  ['while files were uploaded', 's3', 'PUT', 'sent'],
  ['while a command ran', 'command', 'sleep', 'unknown'],
])(
  'after a run that is killed %s the next one repeats no reading, and nothing arrives twice',
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
    const { folder, run, service } = await twoClients({
      top: `mail: { host: 127.0.0.1, port: ${smtp.port}, tls: off, from: r@nord.example }
s3: { access_key_id: "\${KEY}", secret_access_key: "\${KEY}" }
`,
      report: `, deliver: [{ ${targets[kind as keyof typeof targets]} }]`,
    });
    const jobs = await readFile(join(folder, 'jobs.yaml'), 'utf8');
    const onePart = jobs.replace('for: each', 'for: [pine]').replace(/.*broken.*\n/, '');
    await writeFiles(folder, { 'jobs.yaml': onePart });
    const { child, finished } = startCli(['run'], { cwd: folder });
    await expect.poll(() => readdir(started), { timeout: 30_000 }).toContain('reached');
    child.kill('SIGKILL');
    await finished;
    isHanging = false;
    const lastRun = async () => {
      const status = JSON.parse((await run('status', '--json')).stdout) as {
        jobs: { last_run: { status: string } }[];
      };
      return status.jobs[0]?.last_run.status;
    };
    expect(await lastRun()).toBe('interrupted');
    const asked = service.requests.length;
    expect((await run('run')).code).toBe(state === 'unknown' ? 3 : 0);
    expect(service.requests.slice(asked)).toEqual([]);
    expect(await lastRun()).toBe('succeeded');
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
