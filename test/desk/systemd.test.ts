import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { nextRunAt, scheduledCommands } from '../../src/schedule/cron-expression.ts';
import { calendarEvents } from '../../src/schedule/systemd.ts';
import { runCli, writeFiles } from '../support/cli.ts';
import { inJob, loadJobs, minimalJobs } from '../support/jobs-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);

it.each([
  { of: 'the machine', mode: [] },
  { of: 'a user', mode: ['--user'] },
])('systemd accepts the units of $of', async ({ mode }) => {
  const folder = join(await temporaryFolder(), "100% Fjord's & $HOME");
  await mkdir(folder);
  const job = '{ schedule: "0 6 13 * FRI", profiles: [acme/*], windows: { days: 9 } }';
  await writeFiles(folder, {
    'jobs.yaml': `timezone: Europe/Berlin\n${minimalJobs}  week.ly_1: ${job}\n  2: ${job}\n`,
  });
  const units = join(folder, 'units');
  const args = ['schedule', '--print', 'systemd', '--out', units, ...mode];
  const { code, stdout, stderr } = await runCli(args, { cwd: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const files = await readdir(units);
  expect(stdout.trim().split('\n').sort()).toEqual(files.map((name) => join(units, name)));
  expect(files).toHaveLength(6);
  const verified = await run(
    'systemd-analyze',
    [...['verify', '--man=no', ...mode], ...files.map((name) => join(units, name))],
    { env: { ...process.env, XDG_RUNTIME_DIR: folder } },
  );
  expect(verified.stderr).toBe('');
});

it.each([
  '15 5 * * *',
  '*/15 8-18/2 * * mon-fri',
  '7,37 */6 1,15,31 * *',
  '0 0 * JAN,jun-aug/2,12 *',
  '30 6 * * 7',
  '30 6 * * FRI-SUN',
  '0 12 * * 0-7/3',
  '59 23 29 2 *',
  '0 6 13 * FRI',
  '0 6 */10 3 1,3,5-6',
  '5 4 1-31 * 2',
  '0 4 1 */4 *,2',
])('systemd starts %s when postledger schedule does, in the job’s time zone', async (schedule) => {
  const zone = 'America/New_York';
  const config = await loadJobs(`timezone: ${zone}\n${inJob(`schedule: "${schedule}"`)}`);
  const [scheduled] = scheduledCommands(config);
  if (!scheduled) throw new Error('no job has a schedule');
  const count = 40;
  const start = new Date('2026-01-30T00:00:00Z');
  const expected: number[] = [];
  for (let at: Date | null = start; at && expected.length < count;) {
    at = nextRunAt(schedule, zone, at);
    if (at) expected.push(at.getTime());
  }
  const times = await Promise.all(
    calendarEvents(scheduled.cron, zone).map((event) => elapses(event, start, count)),
  );
  const started = [...new Set(times.flat())].sort((a, b) => a - b);
  expect(started.slice(0, count)).toEqual(expected);
});

/** Milliseconds of the event's next times, as systemd counts them. */
async function elapses(event: string, start: Date, count: number): Promise<number[]> {
  const base = `${start.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const { stdout } = await run(
    'systemd-analyze',
    ['calendar', `--base-time=${base}`, `--iterations=${count}`, event],
    { env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' } },
  );
  const found = stdout.matchAll(/(?:Next elapse|Iter\. #\d+): \w+ (\S+) (\S+) UTC/g);
  return [...found].map(([, day = '', time = '']) => Date.parse(`${day}T${time}Z`));
}
