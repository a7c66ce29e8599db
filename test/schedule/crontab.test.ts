import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { UsageError } from '../../src/core/errors.ts';
import { crontabLines } from '../../src/schedule/crontab.ts';
import { inJob, loadJobs, minimalJobs, wholeJobs } from '../support/jobs-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const now = new Date('2026-01-15T12:00:00Z');
const program = ['/usr/bin/node', '/opt/postledger/dist/cli.js'];
const options = { program, machineTimezone: 'UTC', knowsZones: true, now };

/** The same config with another path. */
function movedTo(config: Config, folder: string): Config {
  return { ...config, folder, file: join(folder, 'jobs.yaml'), dataDir: join(folder, 'data') };
}

describe('the lines for cron', () => {
  it('are one for each job with a schedule and one to catch up, with absolute paths, quiet unless it fails', async () => {
    const config = movedTo(await loadJobs(wholeJobs), '/srv/ledger');
    expect(crontabLines(config, { ...options, machineTimezone: 'Europe/Berlin' })).toEqual([
      '# The jobs of /srv/ledger/jobs.yaml, made by: postledger schedule --print crontab',
      '# Jobs without a schedule, which are left out: monthly',
      "# Times are in Europe/Berlin, which is this machine's zone.",
      '15 5 * * 1 /usr/bin/node /opt/postledger/dist/cli.js --quiet --config /srv/ledger/jobs.yaml run weekly --wait 3600',
      '*/15 * * * * /usr/bin/node /opt/postledger/dist/cli.js --quiet --config /srv/ledger/jobs.yaml catch-up',
    ]);
  });

  it('name the zone if it is not the machine’s, where cron knows zones', async () => {
    const config = await loadJobs(wholeJobs);
    const lines = crontabLines(config, { ...options, machineTimezone: 'Etc/UTC' });
    expect(lines.slice(2, -2)).toEqual([
      '# Times are in Europe/Berlin, for all lines below CRON_TZ, so keep these at the end.',
      'CRON_TZ=Europe/Berlin',
    ]);
  });

  const shifted = async (schedule: string, machineTimezone: string, timezone = 'Europe/Berlin') => {
    const config = { ...(await loadJobs(inJob(`schedule: "${schedule}"`))), timezone };
    const lines = crontabLines(config, { ...options, machineTimezone, knowsZones: false });
    return lines
      .filter((line) => line.includes(' run '))
      .map((line) => line.slice(0, line.indexOf(' /')));
  };

  it.each([
    ['15 5 * * *', 'Etc/UTC', ['15 4 * * *']],
    ['15 5 * * *', 'America/New_York', ['15 23 * * *']],
    ['30 0,6 * * 1', 'Etc/UTC', ['30 23 * * 0', '30 5 * * 1']],
    ['0,30 9-10 1 * *', 'Asia/Kolkata', ['30 13 1 * *', '0,30 14 1 * *', '0 15 1 * *']],
    ['*/30 * * * *', 'Etc/UTC', ['0,30 * * * *']],
  ])(
    '%s in Berlin is on a machine in %s, whose cron knows no zones, %j',
    async (schedule, zone, lines) => {
      expect((await shifted(schedule, zone)).sort()).toEqual([...lines].sort());
    },
  );

  it('refuse a day of the month that is another one on the machine', async () => {
    await expect(shifted('0 0 1 * *', 'Etc/UTC')).rejects.toThrow(
      'jobs.daily.schedule: on this machine it falls on another day of the month',
    );
  });

  it('start the program under any name of a folder, once cron has unescaped them', async () => {
    const folder = join(await temporaryFolder(), "100% Fjord's & Pine; $HOME");
    const config = movedTo(await loadJobs(inJob('schedule: "0 0 * * 0"')), folder);
    const script = join(await temporaryFolder(), 'print arguments.cjs');
    await writeFile(script, 'console.log(JSON.stringify(process.argv.slice(2)))');
    const line =
      crontabLines(config, { ...options, program: [process.execPath, script] }).at(-2) ?? '';
    const command = line.replace(/^0 0 \* \* 0 /, '');
    expect(command).not.toMatch(/(?<!\\)%/);
    const shell = ['-c', command.replaceAll('\\%', '%')];
    const { stdout } = await promisify(execFile)('/bin/sh', shell);
    expect(JSON.parse(stdout)).toEqual([
      '--quiet',
      '--config',
      config.file,
      'run',
      'daily',
      '--wait',
      '3600',
    ]);
  });

  it.each([
    ['0 0 * * 5-7', '0 0 * * 0,5,6'],
    ['0 0 * * fri-sun', '0 0 * * 0,5,6'],
    ['*/5 8-18/2 * JAN,mar *', '*/5 8-18/2 * JAN,mar *'],
    ['0 0 */10 * MON', '0 0 1,11,21,31 * 1'],
    ['0 0 1-31 * MON-FRI', '0 0 1-31 * 1-5'],
  ])('say %s so that every cron takes it as postledger schedule does', async (given, printed) => {
    const config = await loadJobs(inJob(`schedule: "${given}"`));
    const line = crontabLines(config, { ...options, program: ['x'] }).at(-2);
    expect(line).toBe(`${printed} x --quiet --config ${config.file} run daily --wait 3600`);
  });

  it.each(['0 0 L * *', '0 0 * * MON#1', '0 0 1W * *', '? 0 * * *', '0 0 1 * +MON'])(
    'are refused for %s, which cron cannot read',
    async (expression) => {
      const config = await loadJobs(inJob(`schedule: "${expression}"`));
      expect(() => crontabLines(config, options)).toThrow(
        new UsageError(
          `jobs.daily.schedule: other schedulers cannot read ${JSON.stringify(expression)}; use digits, * , - / and names of days and months only, or postledger schedule`,
        ),
      );
    },
  );

  it('are refused for a path that has a line break, and for a config without schedules', async () => {
    const config = await loadJobs(inJob('schedule: "0 0 * JAN-MAR mon,FRI"'));
    expect(crontabLines(config, options)).toHaveLength(4);
    expect(() => crontabLines(movedTo(config, '/a\nb'), options)).toThrow(
      /^a crontab cannot contain a path with a line break: /,
    );
    expect(() => crontabLines({ ...config, jobs: new Map() }, options)).toThrow(UsageError);
    const byHand = await loadJobs(minimalJobs);
    expect(() => crontabLines(byHand, options)).toThrow(/has a schedule; add one/);
  });
});
