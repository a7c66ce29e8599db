import { beforeAll, describe, expect, test } from 'vitest';
import { shownDocument } from '../../src/render/shown-document.ts';
import type { ReportDocument } from '../../src/report/report-document.ts';
import { generatedRows } from '../report/support/generated-rows.ts';
import { generateAudiences, kindOf } from './support/audience-posts.ts';
import { openSessionOn } from '../report/support/open-session.ts';
import { buildOf } from './support/built-report.ts';
import { expectRows, rowsOf, sectionOf } from './support/document-figures.ts';
import {
  expectedAgainstRest,
  expectedExtremes,
  expectedQuartiles,
  rateOfAll,
} from './support/expected-engagement.ts';
import { isInPeriod } from './support/expected-figures.ts';
import { nothing, profiles, whole } from './support/golden-rows.ts';

const timezone = 'Europe/Berlin';
const all = generateAudiences(500);
const warehouse = generatedRows(all);
const shown = all.filter(({ removedAt }) => removedAt === null);
const period = { from: '2025-09-01', to: '2025-12-31' };
const previousPeriod = { from: '2025-05-01', to: '2025-08-31' };
const inPeriod = (days: { from: string; to: string }) =>
  shown.filter((post) => isInPeriod(post, { ...days, timezone, cpm: null, removed: 'exclude' }));
/** The impressions that a ranked post needs, which the lowest of them has. */
const impressions = inPeriod(period).flatMap((post) => post.impressions ?? []);
const floor = impressions.toSorted((a, b) => a - b)[impressions.length >> 1] ?? 0;
let ofPeriod: ReportDocument;

beforeAll(async () => {
  ofPeriod = await buildOf(warehouse, 'engagement', {
    only: ['by_type', 'by_label', 'top_and_bottom'],
    parameters: period,
    set: { minimum_impressions: String(floor) },
  });
});

describe('every new figure agrees with the posts:', () => {
  test('types, with quartiles, against the rest and the period before', () => {
    const [current, previous] = [inPeriod(period), inPeriod(previousPeriod)];
    const types = [...new Set(current.map(({ type }) => type))].map((type) => {
      const own = current.filter((post) => post.type === type);
      const [rate, before] = [own, previous.filter((post) => post.type === type)].map(rateOfAll);
      const { rest, lift, isClear } = expectedAgainstRest(current, (post) => post.type === type);
      return {
        type,
        posts: own.length,
        ...expectedQuartiles(own),
        page_p50: expectedQuartiles(own.filter((post) => kindOf(post) === 'page')).rate_p50,
        member_p50: expectedQuartiles(own.filter((post) => kindOf(post) === 'member')).rate_p50,
        rate_rest: rest,
        lift,
        previous_rate: before ?? null,
        rate_change: Number(rate) - Number(before),
        not_compared: null,
        is_clear: isClear,
      };
    });
    const byLift = types.toSorted((a, b) => Number(b.lift) - Number(a.lift));
    expect(byLift.length).toBe(6);
    expectRows(ofPeriod, 'by_type', byLift);
  });

  test('labels, with and without', () => {
    const current = inPeriod(period);
    const namesOf = (post: (typeof all)[number]) =>
      post.labels.length === 0 ? ['(none)'] : post.labels.map(({ name }) => name);
    const labels = [...new Set(current.flatMap(namesOf))].map((label) => {
      const { rest, lift, factor, isClear } = expectedAgainstRest(current, (post) =>
        namesOf(post).includes(label),
      );
      return {
        label,
        rate_without: rest,
        lift,
        lift_factor: factor,
        not_compared: null,
        is_clear: isClear,
      };
    });
    const byLift = labels.toSorted(
      (a, b) =>
        Number(a.label === '(none)') - Number(b.label === '(none)') ||
        Number(b.lift) - Number(a.lift),
    );
    expectRows(ofPeriod, 'by_label', byLift);
  });

  test('best and worst from a number of impressions on', () => {
    const rows = expectedExtremes(inPeriod(period), floor);
    expectRows(ofPeriod, 'top_and_bottom', rows);
    expect(new Set(rows.map(({ linkedin_post_id }) => linkedin_post_id)).size).toBe(rows.length);
    const below = impressions.filter((each) => each < floor);
    expect(sectionOf(ofPeriod, 'top_and_bottom').notes.join(' ')).toContain(
      `${below.length.toLocaleString('en-GB')} posts with fewer than ${floor.toLocaleString('en-GB')} impressions are not ranked.`,
    );
  });
});

describe('a finding is made only if the posts support it', () => {
  test('an hour of 10 posts does better than others, a better one of 9 does not', async () => {
    const hours = [
      { posts: 10, published_at: '2025-11-07T07:15:00Z', engagement: 0.07 },
      { posts: 9, published_at: '2025-11-06T07:15:00Z', engagement: 0.08 },
      { posts: 20, published_at: '2025-11-05T09:15:00Z', engagement: 0.019 },
    ];
    const linkedin_posts = hours.flatMap(({ posts, ...hour }) =>
      Array.from({ length: posts }, (_, index) => ({
        ...whole,
        ...hour,
        impression_count: 1000,
        linkedin_post_id: `${hour.published_at} ${String(index)}`,
      })),
    );
    const rows = { profiles, linkedin_posts };
    const document = await buildOf(rows, 'engagement', { only: ['by_weekday_hour'] });
    expect(sectionOf(document, 'by_weekday_hour').finding).toMatch(
      /^Fridays from 08:00 to 09:00: 1\.85 times the engagement rate of other hours \(10 posts\)$/,
    );
  });

  test('a type is clearly apart only by a tenth or a point, and says when it has too few posts', async () => {
    const rates = { Poll: 0.06, Image: 0.052, Text: 0.05, Article: 0.045 };
    const linkedin_posts = Object.entries(rates).flatMap(([type, engagement]) =>
      Array.from({ length: type === 'Poll' ? 8 : 60 }, (_, index) => ({
        ...whole,
        linkedin_post_id: `${type}${String(index)}`,
        type,
        engagement,
      })),
    );
    const document = await buildOf({ profiles, linkedin_posts }, 'engagement', {
      only: ['by_type'],
    });
    const rows = rowsOf(document, 'by_type').map(({ type, not_compared, is_clear }) => [
      type,
      not_compared,
      is_clear,
    ]);
    expect(rows).toEqual([
      ['Image', null, false],
      ['Text', null, false],
      ['Article', null, true],
      ['Poll', 'not enough posts (8)', false],
    ]);
    const page = shownDocument(document);
    expect(rowsOf(page, 'by_type').map(({ type }) => type)).not.toContain('Poll');
    expect(sectionOf(page, 'by_type').notes).toContain('1 group has too few posts to be compared.');
  });

  test('other posts without engagement cause no division by a rounding error', async () => {
    const rows = Array.from({ length: 24 }, (_, index) => ({
      ...whole,
      linkedin_post_id: `p${String(index).padStart(2, '0')}`,
      type: index < 12 ? 'Text' : 'Image',
      post_id: `q${String(index)}`,
      impression_count: 1001 + index,
      engagement: index < 12 ? 0.1 + index / 700 : 0,
    }));
    const document = await buildOf(
      {
        profiles,
        linkedin_posts: rows,
        posts: rows.map(({ post_id }) => ({ post_id })),
        labels: [{ label_id: 'l1', name: 'Award' }],
        post_labels: rows.slice(0, 12).map(({ post_id }) => ({ post_id, label_id: 'l1' })),
      },
      'engagement',
      { only: ['by_label', 'by_type'] },
    );
    expect(rowsOf(document, 'by_label')[0]).toMatchObject({ rate_without: 0, lift_factor: null });
    expect(rowsOf(document, 'by_type')[0]).toMatchObject({ type: 'Text', rate_rest: 0 });
  });

  test('the mix compares kinds only if both have ten posts, and a label of 9 posts is not compared, nor one without 10 others', async () => {
    const page = { ...whole, save_count: null, send_count: null, click_count: 90 };
    const member = { ...whole, profile_id: 'p2', click_count: null };
    const ofKinds = (members: number) =>
      Array.from({ length: 12 + members }, (_, index) => ({
        ...(index < 12 ? page : member),
        linkedin_post_id: `p${String(index)}`,
        post_id: `p${String(index)}`,
      }));
    const both = ofKinds(12);
    const ids = both.map(({ post_id }) => post_id);
    const labels = {
      Award: ids.slice(0, 9),
      Most: ids.slice(9),
      Half: ids.filter((_, index) => index % 2 === 0),
    };
    const document = await buildOf(
      {
        profiles,
        linkedin_posts: both,
        posts: ids.map((post_id) => ({ post_id })),
        labels: Object.keys(labels).map((name) => ({ label_id: name, name })),
        post_labels: Object.entries(labels).flatMap(([label_id, posts]) =>
          posts.map((post_id) => ({ post_id, label_id })),
        ),
      },
      'engagement',
      { only: ['mix', 'by_label'] },
    );
    expect(sectionOf(document, 'mix').finding).toBe(
      'Likes lead on members’ posts (77%), clicks on pages’ posts (65%)',
    );
    const none = { rate_without: null, lift: null, lift_factor: null };
    const rows = rowsOf(document, 'by_label').toSorted((a, b) =>
      String(a['label']).localeCompare(String(b['label'])),
    );
    expect(rows).toMatchObject([
      { label: 'Award', ...none, not_compared: 'not enough posts (9)' },
      { label: 'Half', lift: 0, lift_factor: 1, not_compared: null },
      { label: 'Most', ...none, not_compared: 'not enough other posts (9)' },
    ]);
    expect(rowsOf(shownDocument(document), 'by_label').map(({ label }) => label)).toEqual([
      'Half',
      'Most',
    ]);
    const few = await buildOf({ profiles, linkedin_posts: ofKinds(9) }, 'engagement', {
      only: ['mix'],
    });
    expect(sectionOf(few, 'mix').finding).toBeNull();
  });

  test('figures too large to square or to add up do not stop the report', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => ({
      ...whole,
      linkedin_post_id: `p${String(index)}`,
      impression_count: index === 0 ? 9_223_372_036_854_775_000 : 1000,
      engagement: index === 1 ? 1.7e308 : index === 2 ? -1.7e308 : 0.05,
    }));
    const only = ['by_weekday_hour', 'by_type', 'summary', '_cards', '_lede'];
    const document = await buildOf({ profiles, linkedin_posts: rows }, 'engagement', { only });
    expect(rowsOf(document, 'by_weekday_hour').length).toBe(1);
  });

  test('posts that are left out are listed with their number and the reason', async () => {
    const document = await buildOf(
      {
        profiles,
        linkedin_posts: [
          { ...whole, linkedin_post_id: 'a', post_id: 'a1' },
          { ...whole, linkedin_post_id: 'b', impression_count: 0, engagement: 0 },
          { ...whole, ...nothing, linkedin_post_id: 'c', published_at: null },
          { ...whole, linkedin_post_id: 'd', impression_count: 100 },
        ],
        posts: [{ post_id: 'a1', removed_at: '2025-12-01T10:00:00Z' }],
      },
      'engagement',
      { only: ['left_out'] },
    );
    expect(
      rowsOf(document, 'left_out').map(({ what, posts, impressions }) => [
        what,
        Number(posts),
        impressions === null ? null : Number(impressions),
      ]),
    ).toEqual([
      ['Removed posts', 1, 1234],
      ['Without an engagement rate', 1, null],
      ['With 0 impressions', 1, 0],
      ['Without a time', 1, null],
      ['Neither page nor member', 3, 100],
    ]);
  });
});

describe('what details say of the posts', () => {
  const only = ['by_format', 'by_channels'];
  const content = { linkedIn: { assets: [] } };
  const picture = { mimetype: 'image/jpeg', width: 1200, height: 600, duration: null };
  const clip = { mimetype: 'video/mp4', width: 1080, height: 1350, duration: 20 };
  const paper = { mimetype: 'application/pdf', width: 1080, height: 1080, duration: null };
  const files: Record<string, object[]> = {
    text: [],
    poll: [],
    one: [picture],
    square: [{ ...picture, height: 1200 }],
    four: [picture, picture, { ...picture, height: 1500 }, picture],
    six: Array.from({ length: 6 }, () => ({ ...picture, height: 1500 })),
    unmeasured: [{ ...picture, width: null }],
    paper: [paper, picture],
    clip: [clip, picture],
    two: [clip, clip],
  };
  const types: Record<string, string> = { text: 'Text', poll: 'Poll' };
  const ids = [...Object.keys(files), 'unread'];
  const rows = {
    profiles,
    linkedin_posts: ids.map((id) => ({
      ...whole,
      linkedin_post_id: id,
      post_id: id,
      type: types[id] ?? 'Image',
    })),
    posts: ids.map((id) =>
      id === 'unread'
        ? { post_id: id }
        : {
            post_id: id,
            content,
            channels: id === 'one' || id === 'two' ? ['LinkedIn', 'Twitter'] : ['LinkedIn'],
          },
    ),
    assets: Object.entries(files).flatMap(([post_id, own]) =>
      own.map((file, index) => ({ ...file, post_id, asset_id: `${post_id} ${String(index)}` })),
    ),
  };

  test('gives the rate by format, images by number and by orientation', async () => {
    const document = await buildOf(rows, 'engagement', { only });
    const counts = [
      ['Text only', 1],
      ['No files', 1],
      ['1 image', 3],
      ['2–4 images', 1],
      ['5 images or more', 1],
      ['Images, landscape', 1],
      ['Images, square', 1],
      ['Images, portrait', 1],
      ['Images, mixed', 1],
      ['Document', 1],
      ['Video, under 30 s', 1],
      ['Video', 1],
    ] as const;
    expectRows(
      document,
      'by_format',
      counts.map(([format, posts]) => ({
        format,
        posts,
        impressions: 1234 * posts,
        engagement_rate: 0.05,
        interactions: 63 * posts,
      })),
    );
    expect(sectionOf(document, 'by_format').notes).toEqual([
      '1 post of which this is not known is excluded.',
    ]);
    expectRows(document, 'by_channels', [
      { channels: 'LinkedIn only', posts: 8 },
      { channels: 'LinkedIn and others', posts: 2 },
    ]);
  });

  test('rests on each post once, though images are in two rows', async () => {
    const { database, tables } = await openSessionOn(rows);
    await tables.make(['basis_of']);
    const { rows: basis } = await database.query("from basis_of('format', 'engagement_rate')");
    expect(basis).toEqual([['n = {n:count} {n|post|posts} with details', 10]]);
  });

  test('makes headlines only of posts whose details are known', async () => {
    const many = Array.from({ length: 36 }, (_, index) => String(index));
    const third = (id: string) => Math.floor(Number(id) / 12);
    const document = await buildOf(
      {
        profiles,
        linkedin_posts: many.map((id) => ({
          ...whole,
          linkedin_post_id: id,
          post_id: id,
          type: 'Image',
          engagement: [0.06, 0.03, 0.9][third(id)],
        })),
        posts: many
          .filter((id) => third(id) < 2)
          .map((id) => ({
            post_id: id,
            content,
            channels: third(id) === 0 ? ['LinkedIn', 'Twitter'] : ['LinkedIn'],
          })),
        assets: many
          .filter((id) => third(id) === 0)
          .map((id) => ({ ...picture, post_id: id, asset_id: id })),
      },
      'engagement',
      { only },
    );
    expect(sectionOf(document, 'by_format').finding).toBe(
      'Posts of the format “1 image” got 2.00 times the engagement rate of other posts',
    );
    expect(sectionOf(document, 'by_channels').finding).toBe(
      'Posts on “LinkedIn and others” got 2.00 times the engagement rate of other posts',
    );
  });
});
