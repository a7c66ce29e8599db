import { expect, test } from 'vitest';
import { type Cell, createFormatter } from '../../src/languages/number-format.ts';
import { readDrawn } from '../../src/render/drawn.ts';
import type { WarehouseRows } from '../report/support/report-warehouse.ts';
import { type Asked, buildOf } from './support/built-report.ts';

const window = (profile_id: string, start_date: string, end_date: string) => ({
  profile_id,
  start_date,
  end_date,
  fetched_at: '2025-11-29T05:00:00Z',
  seq: Number(profile_id.slice(1)),
});

const post = (day: string, emv: number) => ({
  linkedin_post_id: day,
  profile_id: 'p1',
  published_at: `${day}T10:00:00Z`,
  last_seen_at: '2025-11-29T05:00:00Z',
  impression_count: emv * 10,
  emv,
});

/** A profile that was read from the first of August on, so that only a part of the day before was. */
const world = {
  profiles: [{ profile_id: 'p1', name: 'Acme' }],
  linkedin_posts: [
    post('2025-07-31', 100),
    post('2025-08-20', 500),
    post('2025-08-31', 50),
    post('2025-09-10', 300),
    post('2025-10-10', 310),
    post('2025-11-10', 200),
  ],
  extract_windows: [window('p1', '2025-07-31', '2025-11-29')],
};

/** The rows of a section, by column, and the caveats of its report. */
async function built(report: string, section: string, rows: WarehouseRows, asked: Asked = {}) {
  const config = { today: '2025-11-29', timezone: 'UTC' };
  const document = await buildOf(rows, report, { only: [section], config, ...asked });
  const { sections, caveats } = document;
  const found = sections.find(({ name }) => name === section);
  const named = found?.rows.map((row): Record<string, Cell> =>
    Object.fromEntries(found.columns.map(({ name }, at) => [name, row[at] ?? null])),
  );
  const drawn = found && readDrawn(found, document, createFormatter(document));
  return { rows: named ?? [], caveats, drawn };
}

test('posts from before the first day that was read whole are in no report, and are counted', async () => {
  const { rows, caveats } = await built('emv', 'by_month', world);
  expect(rows[0]?.['month']).toBe('2025-08-01');
  expect(caveats).toContain(
    '1 post from before 1 August 2025, the first day that was read, is left out',
  );
});

test('the weeks of a month are those of its posts in every report, with a video or without one', async () => {
  const typed = (day: string, type: string) => ({ ...post(day, 1), type, video_view_count: 5 });
  const rows = {
    ...world,
    linkedin_posts: [typed('2025-10-07', 'Video'), typed('2025-10-21', 'Text')],
  };
  const asked = { parameters: { from: '2025-10-01', to: '2025-10-31' } };
  const weeksOf = async (report: string) =>
    (await built(report, 'by_week', rows, asked)).rows.map(({ week }) => week);
  expect(await weeksOf('video')).toEqual(['2025-10-06', '2025-10-13', '2025-10-20']);
  expect(await weeksOf('engagement')).toEqual(await weeksOf('video'));
});

test('of the 13 months each has its whole month, and apart what of it lies in the period', async () => {
  const parameters = { from: '2025-08-31', to: '2025-11-28' };
  const { rows } = await built('overview', 'by_month', world, { parameters });
  const shown = rows.map(({ month, part, is_part, is_period, emv, emv_in_period }) =>
    [month, part, is_part, is_period, emv, emv_in_period].join(' '),
  );
  expect(shown.slice(-5)).toEqual([
    '2025-07-01 not read true false  ',
    '2025-08-01 all false true 550 50',
    '2025-09-01 all false true 300 300',
    '2025-10-01 all false true 310 310',
    '2025-11-01 28 of 30 true true 200 200',
  ]);
});

test('a month of which the period has some days is a part', async () => {
  const parameters = { from: '2025-09-05', to: '2025-11-28' };
  const { rows } = await built('emv', 'by_month', world, { parameters });
  expect(rows.map(({ part, is_part }) => [part, is_part])).toEqual([
    ['26 of 30', true],
    ['all', false],
    ['28 of 30', true],
  ]);
});

test('a week has no change and no mark beside one of other days, though each day earned as much', async () => {
  const daysOf = (month: string, days: number) =>
    Array.from({ length: days }, (_, at) => post(`${month}-${String(at + 1).padStart(2, '0')}`, 7));
  const rows = { ...world, linkedin_posts: [...daysOf('2025-09', 30), ...daysOf('2025-10', 31)] };
  const parameters = { from: '2025-10-01', to: '2025-10-31' };
  const { rows: weeks, drawn } = await built('emv', 'by_week', rows, { parameters });
  expect(weeks.map(({ part, emv_change }) => [part, emv_change])).toEqual([
    ['5 of 7', null],
    ['all', 0],
    ['all', 0],
    ['all', 0],
    ['5 of 7', null],
  ]);
  expect(drawn?.series[0]?.points.map(({ previous }) => previous)).toEqual([
    null,
    49,
    49,
    49,
    null,
  ]);
});

test('a month of which only some profiles were read is a part of that many profiles', async () => {
  const rows = {
    ...world,
    profiles: [...world.profiles, { profile_id: 'p2', name: 'Beta' }],
    extract_windows: [...world.extract_windows, window('p2', '2025-09-14', '2025-11-29')],
  };
  const { rows: months } = await built('emv', 'by_month', rows);
  expect(months.map(({ part }) => part)).toEqual([
    '1 of 2 profiles',
    '16 of 30',
    'all',
    '28 of 30',
  ]);
});
