import { describe, expect, test } from 'vitest';
import { renderMail } from '../../src/render/mail.ts';
import { shownDocument } from '../../src/render/shown-document.ts';
import type { ReportDocument } from '../../src/report/report-document.ts';
import { roundTrip } from '../render/xlsx/read-workbook.ts';
import type { WarehouseRows } from '../report/support/report-warehouse.ts';
import { buildOf } from './support/built-report.ts';
import { rowsOf, sectionOf } from './support/document-figures.ts';
import { nothing, whole } from './support/golden-rows.ts';

type Period = [from: string, to: string];

const times = ['by_week', 'by_month', 'by_quarter'];
const noWords = { notes: [], body: null, attached: [], leftOut: [] };

describe('what people read of a period', () => {
  const day = (date: string, emv: number) => ({
    linkedin_post_id: date,
    post_id: date,
    type: 'Video',
    published_at: `${date}T10:00:00Z`,
    impression_count: 10,
    like_count: emv,
    engagement: 0.1,
    emv,
    video_view_count: emv,
  });
  const posted = (...days: string[]): WarehouseRows => ({
    profiles: [{ profile_id: 'p1', name: 'Acme' }],
    linkedin_posts: days.map((date, index) => day(date, index + 1)),
    posts: days.map((post_id) => ({ post_id })),
  });
  const november: Period = ['2025-11-01', '2025-11-30'];
  const posts = posted('2025-10-07', '2025-11-01', '2025-11-04', '2025-11-18');
  const shown = async (given: WarehouseRows, report: string, [from, to]: Period, only = times) =>
    shownDocument(await buildOf(given, report, { only, parameters: { from, to } }));

  test('is by week if it is of one month, with its month behind its weeks, in every format', async () => {
    const document = await buildOf(posts, 'emv', {
      only: [...times, 'profile_months'],
      parameters: { from: '2025-11-01', to: '2025-11-30' },
    });
    expect(document.sections.map(({ name, isAppendix }) => [name, isAppendix])).toEqual([
      ['by_week', false],
      ['by_month', true],
      ['profile_months', true],
    ]);
    expect(rowsOf(shownDocument(document), 'by_week').map(({ week }) => week)).toEqual([
      '2025-10-27',
      '2025-11-03',
      '2025-11-10',
      '2025-11-17',
    ]);
    const { columns } = sectionOf(document, 'by_week');
    expect(columns.find(({ name }) => name === 'week')).toMatchObject({
      title: 'Week of',
      format: 'date',
    });
    expect(rowsOf(document, 'by_month')).toMatchObject([{ month: '2025-11-01', previous_emv: 1 }]);
    expect(rowsOf(document, 'profile_months')).toHaveLength(1);
    const { text } = renderMail([document], noWords);
    expect(text).toContain('By week\n27 Oct 2025: Days 2 of 7, Posts 1, EMV €2');
  });

  test('is compared week by week, each at the same point of its period', async () => {
    const before = async (...days: Period) =>
      rowsOf(await shown(posts, 'emv', days), 'by_week').map((row) => row['previous_emv']);
    expect(await before(...november)).toEqual([null, 1, null, null]);
    expect(await before('2025-11-02', '2025-11-29')).toEqual([1, null, null]);
  });

  test('says which week is partial', async () => {
    const document = await shown(posts, 'engagement', ['2025-11-01', '2025-11-29']);
    expect(sectionOf(document, 'by_week')).toMatchObject({
      title: 'By week',
      description: 'Engagement rate by week of publication.',
      notes: [
        'One week is not whole: the table has its days.',
        'Each week is compared with the week at the same point of the comparison period.',
      ],
    });
    const whole = await shown(posts, 'engagement', ['2025-11-03', '2025-11-23']);
    expect(sectionOf(whole, 'by_week').notes.join(' ')).not.toContain('not whole');
  });

  test('says it only of a week that has a row', async () => {
    const rows = posted('2025-10-30', '2025-11-01', '2025-11-11', '2025-11-20');
    const posts = rows.linkedin_posts?.map((post, at) =>
      at === 3 ? { ...post, type: 'Text' } : post,
    );
    const document = await shown({ ...rows, linkedin_posts: posts ?? [] }, 'video', [
      '2025-11-01',
      '2025-11-22',
    ]);
    expect(rowsOf(document, 'by_week').map(({ week }) => week)).toEqual([
      '2025-10-27',
      '2025-11-03',
      '2025-11-10',
      '2025-11-17',
    ]);
    expect(sectionOf(document, 'by_week').notes).toContain(
      '2 weeks are not whole: the table has their days.',
    );
  });

  test('is by month for three months, and by quarter for 35', async () => {
    const quarter = posted('2023-01-05', '2023-03-05', '2023-04-05', '2025-11-01');
    const autumn = posted('2025-09-05', '2025-11-01');
    const byMonth = await shown(autumn, 'emv', ['2025-09-01', '2025-11-30']);
    expect(rowsOf(byMonth, 'by_month').map(({ month }) => month)).toEqual([
      '2025-09-01',
      '2025-10-01',
      '2025-11-01',
    ]);
    const document = await shown(quarter, 'emv', ['2023-01-01', '2025-11-30']);
    const quarters = rowsOf(document, 'by_quarter');
    expect(quarters.map((row) => [row['quarter'], Number(row['posts'])])).toEqual([
      ['2023-01-01', 2],
      ['2023-04-01', 1],
      ...['2023-07-01', '2023-10-01'].map((month) => [month, 0]),
      ...['2024-01-01', '2024-04-01', '2024-07-01', '2024-10-01'].map((month) => [month, 0]),
      ...['2025-01-01', '2025-04-01', '2025-07-01'].map((month) => [month, 0]),
      ['2025-10-01', 1],
    ]);
    expect(sectionOf(document, 'by_quarter').notes).toContain(
      'One quarter is not whole: the table has its days.',
    );
    const { text } = renderMail([document], noWords);
    expect(text).toContain('Q4 2025: Days 61 of 92, Posts 1');
  });
});

test('what people read of one profile does not compare it with itself, and data do', async () => {
  const parameters = { from: '2025-01-01', to: '2025-12-31' };
  const rows: WarehouseRows = {
    profiles: [
      { profile_id: 'p1', name: 'Acme' },
      { profile_id: 'p2', name: 'Beta' },
    ],
    linkedin_posts: [
      { ...whole, linkedin_post_id: 'a', post_id: 'a', profile_id: 'p1' },
      { ...whole, linkedin_post_id: 'b', post_id: 'b', profile_id: 'p2' },
    ],
    posts: ['a', 'b'].map((post_id) => ({ post_id, campaign_id: 'k' })),
    campaigns: [{ campaign_id: 'k', name: 'Spring' }],
  };
  const read = async (report: string, section: string, profiles: string[]) => {
    const only = [section, 'by_campaign'];
    const document = await buildOf(rows, report, { only, parameters: { ...parameters, profiles } });
    expect(rowsOf(document, section)).toHaveLength(profiles.length || 2);
    return document;
  };
  const pageOf = (document: ReportDocument) =>
    shownDocument(document).sections.map(({ name }) => name);
  const sheetsOf = async (document: ReportDocument) =>
    (await roundTrip(document)).book.worksheets.map(({ name }) => name);
  const several = await read('emv', 'by_profile', []);
  expect(pageOf(several)).toContain('by_profile');
  expect(await sheetsOf(several)).toContain('By profile');
  const one = await read('emv', 'by_profile', ['Acme']);
  expect(pageOf(one)).toEqual(['by_campaign']);
  expect(await sheetsOf(one)).not.toContain('By profile');
  const campaigns = await read('campaigns', 'by_campaign_profile', ['Acme']);
  expect(pageOf(campaigns)).toEqual(['by_campaign']);
  const none = await buildOf({ ...rows, linkedin_posts: [] }, 'emv', {
    only: ['by_profile'],
    parameters,
  });
  expect(shownDocument(none).sections.map(({ name }) => name)).toEqual(['by_profile']);
});

test('what people read has no section whose only group is that of posts without one, and data do', async () => {
  const only = ['by_campaign', 'by_label', 'by_hashtag', 'by_month'];
  const read = async (change: object) => {
    const posts = ['a', 'b'].map((id) => ({
      ...whole,
      linkedin_post_id: id,
      post_id: id,
      ...change,
    }));
    return buildOf(
      { profiles: [{ profile_id: 'p1', name: 'Acme' }], linkedin_posts: posts },
      'engagement',
      { only },
    );
  };
  const none = await read({ commentary: 'Hello' });
  for (const name of ['by_campaign', 'by_label', 'by_hashtag'])
    expect(sectionOf(none, name).rows.map(([group]) => group)).toEqual(['(none)']);
  expect(shownDocument(none).sections.map(({ name }) => name)).toEqual(['by_month']);
  const { book } = await roundTrip(none);
  const sheets = book.worksheets.map(({ name }) => name);
  expect(sheets).toContain('By month');
  expect(sheets.filter((name) => /campaign|label|hashtag/.test(name))).toEqual([]);
  const tagged = await read({ commentary: 'Hello #grid' });
  expect(shownDocument(tagged).sections.map(({ name }) => name)).toContain('by_hashtag');
});

test('what people read has no column without a value in any row, also where the rows are sorted by it', async () => {
  const posts = ['a', 'b'].map((id) => ({ post_id: id, created_at: '2024-12-30T10:00:00Z' }));
  const document = await buildOf(
    {
      profiles: [{ profile_id: 'p1', name: 'Acme' }],
      linkedin_posts: posts.map(({ post_id }) => ({
        ...whole,
        linkedin_post_id: post_id,
        post_id,
      })),
      posts,
    },
    'workflow',
    { only: ['by_type'] },
  );
  const { columns, rows } = sectionOf(shownDocument(document), 'by_type');
  expect(rows).toHaveLength(1);
  const shown = columns.flatMap(({ name, isInHtml }) => (isInHtml ? [name] : []));
  expect(shown).toContain('mean_lead_days');
  expect(shown).not.toContain('lead_days_p50');
});

describe('what people read of posts with public counts alone', () => {
  const publicPost = (id: string, likes: number, profile_id = 'p1') => ({
    ...whole,
    ...nothing,
    linkedin_post_id: id,
    post_id: id,
    profile_id,
    published_at: `2025-${id.slice(0, 2)}-05T10:00:00Z`,
    like_count: likes,
    comment_count: 1,
  });
  const rows: WarehouseRows = {
    profiles: [
      { profile_id: 'p1', name: 'Acme' },
      { profile_id: 'p2', name: 'Beta' },
    ],
    linkedin_posts: [
      publicPost('01a', 4),
      publicPost('02a', 10, 'p2'),
      publicPost('02b', 3, 'p2'),
      publicPost('03a', 5),
    ],
    posts: ['01a', '02a', '02b', '03a'].map((post_id) => ({ post_id, campaign_id: 'k' })),
    campaigns: [{ campaign_id: 'k', name: 'Spring' }],
  };
  const read = async (report: string, ...only: string[]) =>
    shownDocument(await buildOf(rows, report, { only }));
  const shownColumns = (document: ReportDocument, name: string) =>
    sectionOf(document, name).columns.flatMap((column) => (column.isInHtml ? [column.name] : []));

  test('is what is known, and why the rest is not', async () => {
    expect((await read('emv', '_lede')).lede).toBe(
      'The EMV of your 4 posts is unknown. They brought **26** interactions.',
    );
    expect((await read('engagement', '_lede')).lede).toBe(
      'The engagement rate is unknown: no post has both engagement and impressions. They brought **26** interactions.',
    );
  });

  test('is sorted, drawn and counted by interactions', async () => {
    const document = await read('emv', '_cards', 'by_month', 'by_profile', 'posts');
    expect(document.cards.map(({ label, value }) => [label, Number(value)])).toEqual([
      ['Posts', 4],
      ['Interactions', 26],
      ['Likes', 22],
      ['Comments', 4],
    ]);
    expect(sectionOf(document, 'by_month')).toMatchObject({
      description: 'Interactions by month of publication.',
      chart: { kind: 'bars', y: 'interactions' },
    });
    expect(sectionOf(document, 'by_profile').sortedBy).toBe('interactions');
    expect(rowsOf(document, 'by_profile').map(({ profile }) => profile)).toEqual(['Beta', 'Acme']);
    expect(sectionOf(document, 'posts').sortedBy).toBe('interactions');
    expect((await read('campaigns', 'by_campaign_profile')).sections).toEqual([]);
  });

  test('has no column that is unknown in every row', async () => {
    expect(shownColumns(await read('emv', 'by_month'), 'by_month')).toEqual([
      'month',
      'posts',
      'interactions',
    ]);
    const engagement = await read('engagement', 'by_type', 'by_weekday_hour');
    expect(shownColumns(engagement, 'by_type')).toEqual(['type', 'posts', 'interactions']);
    expect(engagement.sections.map(({ name }) => name)).not.toContain('by_weekday_hour');
  });

  test('is the same table in the data, with every column', async () => {
    const document = await buildOf(rows, 'emv', { only: ['by_month'] });
    expect(rowsOf(document, 'by_month')).toMatchObject([
      { month: '2025-01-01', emv: null, impressions: null },
      { month: '2025-02-01', emv: null, impressions: null },
      { month: '2025-03-01', emv: null, impressions: null },
    ]);
  });
});
