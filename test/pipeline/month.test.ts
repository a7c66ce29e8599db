import { cp, mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registerCatchUp } from '../../src/commands/catch-up.ts';
import { registerDeliver } from '../../src/commands/deliver.ts';
import { registerRun } from '../../src/commands/run.ts';
import { writeFiles } from '../support/cli.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { decodeQuotedPrintable } from '../support/mail-text.ts';
import { startPlainService } from '../support/plain-service.ts';
import { startSmtpServer, type SmtpBehaviour } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { TimedCli } from '../support/timed-cli.ts';
import { valueReport } from '../support/value-report.ts';

/** A job that mails October to a client in Los Angeles and to one in Berlin. */
const months = `
    schedule: "0 7 1 * *"
    reports: [{ report: value, for: [west, east], period: last_month, formats: [md], deliver: [{ mail: client }] }]`;

/** The times of the tests are those of Berlin: 07:00 on 1 November is 06:00 in UTC. */
const october = '2026-11-01T06:00:00.200Z';

interface Agency {
  /** The keys of the job `monthly`, from a line of its own on. */
  readonly job?: string;
  readonly more?: string;
  readonly smtp?: SmtpBehaviour;
}

/** An agency in Berlin whose clients have a profile each. */
async function agency({ job = months, more = '', smtp: behaviour = {} }: Agency = {}) {
  const post = (id: number, day: string) => analyticsRecord(id, day, { emv: 100 * id });
  const service = await startPlainService({
    analytics: new Map([
      [uuid(900), [post(1, '2026-10-05'), post(2, '2026-11-05'), post(3, '2026-09-05')]],
      [uuid(901), [post(4, '2026-10-06'), post(5, '2026-09-06')]],
    ]),
  });
  const smtp = await startSmtpServer(behaviour);
  const folder = await temporaryFolder();
  const set = (change: Agency) =>
    writeFiles(folder, {
      'jobs.yaml': `timezone: Europe/Berlin
mail: { host: 127.0.0.1, port: ${smtp.port}, tls: off, from: r@nord.example }
workspaces:
  w:
    base_url: "${service.url}"
    api_key: \${KEY}
    profiles: [{ id: ${uuid(900)}, name: East }, { id: ${uuid(901)}, name: West }]
clients:
  east: { name: East AG, profiles: [w/East], to: [east@x.example] }
  west: { name: West Inc, profiles: [w/West], timezone: America/Los_Angeles, to: [west@x.example] }
jobs:
  monthly:
    profiles: [w/*]
    windows: { start: 2026-09-01, size_days: 15 }
    details: false${change.job ?? job}
${change.more ?? more}`,
    });
  await writeFiles(folder, valueReport);
  await set({});
  const cli = new TimedCli(folder, (program, invoke) => {
    for (const register of [registerRun, registerCatchUp, registerDeliver])
      register(program, invoke);
  });
  const run = (line: string, at?: string) => cli.run(line.split(' '), at);
  const subjects = () =>
    smtp.received.map(({ to, message }) => `${to}: ${/^Subject: (.*)\r$/m.exec(message)?.[1]}`);
  const listed = async () =>
    JSON.parse((await run('deliver list --all --json')).stdout) as {
      id: string;
      state: string;
      recipient: string;
      from: string;
      to: string;
      reason: string | null;
    }[];
  return { folder, service, smtp, set, run, subjects, listed };
}

const eastOctober = 'east@x.example: East AG: Value, October 2026';
const westOctober = 'west@x.example: West Inc: Value, October 2026';

describe('the period of a scheduled report', () => {
  it('is that of the job’s clock for clients of every zone, and is held until its last day is over and read there', async () => {
    const { run, subjects, listed } = await agency();
    const first = await run('run monthly', october);
    expect(first.code).toBe(0);
    expect(subjects()).toEqual([eastOctober]);
    const held = (await listed()).filter(({ state }) => state === 'held');
    expect(held).toMatchObject([
      { recipient: 'west@x.example', from: '2026-10-01', to: '2026-10-31' },
    ]);
    expect((await run('catch-up', '2026-11-01T06:45:00Z')).stdout).toBe('');
    const later = await run('catch-up', '2026-11-01T07:15:00Z');
    expect(later.code).toBe(0);
    expect(subjects()).toEqual([eastOctober, westOctober]);
    expect(await run('catch-up', '2026-11-01T07:30:00Z')).toMatchObject({
      code: 0,
      stdout: '',
      log: '',
    });
  });
});

describe('a mail of a closed period', () => {
  it('is sent once, by hand before its time, at its time, and by a job that runs every day', async () => {
    const { run, set, subjects } = await agency();
    const east = (rest: string) =>
      `\n    schedule: "${rest}\n    reports: [{ report: value, for: [east], period: last_month, formats: [md], deliver: [{ mail: client }] }]`;
    await set({ job: east('0 7 1 * *"') });
    await run('run monthly', '2026-10-05T05:00:00Z');
    await run('run monthly', '2026-11-01T05:30:00Z');
    await run('deliver send monthly', '2026-11-01T05:31:00Z');
    await run('run monthly', october);
    await set({ job: east('15 5 * * *"') });
    await run('run monthly', '2026-11-02T06:00:00Z');
    await set({ job: east('15 5 * * *"').replace(/\n {4}schedule.*/, '') });
    await run('run monthly', '2026-11-03T06:00:00Z');
    expect(subjects()).toEqual(['east@x.example: East AG: Value, September 2026', eastOctober]);
  });

  it('is not sent again for another attachment, hold or body, but for another price or under a name', async () => {
    const { run, set, subjects } = await agency();
    const with_ = (report: string, delivery: string) =>
      `\n    reports: [{ report: value, for: [east], period: last_month, formats: [md, html], ${report}deliver: [{ mail: client${delivery} }] }]`;
    const next = async (report: string, delivery: string) => {
      await set({ job: with_(report, delivery) });
      const { code } = await run('run monthly', '2026-11-02T06:00:00Z');
      return [code, subjects().length];
    };
    expect(await next('', ', attach: [html]')).toEqual([0, 1]);
    for (const same of [
      '',
      ', hold: true',
      ', subject: "Other"',
      ', file: other',
      ', if_empty: skip',
    ])
      expect(await next('', same)).toEqual([0, 1]);
    expect(await next('out: "./x/{client}", ', '')).toEqual([0, 1]);
    expect(await next('cpm: 99, ', '')).toEqual([0, 2]);
    expect(await next('cpm: 99, ', ', name: again')).toEqual([0, 3]);
  });

  it('that waits for approval goes out when hold is taken away', async () => {
    const { run, set, subjects } = await agency();
    const with_ = (hold: string) =>
      `\n    reports: [{ report: value, for: [east], period: last_month, formats: [md], deliver: [{ mail: client${hold} }] }]`;
    await set({ job: with_(', hold: true') });
    expect((await run('run monthly', '2026-11-02T06:00:00Z')).code).toBe(0);
    expect(subjects()).toEqual([]);
    await set({ job: with_('') });
    await run('run monthly', '2026-11-02T07:00:00Z');
    expect(subjects()).toEqual([eastOctober]);
  });
});

it('a report of an open period is sent once a slot, and once for a time that comes twice in a night', async () => {
  const job = `
    schedule: "30 2,14 * * *"
    reports: [{ report: value, for: [east], period: all, formats: [md], deliver: [{ mail: client }] }]`;
  const { run, smtp } = await agency({ job });
  const counts: number[] = [];
  for (const at of ['T00:30:01Z', 'T00:31:00Z', 'T01:30:01Z', 'T13:30:01Z']) {
    await run('run monthly', `2026-10-25${at}`);
    counts.push(smtp.received.length);
  }
  expect(counts).toEqual([1, 1, 1, 2]);
});

it('a mail server that defers for some minutes has the mail from catch-up', async () => {
  let isBusy = true;
  const { run, subjects } = await agency({ smtp: { refuse: () => (isBusy ? 451 : null) } });
  await run('run monthly', '2026-11-01T08:00:00Z');
  expect(subjects()).toEqual([]);
  expect((await run('catch-up', '2026-11-01T08:15:00Z')).code).toBe(3);
  isBusy = false;
  expect((await run('catch-up', '2026-11-01T08:30:00Z')).code).toBe(0);
  expect(subjects().sort()).toEqual([eastOctober, westOctober]);
  expect(await run('catch-up', '2026-11-01T08:45:00Z')).toMatchObject({ stdout: '', log: '' });
});

it('a held month stays until it is read, however many slots pass, and goes out beside the later ones', async () => {
  const { run, service, subjects, listed } = await agency();
  service.answer('/analytics/', { status: 500, body: '{}' });
  expect((await run('run monthly', '2026-11-01T08:30:00Z')).code).toBe(3);
  expect((await run('run monthly', '2026-12-01T08:30:00Z')).code).toBe(3);
  expect(subjects()).toEqual([]);
  expect((await listed()).map(({ state, to }) => `${state} ${to}`).sort()).toEqual(
    ['2026-10-31', '2026-10-31', '2026-11-30', '2026-11-30'].map((to) => `held ${to}`),
  );
  service.answer('/analytics/', null);
  expect((await run('catch-up', '2026-12-01T09:00:00Z')).code).toBe(0);
  expect(subjects().sort()).toEqual(
    [eastOctober, westOctober]
      .flatMap((each) => [each.replace('October', 'November'), each])
      .sort(),
  );
});

describe('what is held for approval', () => {
  const held = `
    reports: [{ report: value, for: [east], period: last_month, formats: [md], deliver: [{ mail: client, hold: true, body: ./notes.md }] }]`;

  it('is rendered from the files of the moment when it is looked at and approved', async () => {
    const { folder, run, smtp, listed } = await agency({ job: held });
    await writeFiles(folder, { 'notes.md': 'First words.' });
    await run('run monthly', '2026-11-02T06:00:00Z');
    const [{ id } = { id: '' }] = await listed();
    await writeFiles(folder, { 'notes.md': 'Second words.' });
    const shown = await run(`deliver preview ${id.slice(11, 15)} --out ${folder}/look`);
    expect(shown.stdout).toContain(`${folder}/look/${id}/mail.html\n`);
    expect(await readFile(join(folder, 'look', id, 'mail.html'), 'utf8')).toContain(
      'Second words.',
    );
    expect(smtp.received).toEqual([]);
    await writeFiles(folder, { 'notes.md': 'Third words.' });
    expect((await run('deliver approve --all --job monthly')).code).toBe(0);
    const [mail] = smtp.received;
    expect(decodeQuotedPrintable(mail?.message ?? '')).toContain('Third words.');
    await run('run monthly');
    expect(smtp.received).toHaveLength(1);
  });

  it('is made again by deliver send once it was discarded, which asks', async () => {
    const { folder, run, smtp, listed } = await agency({ job: held });
    await writeFiles(folder, { 'notes.md': 'Words.' });
    await run('run monthly', '2026-11-02T06:00:00Z');
    const [{ id } = { id: '' }] = await listed();
    await run(`deliver discard ${id}`);
    await run('run monthly');
    expect(await listed()).toMatchObject([{ id, state: 'discarded' }]);
    const unasked = await run('deliver send monthly');
    expect(unasked.code).toBe(2);
    expect(unasked.log).toContain('to send it after all, add --yes');
    await run('deliver send monthly --yes');
    expect(await listed()).toMatchObject([{ id, state: 'held' }]);
    await run(`deliver approve ${id}`);
    expect(await listed()).toMatchObject([{ id, state: 'sent' }]);
    expect(smtp.received).toHaveLength(1);
  });
});

describe('a data folder that is restored', () => {
  const restore = async (folder: string, kept: readonly string[]) => {
    const { dataDir, backup } = { dataDir: join(folder, 'data'), backup: join(folder, 'backup') };
    await rename(dataDir, backup);
    for (const name of kept) await cp(join(backup, name), join(dataDir, name), { recursive: true });
  };

  it('with the records of what was sent sends nothing again', async () => {
    const { folder, run, smtp } = await agency();
    await run('run monthly', '2026-11-01T08:00:00Z');
    await restore(folder, ['raw', 'deliveries.jsonl']);
    expect((await run('run monthly', '2026-11-01T09:00:00Z')).code).toBe(0);
    expect(smtp.received).toHaveLength(2);
  });

  it('without them holds what may have been sent, says so, and sends the next month', async () => {
    const { folder, run, smtp, subjects, listed } = await agency();
    await run('run monthly', '2026-11-01T08:00:00Z');
    await restore(folder, ['raw']);
    const again = await run('run monthly', '2026-11-01T09:00:00Z');
    expect(again.code).toBe(3);
    expect(again.log).toContain('no deliveries.jsonl, which says what was sent');
    expect((await listed()).map(({ state }) => state)).toEqual(['held', 'held']);
    expect(smtp.received).toHaveLength(2);
    await run('run monthly', '2026-12-01T08:30:00Z');
    expect(subjects().slice(2).sort()).toEqual(
      [eastOctober, westOctober].map((each) => each.replace('October', 'November')),
    );
  });
});

it('an outbox of an earlier version is listed as it is, and what was sent or waits is not sent twice', async () => {
  const { folder, run, smtp, listed } = await agency();
  await run('run monthly', '2026-11-01T08:00:00Z');
  const outbox = join(folder, 'data/outbox');
  await rm(join(folder, 'data/deliveries.jsonl'));
  // it named folders by more of jobs.yaml, kept what waits in the outbox itself, and sent deliveries in `records`
  const [sent = '', waits = ''] = await readdir(join(outbox, 'done'));
  const asBefore = async (id: string, place: string, state: object) => {
    const path = join(outbox, place, `2026-11-01-${'0'.repeat(19)}${place.length}`);
    await mkdir(join(outbox, place), { recursive: true });
    await rename(join(outbox, 'done', id), path);
    const delivery = JSON.parse(await readFile(join(path, 'delivery.json'), 'utf8')) as object;
    const record = { ...delivery, id: basename(path), definition: 'other', is_closed: undefined };
    await writeFiles(path, {
      'delivery.json': JSON.stringify(record),
      'state.json': JSON.stringify({ changed_at: '', attempts: 0, reason: null, ...state }),
    });
  };
  await asBefore(sent, 'records', { state: 'sent' });
  await asBefore(waits, '.', { state: 'queued' });
  expect((await listed()).map(({ state }) => state).sort()).toEqual(['queued', 'sent']);
  const received = smtp.received.length;
  await run('deliver send monthly', '2026-11-01T09:00:00Z');
  await run('run monthly', '2026-11-01T09:30:00Z');
  expect(smtp.received).toHaveLength(received + 1);
  expect((await listed()).map(({ state }) => state).sort()).toEqual(['discarded', 'sent', 'sent']);
});
