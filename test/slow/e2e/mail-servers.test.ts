import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../../src/core/calendar.ts';
import { runCli, startCli, writeFiles } from '../../support/cli.ts';
import { decodeQuotedPrintable } from '../../support/mail-text.ts';
import { analyticsRecord, uuid } from '../../support/made-records.ts';
import { startPlainService } from '../../support/plain-service.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { valueReport } from '../../support/value-report.ts';

interface Listed {
  readonly id: string;
  readonly recipient: string;
  readonly state: string;
  readonly left_out?: readonly string[];
}

/** A job that mails its report with a workbook to these addresses. */
async function mailingJob(port: number, addresses: readonly string[]) {
  const recently = addDays(dayOf(new Date(), 'UTC'), -2);
  const service = await startPlainService({
    analytics: new Map([[uuid(900), [analyticsRecord(1, recently, { emv: 100 })]]]),
  });
  const cwd = await temporaryFolder();
  await writeFiles(cwd, {
    ...valueReport,
    '.env': 'KEY=plain-key\n',
    'jobs.yaml': `mail: { host: 127.0.0.1, port: ${port}, tls: off, from: reports@nord.example }
workspaces:
  acme: { base_url: "${service.url}", api_key: "\${KEY}", profiles: [{ id: ${uuid(900)}, name: Main }] }
jobs:
  monthly:
    profiles: [acme/*]
    windows: { days: 20, size_days: 60 }
    details: false
    reports:
      - { report: value, period: all, formats: [xlsx], deliver: [{ mail: [${addresses.join(', ')}], attach: [xlsx] }] }
`,
  });
  const run = (...args: string[]) => runCli(args, { cwd });
  const listed = async () =>
    (JSON.parse((await run('deliver', 'list', '--all', '--json')).stdout) as Listed[])
      .map(({ recipient, state }) => [recipient, state])
      .sort();
  return { cwd, run, listed };
}

it('status, deliver list and a second run do not wait behind a mail server that is silent after a message, which is sent once also after a kill', async () => {
  let isSilent = true;
  let hasArrived: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (hasArrived = resolve));
  const server = await startSmtpServer({
    answer: () => {
      if (!isSilent) return null;
      hasArrived();
      return 'hang';
    },
  });
  const { cwd, run, listed } = await mailingJob(server.port, ['a@x.example', 'b@x.example']);
  const first = startCli(['run'], { cwd });
  await arrived;
  expect((await run('status')).code).toBe(0);
  const [[queued = ''] = [], [sending = ''] = []] = (await listed()).sort(
    ([, a = ''], [, b = '']) => (a < b ? -1 : 1),
  );
  expect((await listed()).map(([, state]) => state).sort()).toEqual(['queued', 'sending']);
  const second = await run('run');
  expect(second.stdout + second.stderr).toMatch(/has waited for the answer of this server/);
  expect(server.attempts).toEqual(new Map([[sending, 1]]));
  first.child.kill('SIGKILL');
  await first.finished;
  isSilent = false;
  expect((await run('run')).code).toBe(3);
  expect(await listed()).toEqual(
    [
      [sending, 'unknown'],
      [queued, 'sent'],
    ].sort(),
  );
  expect(server.received.map(({ to }) => to)).toEqual([queued]);
});

it('a report that is larger than the mail server takes is sent without its workbook, and says so', async () => {
  const server = await startSmtpServer({ size: { at: 'EHLO', bytes: 12_000 } });
  const { run } = await mailingJob(server.port, ['a@x.example']);
  const sent = await run('run');
  expect(sent.code).toBe(0);
  expect(sent.stdout + sent.stderr).toMatch(
    /deliver value to a@x.example: sent without value-all.xlsx/,
  );
  const [{ message } = { message: '' }] = server.received;
  expect(decodeQuotedPrintable(message)).toContain('Too large for this mail: value-all.xlsx.');
  const [listed] = JSON.parse((await run('deliver', 'list', '--all', '--json')).stdout) as Listed[];
  expect(listed).toMatchObject({ state: 'sent', left_out: ['value-all.xlsx'] });
});
