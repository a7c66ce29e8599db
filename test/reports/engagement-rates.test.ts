import { describe, expect, test } from 'vitest';
import type { WarehouseRows } from '../report/support/report-warehouse.ts';
import { buildOf } from './support/built-report.ts';
import { expectRows, rowsOf } from './support/document-figures.ts';
import { profiles, whole } from './support/golden-rows.ts';

describe('a post has a rate only if it has impressions', () => {
  const rated = Array.from({ length: 10 }, (_, index) => ({
    ...whole,
    linkedin_post_id: `p${String(index)}`,
    type: 'Image',
    impression_count: 1000,
    engagement: 0.02 + index / 1000,
  }));
  const unrated = Array.from({ length: 12 }, (_, index) => ({
    ...whole,
    linkedin_post_id: `z${String(index).padStart(2, '0')}`,
    type: 'Image',
    impression_count: index % 2 === 0 ? 0 : null,
    engagement: 0,
  }));
  const labelled = (rows: readonly { linkedin_post_id: string }[]) => ({
    profiles,
    linkedin_posts: rows.map((row) => ({ ...row, post_id: `q${row.linkedin_post_id}` })),
    posts: rows.map(({ linkedin_post_id }) => ({ post_id: `q${linkedin_post_id}` })),
    labels: [{ label_id: 'l1', name: 'Award' }],
    post_labels: rows
      .filter(({ linkedin_post_id }) => Number(linkedin_post_id.slice(1)) < 10)
      .map(({ linkedin_post_id }) => ({ post_id: `q${linkedin_post_id}`, label_id: 'l1' })),
  });

  test('quartiles cover those posts, and need ten of them', async () => {
    const few = [...rated.slice(1), ...unrated].map((post) => ({
      ...post,
      linkedin_post_id: `few ${post.linkedin_post_id}`,
      post_id: post.linkedin_post_id,
      type: 'Text',
      profile_id: 'p2',
    }));
    const only = ['by_type', 'by_profile', 'by_campaign'];
    const document = await buildOf(
      {
        profiles,
        linkedin_posts: [...rated, ...unrated, ...few],
        posts: few.map(({ post_id }) => ({ post_id, campaign_id: 'few' })),
        campaigns: [{ campaign_id: 'few', name: 'Few' }],
      },
      'engagement',
      { only },
    );
    const quartiles = {
      rate_p25: 0.02225,
      rate_p50: 0.0245,
      rate_p75: expect.closeTo(0.02675, 12) as number,
    };
    const none = { rate_p25: null, rate_p50: null, rate_p75: null };
    for (const section of only) {
      const rows = rowsOf(document, section).toSorted(
        (a, b) => Number(b['posts']) - Number(a['posts']),
      );
      expect(rows, section).toMatchObject([
        { posts: 22, ...quartiles, engagement_rate: expect.closeTo(0.0245, 12) as number },
        { posts: 21, ...none },
      ]);
    }
  });

  test('hours and labels count those posts', async () => {
    const few = [...rated.slice(0, 4), ...unrated];
    const document = await buildOf(labelled(few), 'engagement', {
      only: ['by_weekday_hour', 'by_label'],
    });
    expectRows(document, 'by_weekday_hour', [
      { posts: 16, rated_posts: 4, engagement_rate: 0.0215 },
    ]);
    expectRows(document, 'by_label', [
      {
        label: 'Award',
        posts: 14,
        rated_posts: 4,
        lift: null,
        not_compared: 'not enough posts (4)',
      },
      {
        label: '(none)',
        posts: 2,
        rated_posts: 0,
        lift: null,
        not_compared: 'not enough posts (0)',
      },
    ]);
  });

  test('a period whose posts have none, or one of 0, is not called empty', async () => {
    const ledeOf = async (linkedin_posts: WarehouseRows['linkedin_posts']) =>
      (
        await buildOf({ profiles, linkedin_posts: linkedin_posts ?? [] }, 'engagement', {
          only: ['_lede'],
        })
      ).lede;
    expect(await ledeOf(unrated)).toBe(
      'The engagement rate is unknown: no post has both engagement and impressions. They brought **756** interactions.',
    );
    expect(await ledeOf([{ ...whole, engagement: 0 }])).toBe(
      '**0.0%** of impressions led to an engagement. That is 0 engagements from 1 post.',
    );
  });
});
