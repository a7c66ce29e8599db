import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/core/calendar.ts';
import { agency } from '../support/agency.ts';
import { analyticsRecord } from '../support/made-records.ts';
import type { CannedAnswer, PlainService } from '../support/plain-service.ts';

const firstOfNovember = '2026-11-01T06:00:00Z';

/** An agency in Berlin that mails October of a profile with a post on each day from 1 September on. */
async function month({ windows = 'start: 2026-09-01, size_days: 30, refresh_days: 30' } = {}) {
  const records = Array.from({ length: 75 }, (_, index) =>
    analyticsRecord(index + 1, addDays('2026-09-01', index)),
  );
  const site = await agency({
    posts: [records, []],
    reads: 'w/East',
    workspace:
      '    rate_limit: { requests: 1000, per_seconds: 1 }\n    concurrency: 1\n    timeout_seconds: 2\n',
    windows,
    job: `
    schedule: "0 7 1 * *"
    reports: [{ report: value, for: [east], period: last_month, formats: [md], deliver: [{ mail: client }] }]`,
  });
  const states = async () => (await site.listed()).map(({ state }) => state);
  return { ...site, records, states };
}

/** The dates that the service was asked for, in order, and how it answered. */
function asked({ requests }: PlainService): string[] {
  return requests.map(
    ({ path, status }) => `${datesOf(new URL(path, 'http://service')).join('..')} ${status}`,
  );
}

const list = (records: readonly object[]): CannedAnswer => ({
  status: 200,
  body: JSON.stringify(records),
});

const datesOf = ({ searchParams }: URL) => [
  searchParams.get('startDate') ?? '',
  searchParams.get('endDate') ?? '',
];

const octoberPosts =
  "select count(*)::integer as n from post_performance where published_at::date between '2026-10-01' and '2026-10-31'";

const days = (url: URL) => {
  const [start = '', end = ''] = datesOf(url);
  return (Date.parse(end) - Date.parse(start)) / 86_400_000 + 1;
};
const gatewayTimeout: CannedAnswer = { status: 504, body: '' };

describe('a range that fails', () => {
  it('is asked for again in halves, in which it is read from then on, and tried whole after a week', async () => {
    const { service, run, mails } = await month();
    service.respond = (url) => (days(url) > 20 ? gatewayTimeout : null);
    const first = await run('run monthly', firstOfNovember);
    expect(first.code).toBe(0);
    expect(mails()[0]).not.toContain('Incomplete');
    expect(
      asked(service)
        .filter((each) => each.endsWith('200'))
        .sort(),
    ).toEqual([
      '2026-08-31..2026-09-16 200',
      '2026-09-16..2026-10-01 200',
      '2026-10-01..2026-10-16 200',
      '2026-10-16..2026-10-31 200',
      '2026-10-31..2026-11-02 200',
    ]);
    service.requests.length = 0;
    expect((await run('run monthly --no-reports', '2026-11-03T06:00:00Z')).code).toBe(0);
    expect(asked(service)).toEqual([
      '2026-10-31..2026-11-04 200',
      '2026-10-16..2026-10-31 200',
      '2026-10-01..2026-10-16 200',
    ]);
    service.requests.length = 0;
    expect((await run('run monthly --no-reports', '2026-11-08T06:30:00Z')).code).toBe(0);
    expect(asked(service).slice(0, 2)).toEqual([
      '2026-10-31..2026-11-09 200',
      '2026-10-01..2026-10-31 504',
    ]);
    service.respond = null;
    service.requests.length = 0;
    expect((await run('run monthly --full --no-reports', '2026-11-08T07:00:00Z')).code).toBe(0);
    expect(asked(service)).toEqual([
      '2026-10-31..2026-11-09 200',
      '2026-10-01..2026-10-31 200',
      '2026-08-31..2026-10-01 200',
    ]);
  });

  it('loses the days alone that fail, which are not searched for again on every run', async () => {
    const { service, run, query, states } = await month();
    service.respond = (url) => {
      const [start = '', end = ''] = datesOf(url);
      return start <= '2026-10-15' && end >= '2026-10-15' ? { status: 500, body: '' } : null;
    };
    const first = await run('run monthly', firstOfNovember);
    expect(first.code).toBe(3);
    expect(await query(octoberPosts)).toEqual([{ n: 30 }]);
    expect(await states()).toEqual(['held']);
    expect(first.stdout).toContain('w/East 2026-10-15 to 2026-10-15');
    service.requests.length = 0;
    await run('run monthly --no-reports', '2026-11-02T06:00:00Z');
    // the days before and with it, one attempt each
    expect(asked(service).filter((each) => each.endsWith('500'))).toEqual([
      '2026-10-15..2026-10-16 500',
      '2026-10-14..2026-10-15 500',
    ]);
    service.respond = null;
    expect((await run('catch-up', '2026-11-03T09:00:00Z')).code).toBe(0);
    expect(await states()).toEqual(['sent']);
    expect(await query(octoberPosts)).toEqual([{ n: 31 }]);
  });

  it('is not hidden by five in a row, and a service that is down gets one more request', async () => {
    const { service, run, query } = await month({
      windows: 'start: 2026-05-01, size_days: 15',
    });
    service.respond = (url) => (days(url) > 10 ? gatewayTimeout : null);
    await run('run monthly --no-reports', firstOfNovember);
    expect(await query(octoberPosts)).toEqual([{ n: 31 }]);
    const down = await month({ windows: 'start: 2026-05-01, size_days: 15' });
    down.service.respond = () => gatewayTimeout;
    expect((await down.run('run monthly --no-reports', firstOfNovember)).code).toBe(3);
    // five windows with five attempts, and two days with one
    expect(down.service.requests).toHaveLength(26);
    expect(asked(down.service).at(-1)).toBe('2026-10-31..2026-11-02 504');
  });
});

describe('the end of a range', () => {
  it('may be the midnight before its last date: nothing is lost, also in windows of a day', async () => {
    for (const size of [30, 1]) {
      const { service, run, records, mails, query } = await month({
        windows: `start: 2026-09-25, size_days: ${size}`,
      });
      service.respond = (url) => {
        const [start = '', end = ''] = datesOf(url);
        return list(
          records.filter(({ publishedAt: at }) => String(at) >= start && String(at) < end),
        );
      };
      expect((await run('run monthly', firstOfNovember)).code).toBe(0);
      expect(await query(octoberPosts)).toEqual([{ n: 31 }]);
      expect(mails()[0]).not.toContain('Incomplete');
    }
  });

  it('is today for a service that refuses dates to come, which is remembered until a full run', async () => {
    const { service, run, mails } = await month();
    service.respond = (url) =>
      (datesOf(url)[1] ?? '') > '2026-11-03'
        ? { status: 422, body: '{"message":"endDate is in the future"}' }
        : null;
    expect((await run('run monthly', '2026-11-03T06:00:00Z')).code).toBe(0);
    expect(asked(service).slice(0, 2)).toEqual([
      '2026-10-31..2026-11-04 422',
      '2026-10-31..2026-11-03 200',
    ]);
    expect(mails()).toHaveLength(1);
    service.requests.length = 0;
    await run('run monthly --no-reports', '2026-11-03T18:00:00Z');
    expect(asked(service)[0]).toBe('2026-10-31..2026-11-03 200');
    service.requests.length = 0;
    service.respond = null;
    await run('run monthly --full --no-reports', '2026-11-03T19:00:00Z');
    expect(asked(service)[0]).toBe('2026-10-31..2026-11-04 200');
    service.requests.length = 0;
    await run('run monthly --no-reports', '2026-11-04T06:00:00Z');
    expect(asked(service)[0]).toBe('2026-10-31..2026-11-05 200');
  });
});

describe('a round number of posts', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      analyticsRecord(1000 + index, addDays('2026-10-01', index % 30)),
    );

  it('is compared with its halves once, behind ranges that overlap by a day, and leaves no day unread', async () => {
    const { service, records, run, mails, query } = await month();
    records.splice(0, Infinity, ...many(100));
    expect((await run('run monthly', firstOfNovember)).code).toBe(0);
    expect(mails()).toEqual([expect.not.stringContaining('Incomplete')]);
    expect(asked(service)).toEqual([
      // the newest goes to tomorrow
      '2026-10-31..2026-11-02 200',
      '2026-10-01..2026-10-31 200',
      '2026-08-31..2026-10-01 200',
      '2026-10-16..2026-10-31 200',
      '2026-10-01..2026-10-16 200',
    ]);
    expect(await query(octoberPosts)).toEqual([{ n: 100 }]);
    expect(
      await query('select distinct status, end_date - last_day as beyond from extract_windows'),
    ).toEqual([{ status: 'succeeded', beyond: 1 }]);
    service.requests.length = 0;
    await run('run monthly --no-reports', '2026-11-02T06:00:00Z');
    expect(asked(service)).toEqual(['2026-10-31..2026-11-03 200', '2026-10-01..2026-10-31 200']);
  });

  it('is read in parts where these have more', async () => {
    const { service, records, run, query } = await month();
    records.splice(0, Infinity, ...many(150));
    service.cap = 100;
    const first = await run('run monthly', firstOfNovember);
    expect(first.stdout).toContain('50 more were in its parts');
    expect(await query(octoberPosts)).toEqual([{ n: 150 }]);
    service.requests.length = 0;
    await run('run monthly --no-reports', '2026-11-02T06:00:00Z');
    expect(asked(service)).toEqual([
      '2026-10-31..2026-11-03 200',
      '2026-10-16..2026-10-31 200',
      '2026-10-01..2026-10-16 200',
    ]);
    service.requests.length = 0;
    await run('run monthly --no-reports', '2026-11-09T06:30:00Z');
    expect(asked(service)).toEqual([
      '2026-10-31..2026-11-10 200',
      '2026-10-01..2026-10-31 200',
      '2026-10-16..2026-10-31 200',
      '2026-10-01..2026-10-16 200',
    ]);
    expect(
      await query(
        'select count(*)::integer as n from linkedin_posts where absent_since is not null',
      ),
    ).toEqual([{ n: 0 }]);
  });
});
