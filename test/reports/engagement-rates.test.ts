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
  test('quartiles cover those posts, and need ten of them, and hours and labels count those posts', async () => {
    const few = [...rated.slice(1), ...unrated].map((post) => ({
      ...post,
      linkedin_post_id: `few ${post.linkedin_post_id}`,
      type: 'Text',
      profile_id: 'p2',
    }));
    const linkedin_posts = [...rated, ...unrated, ...few].map((post) => ({
      ...post,
      post_id: post.linkedin_post_id,
    }));
    const labelled = [...rated.slice(0, 4), ...unrated.slice(0, 10)];
    const quartered = ['by_type', 'by_profile', 'by_campaign'];
    const document = await buildOf(
      {
        profiles,
        linkedin_posts,
        posts: linkedin_posts.map(({ post_id, type }) => ({
          post_id,
          campaign_id: type === 'Text' ? 'few' : null,
        })),
        campaigns: [{ campaign_id: 'few', name: 'Few' }],
        labels: [{ label_id: 'l1', name: 'Award' }],
        post_labels: labelled.map(({ linkedin_post_id }) => ({
          post_id: linkedin_post_id,
          label_id: 'l1',
        })),
      },
      'engagement',
      { only: [...quartered, 'by_weekday_hour', 'by_label'] },
    );
    const quartiles = {
      rate_p25: 0.02225,
      rate_p50: 0.0245,
      rate_p75: expect.closeTo(0.02675, 12) as number,
    };
    const none = { rate_p25: null, rate_p50: null, rate_p75: null };
    for (const section of quartered) {
      const rows = rowsOf(document, section).toSorted(
        (a, b) => Number(b['posts']) - Number(a['posts']),
      );
      expect(rows, section).toMatchObject([
        { posts: 22, ...quartiles, engagement_rate: expect.closeTo(0.0245, 12) as number },
        { posts: 21, ...none },
      ]);
    }
    expectRows(document, 'by_weekday_hour', [
      { posts: 43, rated_posts: 19, engagement_rate: (0.245 + 0.225) / 19 },
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
        posts: 29,
        rated_posts: 15,
        lift: null,
        not_compared: 'not enough other posts (4)',
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
