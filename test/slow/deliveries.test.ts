import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startCli, writeFiles } from '../support/cli.ts';
import { startS3Server } from '../support/s3-server.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { twoClients, twoMailedClients } from '../support/two-clients.ts';

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
