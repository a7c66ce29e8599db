import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { writeStarterFiles } from '../../src/config/starter-files.ts';
import { windowDoubts } from '../../src/status/window-doubts.ts';
import { builtInReports, findReports } from '../../src/report/report-catalog.ts';
import { loadJobs, minimalJobs } from '../support/jobs-file.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const definitions = await findReports([builtInReports]);
const [workspaces = ''] = minimalJobs.split('jobs:');

/** @param jobs the schedule, windows and reports of each job */
async function doubtsOf(...jobs: [schedule: string, windows: string, ...reports: string[]][]) {
  const lines = jobs.map(([schedule, windows, ...reports], index) => {
    const listed = reports.map((report) => `{ out: "./{from}", ${report} }`).join(', ');
    return `  job${index}: { profiles: [acme/*], schedule: "${schedule}", windows: { ${windows} }, reports: [${listed}] }\n`;
  });
  const config = await loadJobs(`${workspaces}jobs:\n${lines.join('')}`);
  return windowDoubts(config, definitions, new ManualClock('2026-11-29T12:00:00Z'));
}

describe('windows that begin later than what is reported', () => {
  const daily = '15 5 * * *';

  it.each([
    [
      [daily, 'days: 400', 'report: overview, period: last_month'],
      'days: 400 does not reach all that is reported: overview (last_month) shows the 12 months before its period and needs up to 427 days; set days: 427 or more, or start: 2025-10-01',
    ],
    [
      ['0 6 1 * *', 'days: 365', 'report: video, period: last_month'],
      'days: 365 does not reach all that is reported: video (last_month) shows the 12 months before its period and needs up to 397 days; set days: 397 or more, or start: 2025-11-01',
    ],
    [
      [
        daily,
        'days: 90',
        'report: campaigns, period: last_90_days',
        'report: quality, period: last_90_days',
      ],
      'days: 90 does not reach all that is reported: campaigns (last_90_days) compares its period with an earlier one and needs up to 183 days, quality (last_90_days) has all days of its period and needs up to 91 days; set days: 183 or more, or start: 2026-06-03',
    ],
    [
      [daily, 'start: 2026-01-01', 'report: emv, period: last_quarter, compare: year'],
      'start: 2026-01-01 does not reach all that is reported: emv (last_quarter, compare: year) compares its period with an earlier one and needs days from 2025-07-01 on; set start: 2025-07-01',
    ],
    [
      [daily, 'start: 2025-07-01', 'report: emv, period: 2025-Q3'],
      'start: 2025-07-01 does not reach all that is reported: emv (2025-Q3) compares its period with an earlier one and needs days from 2025-04-01 on; set start: 2025-04-01',
    ],
  ] as const)(
    'are named, with what is needed and why: %j',
    async ([schedule, windows, ...reports], doubt) => {
      expect(await doubtsOf([schedule, windows, ...reports])).toEqual([
        `jobs.job0.windows: ${doubt}`,
      ]);
    },
  );

  it.each([
    ['0 6 1 * *', 'days: 400', 'report: overview, period: last_month'],
    [daily, 'days: 91', 'report: quality, period: last_90_days'],
    [daily, 'days: 91', 'report: campaigns, period: last_90_days, compare: none'],
    [daily, 'days: 7', 'report: overview, period: all'],
    [daily, 'start: 2025-10-01', 'report: overview, period: last_month'],
  ])('are not those that reach it: %s, %s, %s', async (schedule, windows, report) => {
    expect(await doubtsOf([schedule, windows, report])).toEqual([]);
  });

  it('are not those of a job whose profiles another job reads far enough', async () => {
    const report = 'report: overview, period: last_month';
    expect(await doubtsOf([daily, 'days: 30', report], [daily, 'start: 2024-01-01'])).toEqual([]);
  });

  it('are none of a new project, whatever the day', async () => {
    const file = join(await temporaryFolder(), 'jobs.yaml');
    await writeStarterFiles({ file, force: false, sandbox: false });
    const now = new Date('2027-02-27T12:00:00Z');
    const config = await loadConfig({ file, environment: {}, now });
    expect(await readFile(file, 'utf8')).toContain('days: 430');
    for (const day of ['2027-02-27', '2027-12-31', '2028-03-31', '2028-08-31'])
      expect(await windowDoubts(config, definitions, new ManualClock(`${day}T12:00:00Z`))).toEqual(
        [],
      );
  });
});
