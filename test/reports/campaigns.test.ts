import { expect, test } from 'vitest';
import { buildOf } from './support/built-report.ts';
import { rowsOf } from './support/document-figures.ts';
import { nothing, profiles, whole } from './support/golden-rows.ts';

test('the day of a post replaces a missing date unless the campaign would then end before it starts, and a post of €0 takes no share', async () => {
  const posts = { early: 'early', late: 'late', same: 'same', worthless: 'same' };
  const built = await buildOf(
    {
      profiles,
      linkedin_posts: Object.keys(posts).map((id) => ({
        ...whole,
        linkedin_post_id: id,
        post_id: id,
        ...(id === 'worthless' && { emv: 0 }),
      })),
      posts: Object.entries(posts).map(([post_id, campaign_id]) => ({ post_id, campaign_id })),
      campaigns: [
        { campaign_id: 'early', name: 'A', start_date: '2025-12-01' },
        { campaign_id: 'late', name: 'B', end_date: '2025-10-01' },
        { campaign_id: 'same', name: 'C', start_date: '2025-11-03' },
      ],
    },
    'campaigns',
    { only: ['by_campaign', 'by_campaign_profile'] },
  );
  const dates = rowsOf(built, 'by_campaign').map((row) => [
    row['campaign'],
    row['start_date'],
    row['end_date'],
    row['dates_from'],
  ]);
  expect(dates.toSorted()).toEqual([
    ['A', '2025-12-01', null, 'start: the campaign'],
    ['B', null, '2025-10-01', 'end: the campaign'],
    ['C', '2025-11-03', '2025-11-03', 'start: the campaign, end: the last post'],
  ]);
  const shares = rowsOf(built, 'by_campaign_profile').map((row) => row['campaign_share']);
  expect(shares).toEqual([1, 1, 1]);
});

test('the five largest of more than six campaigns have a line each, and the others share one, which takes the name of no other', async () => {
  const names = ['A', 'B', 'C', 'D', 'other', 'F', 'G', 'H', 'the others'];
  const built = await buildOf(
    {
      profiles,
      linkedin_posts: names.map((name, index) => ({
        ...whole,
        linkedin_post_id: name,
        post_id: name,
        ...(name === 'the others' ? nothing : { emv: 100 - index }),
      })),
      posts: names.map((name) => ({ post_id: name, campaign_id: name })),
      campaigns: names.map((name) => ({ campaign_id: name, name })),
    },
    'campaigns',
    { only: ['campaign_days'] },
  );
  const lines = rowsOf(built, 'campaign_days').map((row) => [
    row['campaign'],
    row['cumulative_emv'],
  ]);
  expect(lines).toEqual([
    ['A', 100],
    ['B', 99],
    ['C', 98],
    ['D', 97],
    ['other', 96],
    ['the others (3)', 282],
  ]);
});

test('a report on a type does not list a campaign without posts', async () => {
  const rows = {
    profiles,
    linkedin_posts: [{ ...whole, post_id: 'a1' }],
    posts: [{ post_id: 'a1', campaign_id: 'k1' }],
    campaigns: [
      { campaign_id: 'k1', name: 'Spring' },
      { campaign_id: 'k2', name: 'Never' },
    ],
  };
  const namesOf = async (types: readonly string[]) =>
    rowsOf(
      await buildOf(rows, 'campaigns', { only: ['by_campaign'], parameters: { types } }),
      'by_campaign',
    ).map(({ campaign }) => campaign);
  expect(await namesOf([])).toEqual(['Spring', 'Never']);
  expect(await namesOf(['Video'])).toEqual(['Spring']);
});
