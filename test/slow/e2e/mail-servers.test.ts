import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../../src/core/calendar.ts';
import { agency } from '../../support/agency.ts';
import { startCli } from '../../support/cli.ts';
import { analyticsRecord } from '../../support/made-records.ts';
import type { SmtpBehaviour } from '../../support/smtp-server.ts';

/** A job that mails its report with a workbook to these addresses. */
function mailingJob(smtp: SmtpBehaviour, ...addresses: readonly string[]) {
  const recently = addDays(dayOf(new Date(), 'Europe/Berlin'), -2);
  return agency({
    posts: [[analyticsRecord(1, recently, { emv: 100 })], []],
    clients: ' {}',
    reads: 'w/East',
    windows: 'days: 20, size_days: 60',
    job: `
    reports: [{ report: value, period: all, formats: [xlsx], deliver: [{ mail: [${addresses.join(', ')}], attach: [xlsx] }] }]`,
    smtp,
  });
}

it('status, deliver list and a second run do not wait behind a mail server that is silent after a message, which is sent once also after a kill', async () => {
  let isSilent = true;
  let hasArrived: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (hasArrived = resolve));
  const answer = () => {
    if (!isSilent) return null;
    hasArrived();
    return 'hang' as const;
  };
  const { folder, smtp, run, listed } = await mailingJob({ answer }, 'a@x.example', 'b@x.example');
  const first = startCli(['run'], { cwd: folder });
  await arrived;
  expect((await run('status')).code).toBe(0);
  const states = async () =>
    new Map((await listed()).map(({ recipient, state }) => [state, recipient]));
  const waiting = await states();
  const [sending = '', queued = ''] = [waiting.get('sending'), waiting.get('queued')];
  expect([sending, queued].sort()).toEqual(['a@x.example', 'b@x.example']);
  const second = await run('run');
  expect(second.stdout + second.log).toMatch(/has waited for the answer of this server/);
  expect(smtp.attempts).toEqual(new Map([[sending, 1]]));
  first.child.kill('SIGKILL');
  await first.finished;
  isSilent = false;
  expect((await run('run')).code).toBe(3);
  expect(await states()).toEqual(
    new Map([
      ['unknown', sending],
      ['sent', queued],
    ]),
  );
  expect(smtp.received.map(({ to }) => to)).toEqual([queued]);
});

it('a report that is larger than the mail server takes is sent without its workbook, and says so', async () => {
  const size = { at: 'EHLO', bytes: 12_000 } as const;
  const { run, mails, listed } = await mailingJob({ size }, 'a@x.example');
  const sent = await run('run');
  expect(sent.code).toBe(0);
  expect(sent.stdout + sent.log).toMatch(
    /deliver value to a@x.example: sent without value-all.xlsx/,
  );
  expect(mails()[0]).toContain('Too large for this mail: value-all.xlsx.');
  expect(await listed()).toMatchObject([{ state: 'sent', left_out: ['value-all.xlsx'] }]);
});
