import { expect, test } from 'vitest';
import { buildOf } from './support/built-report.ts';
import { whole } from './support/golden-rows.ts';

const textOf = {
  p1: 'Grid at #Night, and again #night. #wind_2026!',
  p2: 'Straße #STRAẞE#Übung',
  p3: '#हिन्दी और #طاقة',
  p4: 'C# and # alone',
  p5: null,
  // 299 families of several code points each, then one more
  p6: '👩‍👩‍👧'.repeat(299),
  p7: '👩‍👩‍👧'.repeat(300),
  p8: 'a'.repeat(1_000),
  p9: 'a'.repeat(1_001),
};

const rows = {
  profiles: [{ profile_id: 'p1', name: 'Acme' }],
  linkedin_posts: Object.entries(textOf).map(([linkedin_post_id, commentary], index) => ({
    ...whole,
    linkedin_post_id,
    post_id: null,
    profile_id: 'p1',
    commentary,
    published_at: `2025-05-0${String(index + 1)}T08:00:00Z`,
    impression_count: 1_000,
    engagement: 0.01,
  })),
};

async function groups(section: string) {
  const parameters = { from: '2025-05-01', to: '2025-05-31' };
  const { sections } = await buildOf(rows, 'engagement', { only: [section, '_total'], parameters });
  const found = sections.find(({ name }) => name === section);
  const posts = found?.columns.findIndex(({ name }) => name === 'posts') ?? -1;
  return {
    counts: Object.fromEntries(found?.rows.map((row) => [String(row[0]), row[posts]]) ?? []),
    total: found?.total?.cells[posts],
  };
}

test('a post counts once under each of its hashtags, whatever their letter case and script', async () => {
  expect(await groups('by_hashtag')).toEqual({
    counts: {
      '#night': 1,
      '#wind_2026': 1,
      '#straße': 1,
      '#übung': 1,
      '#हिन्दी': 1,
      '#طاقة': 1,
      '(none)': 5,
    },
    total: 9,
  });
});

test('texts are as long as people see them', async () => {
  expect(await groups('by_text_length')).toEqual({
    counts: { 'Under 300 characters': 5, '300–1,000 characters': 2, 'Over 1,000 characters': 1 },
    total: 9,
  });
});
