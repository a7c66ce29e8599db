import { describe, expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { jobFolder } from '../support/job-folder.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { failure, startPlainService } from '../support/plain-service.ts';

const today = dayOf(new Date(), 'UTC');
const recently = addDays(today, -2);
const twoProfiles = [
  { name: 'Acme', number: 900 },
  { name: 'Other', number: 901 },
];
const twoWindows = '{ days: 60, size_days: 60, refresh_days: 10 }';

async function twoProfileService() {
  return startPlainService({
    analytics: new Map([
      [uuid(900), [analyticsRecord(1, recently)]],
      [uuid(901), [analyticsRecord(2, recently)]],
    ]),
  });
}

describe('a run in which something fails', () => {
  it('continues after refused profiles and date ranges, exits 3, and reads them at once in the next run', async () => {
    const refused: [number, number, string, string][] = [
      [901, 403, 'FORBIDDEN', 'Engagement profiles have no analytics'],
      [902, 404, 'NOT_FOUND', 'Profile not found'],
      [903, 400, 'BAD_REQUEST', 'Bad Request'],
    ];
    const numbers = [900, ...refused.map(([number]) => number)];
    const service = await startPlainService({
      analytics: new Map(numbers.map((n) => [uuid(n), [analyticsRecord(n - 899, recently)]])),
    });
    const profiles = numbers.map((number) => ({ name: `P${number}`, number }));
    const job = await jobFolder({ url: service.url, profiles, windows: twoWindows });
    for (const [number, ...told] of refused) service.answer(uuid(number), failure(...told));

    const first = await job.run('run');
    expect(first.code).toBe(3);
    for (const [number, , , text] of refused) {
      expect(first.stderr).toContain(`acme/P${number}`);
      expect(first.stderr).toContain(text);
    }
    expect(await job.query('select linkedin_post_id from linkedin_posts')).toEqual([
      { linkedin_post_id: uuid(1) },
    ]);
    expect(
      await job.query('select distinct profile_id, status from extract_windows order by all'),
    ).toMatchObject(['succeeded', 'failed', 'failed', 'failed'].map((status) => ({ status })));

    for (const [number] of refused) service.answer(uuid(number), null);
    expect((await job.run('run')).code).toBe(0);
    expect(await job.query('select count(*) as n from linkedin_posts')).toEqual([{ n: 4 }]);
  });

  it('prints nothing with --quiet on success, and the failures otherwise', async () => {
    const service = await twoProfileService();
    const job = await jobFolder({ url: service.url, profiles: twoProfiles, windows: twoWindows });
    expect(await job.run('run', '--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    service.answer(uuid(901), failure(404, 'NOT_FOUND', 'Profile not found'));
    const second = await job.run('run', '--quiet');
    expect(second.code).toBe(3);
    expect(second.stdout).toContain('Profile not found');
  });

  it('spends few requests on a refused key and exits 3', async () => {
    const service = await twoProfileService();
    const job = await jobFolder({
      url: service.url,
      profiles: twoProfiles,
      key: 'wrong-key-value',
      windows: '{ days: 700, size_days: 30, refresh_days: 10 }',
    });
    const { code, stderr } = await job.run('run');
    expect(code).toBe(3);
    expect(stderr).toContain('Invalid or unauthorized API key');
    expect(stderr).not.toContain('wrong-key-value');
    expect(service.requests.length).toBeLessThanOrEqual(4);
  });

  it.each([
    [['\u001b[2J']],
    [['plan', '--from', '\u001b]0;x\u0007']],
    [['status', '--\u001b[31m']],
  ])('names what is wrong with %j without terminal control sequences', async (args) => {
    const job = await jobFolder({ url: 'http://127.0.0.1:1/api/v1' });
    const { code, stderr } = await job.run(...args);
    expect(code).toBe(2);
    expect(stderr).toContain('error: ');
    expect(stderr.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('distinguishes wrong usage from wrong config, with exit 2 for both', async () => {
    const service = await twoProfileService();
    const job = await jobFolder({ url: service.url });
    const unknownJob = await job.run('run', 'dayly');
    expect(unknownJob.code).toBe(2);
    expect(unknownJob.stderr).toContain('daily');
    const unknownFlag = await job.run('run', '--fulll');
    expect(unknownFlag.code).toBe(2);
    expect(service.requests).toEqual([]);
  });
});
