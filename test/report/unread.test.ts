import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { writeReport } from '../../src/output/report-files.ts';
import { renderTerminalReport } from '../../src/render/terminal-report.ts';
import { builtInReports, readReport } from '../../src/report/report-catalog.ts';
import { allPosts, type ReportParameters } from '../../src/report/report-parameters.ts';
import { openReportSession } from '../../src/report/report-session.ts';
import { expectRows } from '../reports/support/document-figures.ts';
import { buildOf, narrowed } from '../reports/support/built-report.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { build } from './support/built-report.ts';
import { reportConfig, sharedWarehouse, type WarehouseRows } from './support/report-warehouse.ts';

const profiles = [
  { profile_id: 'p1', name: 'Fjord' },
  { profile_id: 'p2', name: 'Halden' },
  { workspace: 'beta', profile_id: 'p1', name: 'Fjord' },
];

/** An answer that has read these days: its dates are a day more at each end. */
function window(profile_id: string, days: [string, string], changes: Record<string, unknown> = {}) {
  const [first, last] = days;
  return { profile_id, start_date: addDays(first, -1), end_date: addDays(last, 1), ...changes };
}

const laterOn = { run_id: 'r2', fetched_at: '2026-01-06T05:00:00Z' };
const failed = { ...laterOn, status: 'failed', http_status: 404 };

/** The report’s sentences about unread days, on the day of the newest answer. */
async function said(
  extract_windows: WarehouseRows['extract_windows'],
  parameters: Partial<ReportParameters> = {},
  rows: WarehouseRows = {},
) {
  const all = { profiles: profiles.slice(0, 2), extract_windows: extract_windows ?? [], ...rows };
  const { headline, caveats } = await build({ rows: all, parameters });
  return { headline, caveats };
}

describe('profiles', () => {
  test('that were never read are named, with their workspace where two share a name', async () => {
    const read = window('p2', ['2025-12-01', '2026-01-06'], laterOn);
    const wrong = window('p1', ['2025-12-01', '2026-01-06'], failed);
    const period = { from: '2025-12-01', to: '2025-12-31' };
    expect(await said([read, wrong], period, { profiles })).toEqual({
      headline:
        'Incomplete: acme/Fjord, beta/Fjord were not read from 1 December 2025 to 31 December 2025.',
      caveats: ['Never read: acme/Fjord, beta/Fjord'],
    });
  });

  test('are named with the day of their newest reading when the newest run read nothing of them', async () => {
    const days: [string, string] = ['2025-12-01', '2026-01-06'];
    const windows = [
      window('p1', days),
      window('p1', days, failed),
      window('p2', days, laterOn),
      window('p2', ['2025-11-01', '2025-11-30'], { ...failed, fetched_at: '2026-01-06T05:00:01Z' }),
    ];
    expect(await said(windows, { from: '2025-12-01', to: null })).toEqual({
      headline: 'Incomplete: Fjord was not read from 4 January 2026 to 5 January 2026.',
      caveats: [
        'Not read since 4 January 2026: Fjord',
        'Not read: 4 January 2026 to 5 January 2026 of Fjord',
      ],
    });
  });

  test('are also named when their workspace refused a later run before reaching them', async () => {
    const windows = [
      window('p1', ['2025-12-01', '2026-01-06']),
      window('p2', ['2025-12-01', '2026-01-06'], { ...failed, http_status: 401 }),
    ];
    const run_parts = [{ run_id: 'r2', status: 'failed' }];
    expect((await said(windows, {}, { run_parts })).caveats).toContain(
      'Not read since 4 January 2026: Fjord',
    );
  });
});

describe('days', () => {
  const windows = ['p1', 'p2'].flatMap((profile) => [
    window(profile, ['2025-11-01', '2025-11-30']),
    window(profile, ['2025-12-11', '2026-01-04']),
  ]);

  test('of the period before and between the windows are named, but no future ones', async () => {
    expect(await said(windows, { from: '2025-01-01', to: '2026-01-31' })).toEqual({
      headline:
        'Incomplete: Fjord, Halden were not read on some days from 1 January 2025 to 10 December 2025.',
      caveats: [
        'Not read: 1 January 2025 to 31 October 2025',
        'Not read: 1 December 2025 to 10 December 2025',
      ],
    });
    const alone = { compare: 'none' as const };
    expect(await said(windows, { from: '2025-11-05', to: '2025-11-20', ...alone })).toEqual({
      headline: null,
      caveats: [],
    });
  });

  test('that were read before they were over count as not read', async () => {
    const early = ['p1', 'p2'].map((profile) => window(profile, ['2026-01-01', '2026-01-04']));
    const late = window('p2', ['2026-01-04', '2026-01-05'], laterOn);
    expect(await said([...early, late], { from: '2026-01-01', to: '2026-01-04' })).toEqual({
      headline: 'Incomplete: Fjord was not read on 4 January 2026 after the day was over.',
      caveats: ['Not read after the day was over: 4 January 2026 of Fjord'],
    });
  });

  test('of an open period are those that jobs ask for, up to yesterday', async () => {
    const rows = { profiles: profiles.slice(0, 1), extract_windows: windows.slice(0, 1) };
    const config = { firstAskedDays: new Map([['acme/p1', '2025-10-30']]), today: '2025-12-03' };
    const { headline, lede } = await buildOf(rows, 'emv', { only: ['_lede'], config });
    expect(headline).toBe(
      'Incomplete: Fjord was not read on some days from 30 October 2025 to 2 December 2025.',
    );
    expect(lede).toBe(`${headline ?? ''} No posts are known yet.`);
  });

  test('are all missing if nothing was read of the period, which is not called empty', async () => {
    const rows = { profiles: profiles.slice(0, 1), extract_windows: windows.slice(0, 1) };
    const parameters = { from: '2025-06-01', to: '2025-06-30' };
    const only = ['_lede', 'by_type', 'by_profile'];
    const { lede, sections } = await buildOf(rows, 'emv', { only, parameters });
    expect(lede).toBe('Nothing has been read for this period yet.');
    expect(sections.filter(({ finding }) => finding !== null)).toEqual([]);
  });
});

describe('a day is read when each date that can hold its instants was read after its end', () => {
  const october: [string, string] = ['2025-10-20', '2025-10-31'];
  const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];

  test('in any zone and whatever the answers, by a comparison with each day of each profile', async () => {
    const days = Array.from({ length: 12 }, (_, index) => addDays(october[0], index));
    const anyAnswer = fc
      .record({
        start: fc.integer({ min: -2, max: 13 }),
        length: fc.nat(8),
        hour: fc.integer({ min: 0, max: 15 * 24 }),
        isRead: fc.boolean(),
      })
      .map(({ start, length, hour, isRead }) => ({
        start_date: addDays(october[0], start),
        end_date: addDays(october[0], start + length),
        fetched_at: new Date(Date.parse(october[0]) + hour * 3_600_000).toISOString(),
        status: isRead ? 'succeeded' : 'failed',
      }));
    const worlds = fc.sample(fc.array(anyAnswer, { maxLength: 9 }), { numRuns: 150, seed: 7 });
    const warehouse = await sharedWarehouse({
      profiles: worlds.map((_, index) => ({ profile_id: `p${index}`, name: `p${index}` })),
      extract_windows: worlds.flatMap((answers, world) =>
        answers.map((answer, run) => ({ profile_id: `p${world}`, run_id: `r${run}`, ...answer })),
      ),
    });
    for (const timezone of zones) {
      const isRead = (answers: (typeof worlds)[number], day: string) =>
        [-1, 0, 1].every((offset) =>
          answers.some(
            ({ start_date, end_date, fetched_at, status }) =>
              status === 'succeeded' &&
              start_date <= addDays(day, offset) &&
              end_date >= addDays(day, offset) &&
              day < dayOf(new Date(fetched_at), timezone),
          ),
        );
      const expected = worlds.flatMap((answers, world) =>
        days.filter((day) => !isRead(answers, day)).map((day) => `p${world} ${day}`),
      );
      const session = await openReportSession(
        reportConfig(warehouse, { timezone, today: '2025-11-09' }),
        { ...allPosts, from: october[0], to: october[1], compare: 'none' },
      );
      session.close();
      const found = session.unreadDays.flatMap(({ profile, first_day, last_day }) =>
        days.filter((day) => day >= first_day && day <= last_day).map((day) => `${profile} ${day}`),
      );
      expect(found.toSorted(), timezone).toEqual(expected.toSorted());
    }
  });
});

test('a report says it in every format', async () => {
  const folder = await temporaryFolder();
  const warehouse = await sharedWarehouse({
    profiles: profiles.slice(0, 1),
    extract_windows: [window('p1', ['2025-12-01', '2025-12-20'])],
  });
  const parameters = { ...allPosts, from: '2025-12-01', to: '2025-12-31' };
  const session = await openReportSession(reportConfig(warehouse), parameters, { folder });
  onTestFinished(() => session.close());
  const sentence = 'Incomplete: Fjord was not read from 21 December 2025 to 31 December 2025.';
  const definition = narrowed(await readReport(builtInReports, 'emv'), ['summary']);
  const formats = ['csv', 'json', 'md', 'html', 'xlsx'] as const;
  const { document } = await writeReport({ session, definition, set: {}, formats, folder });
  expect(renderTerminalReport(document, { width: null, hasColor: false })).toContain(sentence);
  const written = [
    'emv.html',
    'emv/_coverage.csv',
    'emv/_coverage.json',
    'emv/_coverage.md',
    'emv/summary.md',
  ];
  for (const file of written)
    expect(await readFile(join(folder, file), 'utf8'), file).toContain(sentence);
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(join(folder, 'emv.xlsx'));
  expect(JSON.stringify(book.worksheets[0]?.getSheetValues())).toContain(sentence);
});

describe('a comparison', () => {
  const post = (profile_id: string, id: string, day: string, emv: number) => ({
    profile_id,
    linkedin_post_id: `${profile_id}-${id}`,
    type: 'Text',
    published_at: `${day}T12:00:00Z`,
    impression_count: emv * 10,
    engagement: 0.05,
    emv,
  });
  const rows = {
    profiles: profiles.slice(0, 2),
    linkedin_posts: [
      post('p1', 'a', '2025-10-10', 100),
      post('p1', 'b', '2025-11-10', 150),
      post('p2', 'a', '2025-10-10', 400),
      post('p2', 'b', '2025-11-10', 500),
    ],
  };
  const parameters = { from: '2025-11-01', to: '2025-11-30' };

  /** @param from the first day of Halden that was read */
  const readFrom = (from: string) => ({
    ...rows,
    extract_windows: [
      window('p1', ['2025-10-01', '2025-11-30']),
      window('p2', [from, '2025-11-30']),
    ],
  });

  test('is made if every profile was read in both periods', async () => {
    const only = ['_lede', 'by_type', 'summary'];
    const document = await buildOf(readFrom('2025-10-01'), 'emv', { only, parameters });
    expect(document.lede).toContain('30% more than in the month before.');
    expectRows(document, 'by_type', [{ previous_emv: 500, emv_change: 0.3 }]);
    expectRows(document, 'summary', [{ previous_emv: 500, emv_change_like_for_like: null }]);
  });

  test('is missing only in the row of a profile that was added later, and in the total', async () => {
    const sections = ['by_month', 'by_type', 'by_campaign', 'by_label'];
    const document = await buildOf(readFrom('2025-10-20'), 'emv', {
      only: [...sections, 'by_profile', 'summary', '_lede', '_cards'],
      parameters,
    });
    expect(document.headline).toBeNull();
    expect(document.lede).toContain(
      '**€650** of media value, 50% more than in the month before for the one profile read in both periods.',
    );
    expect(document.caveats).toContain(
      'Totals are not compared: Halden was not read from 1 October 2025 to 19 October 2025',
    );
    expectRows(document, 'by_profile', [
      { profile: 'Halden', previous_emv: null, emv_change: null },
      { profile: 'Fjord', previous_emv: 100, emv_change: 0.5 },
    ]);
    for (const section of sections)
      expectRows(document, section, [{ previous_emv: null, emv_change: null }]);
    expectRows(document, 'summary', [
      { previous_emv: null, previous_posts: null, emv_change_like_for_like: 0.5 },
    ]);
    const [emv] = document.cards;
    expect(emv).toMatchObject({
      previous: null,
      note: '+50.0% for the one profile read in both periods',
    });
  });

  test('is omitted if no profile was read in both periods, with a sentence if some days were', async () => {
    const extract_windows = [
      window('p1', ['2025-10-05', '2025-11-30']),
      window('p2', ['2025-10-20', '2025-11-30']),
    ];
    const document = await buildOf({ ...rows, extract_windows }, 'emv', {
      only: ['by_profile'],
      parameters,
    });
    expect(document.previousPeriod).toBeNull();
    expect(document.caveats).toContain(
      'Not compared: Fjord, Halden were not read on some days from 1 October 2025 to 19 October 2025',
    );
    expectRows(document, 'by_profile', [{ previous_emv: null }, { previous_emv: null }]);
  });

  test('of a period with unread days covers the profiles that were read', async () => {
    const extract_windows = [
      window('p1', ['2025-10-01', '2025-11-30']),
      window('p2', ['2025-10-01', '2025-11-20']),
    ];
    const document = await buildOf({ ...rows, extract_windows }, 'engagement', {
      only: ['_lede', 'summary', 'by_type', 'by_profile'],
      parameters,
    });
    expect(document.lede).toBe(
      'Incomplete: Halden was not read from 21 November 2025 to 30 November 2025. So far: **5.0%** of impressions led to an engagement, as in the month before for the one profile read in both periods. That is 325 engagements from 2 posts.',
    );
    expectRows(document, 'summary', [
      { previous_engagement_rate: null, engagements_change_like_for_like: 0.5 },
    ]);
    expect(document.sections.filter(({ finding }) => finding !== null)).toEqual([]);
  });

  test('of a month so far is with the same days of the month before', async () => {
    const asked = { from: '2025-11-01', to: '2025-11-12', soFarMonths: 1 as const };
    const document = await buildOf(readFrom('2025-10-01'), 'emv', {
      only: ['_lede'],
      parameters: asked,
    });
    expect(document.previousPeriod).toEqual({ from: '2025-10-01', to: '2025-10-12' });
    expect(document.lede).toContain(
      'So far: Your 2 posts earned **€650** of media value, 30% more than in the same days of the month before.',
    );
  });
});

describe('a period before whose end a profile begins', () => {
  const post = (profile_id: string, day: string, emv: number) => ({
    profile_id,
    linkedin_post_id: `${profile_id} ${day}`,
    type: 'Text',
    published_at: `${day}T12:00:00Z`,
    impression_count: emv * 10,
    engagement: 0.05,
    emv,
  });
  const linkedin_posts = [
    post('p1', '2025-09-10', 100),
    post('p1', '2025-10-05', 10),
    post('p1', '2025-10-20', 200),
    post('p2', '2025-10-11', 4000),
    post('p2', '2025-10-15', 400),
  ];
  const october = { from: '2025-10-01', to: '2025-10-31' };
  const only = ['_lede', '_cards', 'summary', 'by_month'];
  const ownOf = (asked: Record<string, string>) => ({
    firstAskedDays: new Map(Object.entries(asked).map(([id, day]) => [`acme/${id}`, day])),
    today: '2025-11-01',
  });
  const on = (first: string) => [first, '2025-10-31'] as [string, string];
  const november = { fetched_at: '2025-11-01T05:00:00Z' };

  test('is complete from the first day that is asked, and is compared with nothing', async () => {
    const rows = {
      profiles: profiles.slice(1, 2),
      linkedin_posts: linkedin_posts.filter(({ profile_id }) => profile_id === 'p2'),
      extract_windows: [window('p2', on('2025-10-12'), november)],
    };
    const parameters = { ...october, targets: { emv: 1000 } };
    const config = ownOf({ p2: '2025-10-12' });
    const document = await buildOf(rows, 'emv', { only, parameters, config });
    expect(document.headline).toBeNull();
    expect(document.beginning).toBe('from 12 October 2025');
    expect(document.lede).toBe(
      'Complete from 12 October 2025: Your post earned **€400** of media value.',
    );
    expect(document.caveats).toEqual([
      'Not read: 1 October 2025 to 11 October 2025',
      '1 post from before 12 October 2025, the first day that was read, is left out',
    ]);
    expect(document.cards[0]).toMatchObject({ value: 400, previous: null, basis: null });
    expect(document.previousPeriod).toBeNull();
  });

  test('is held against the first day that is asked, not against the first that was read, and keeps the days that were read before a job asks for less', async () => {
    const rows = {
      profiles: profiles.slice(0, 2),
      extract_windows: [
        window('p1', on('2025-10-15'), november),
        window('p2', ['2025-10-13', '2025-10-20'], november),
        window('p2', on('2025-10-24'), november),
      ],
    };
    const config = ownOf({ p1: '2025-10-12', p2: '2025-10-25' });
    const document = await buildOf(rows, 'emv', { only: [], parameters: october, config });
    expect(document.headline).toBe(
      'Incomplete: Fjord, Halden were not read on some days from 12 October 2025 to 23 October 2025.',
    );
    expect(document.unreadDays).toEqual([
      { profile: 'Fjord', first_day: '2025-10-12', last_day: '2025-10-14' },
      { profile: 'Halden', first_day: '2025-10-21', last_day: '2025-10-23' },
    ]);
  });

  test('names the profile among others, and compares the others', async () => {
    const rows = {
      profiles: profiles.slice(0, 2),
      linkedin_posts,
      extract_windows: [
        window('p1', on('2025-09-01'), november),
        window('p2', on('2025-10-12'), november),
      ],
    };
    const config = ownOf({ p1: '2025-09-01', p2: '2025-10-12' });
    const document = await buildOf(rows, 'emv', { only, parameters: october, config });
    expect(document.lede).toBe(
      'Complete for Halden from 12 October 2025: Your 3 posts earned **€610** of media value, 110% more than in the month before for the one profile read in both periods.',
    );
    expect(document.caveats).toEqual([
      'Totals are not compared: Halden was not read on some days from 1 September 2025 to 11 October 2025',
      'Not read: 1 October 2025 to 11 October 2025 of Halden',
      '1 post from before 12 October 2025, the first day that was read, is left out',
    ]);
    const both = ownOf({ p1: '2025-10-04', p2: '2025-10-12' });
    const windows = [
      window('p1', on('2025-10-04'), november),
      window('p2', on('2025-10-12'), november),
    ];
    const late = { ...rows, extract_windows: windows };
    const german = await buildOf(late, 'emv', {
      only: ['_lede'],
      parameters: october,
      config: { ...both, language: 'de', locale: 'de-DE' },
    });
    expect(german.lede).toMatch(/^Vollständig spätestens ab 12\. Oktober 2025: /);
    const september = { from: '2025-09-01', to: '2025-09-30' };
    const { headline, lede } = await buildOf(rows, 'emv', {
      only: ['_lede'],
      parameters: september,
      config,
    });
    expect({ headline, lede }).toEqual({
      headline: null,
      lede: 'Your post earned **€100** of media value.',
    });
  });

  test('has been read not at all where it ends before all profiles begin', async () => {
    const rows = {
      profiles: profiles.slice(1, 2),
      extract_windows: [window('p2', on('2025-10-12'), november)],
    };
    const parameters = { from: '2025-09-01', to: '2025-09-30' };
    const config = ownOf({ p2: '2025-10-12' });
    const { lede, unreadDays } = await buildOf(rows, 'emv', { only: [], parameters, config });
    expect(lede).toBe('Nothing has been read for this period yet.');
    expect(unreadDays).toEqual([
      { profile: 'Halden', first_day: '2025-09-01', last_day: '2025-09-30' },
    ]);
  });
});

describe('a profile that has ended', () => {
  const ended = (until: string) => ({
    workspaces: new Map([
      [
        'acme',
        {
          profiles: [
            { workspace: 'acme', id: 'p1', name: 'Fjord', cpm: null, prices: null, until },
          ],
        },
      ],
    ]),
    firstAskedDays: new Map([['acme/p1', '2025-09-01']]),
    today: '2025-12-10',
  });
  const rows = {
    profiles: profiles.slice(0, 1),
    extract_windows: [
      window('p1', ['2025-09-01', '2025-10-13'], { fetched_at: '2025-10-14T05:00:00Z' }),
      { ...failed, profile_id: 'p1', start_date: '2025-09-20', end_date: '2025-10-15' },
    ],
  };

  test('lacks nothing after its last day', async () => {
    const parameters = { from: '2025-11-01', to: '2025-11-30' };
    const asked = { only: ['_lede'], parameters, config: ended('2025-10-13') };
    const { headline, lede, unreadDays, caveats } = await buildOf(rows, 'emv', asked);
    expect({ headline, lede, unreadDays, caveats }).toEqual({
      headline: null,
      lede: 'No posts in this period.',
      unreadDays: [],
      caveats: [],
    });
  });

  test('lacks the days to its last one that were not read', async () => {
    const parameters = { from: '2025-10-01', to: '2025-10-31' };
    const config = ended('2025-10-15');
    const { unreadDays } = await buildOf(rows, 'emv', { only: [], parameters, config });
    expect(unreadDays).toEqual([
      { profile: 'Fjord', first_day: '2025-10-14', last_day: '2025-10-15' },
    ]);
  });
});
