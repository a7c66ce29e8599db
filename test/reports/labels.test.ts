import { beforeAll, describe, expect, test } from 'vitest';
import type { ReportDocument } from '../../src/report/report-document.ts';
import {
  generatePosts,
  generatedRows,
  type GeneratedPost,
} from '../report/support/generated-rows.ts';
import { buildOf } from './support/built-report.ts';
import { expectRows, rowsOf, sectionOf, type Row } from './support/document-figures.ts';
import { areClearlyApart } from './support/expected-engagement.ts';
import {
  engagementsOf,
  impressionsOf,
  isInPeriod,
  ratio,
  sum,
} from './support/expected-figures.ts';
import { emvsOf, medianOf, monthOf, type Posts } from './support/expected-value.ts';
import { profiles, whole } from './support/golden-rows.ts';

const all = generatePosts(700, 5);
const asked = { timezone: 'Europe/Berlin', cpm: null, removed: 'exclude' } as const;
const within = (from: string, to: string) =>
  all.filter((post) => post.removedAt === null && isInPeriod(post, { ...asked, from, to }));
const shown = within('2025-07-01', '2025-12-31');
const previous = within('2025-01-01', '2025-06-30');
const labels = ['Event', 'Hiring', 'Ærø'];
let document: ReportDocument;

beforeAll(async () => {
  document = await buildOf(generatedRows(all), 'labels', {
    parameters: { from: '2025-07-01', to: '2025-12-31' },
  });
});

const namesOf = ({ labels: own }: GeneratedPost) =>
  [...new Set(own.map(({ name }) => name))].sort();
const total = (posts: Posts) => sum(emvsOf(posts, { cpm: null }));
const rateOf = (posts: Posts) => ratio(posts, engagementsOf, impressionsOf);
const isRated = (post: GeneratedPost) => rateOf([post]) !== null;
const perPost = (posts: Posts) => (total(posts) ?? NaN) / emvsOf(posts, { cpm: null }).length;
const has = (label: string) => (post: GeneratedPost) =>
  label === '(none)' ? namesOf(post).length === 0 : namesOf(post).includes(label);

describe('every figure agrees with the posts:', () => {
  test('labels, with and without', () => {
    const wanted = [...labels, '(none)'].map((label): Row & { emv: number | null } => {
      const own = shown.filter(has(label));
      const others = shown.filter((post) => !has(label)(post));
      const [rate, rest] = [Number(rateOf(own)), Number(rateOf(others))];
      const before = total(previous.filter(has(label)));
      return {
        label,
        posts: own.length,
        engagement_rate: rate,
        engagement_rate_without: rest,
        lift: rate - rest,
        factor: rate / rest,
        comparison: null,
        is_clear: areClearlyApart(
          [{ inside: own.filter(isRated), outside: others.filter(isRated) }],
          rate,
          rest,
        ),
        emv: total(own),
        emv_share: Number(total(own)) / Number(total(shown)),
        emv_per_post: perPost(own),
        emv_per_post_without: perPost(others),
        emv_factor: perPost(own) / perPost(others),
        median_emv: medianOf(emvsOf(own, { cpm: null })),
        previous_emv: before,
        emv_change: Number(total(own)) / Number(before) - 1,
      };
    });
    const order = (row: Row & { emv: number | null }) =>
      row['label'] === '(none)' ? -Infinity : Number(row.emv);
    expectRows(
      document,
      'by_label',
      wanted.toSorted((a, b) => order(b) - order(a)),
    );
  });

  test('labels by month', () => {
    const rows = rowsOf(document, 'by_label_month');
    expect(rows.length).toBe(labels.length * 6);
    for (const row of rows) {
      const own = shown.filter(
        (post) => has(String(row['label']))(post) && monthOf(post) === row['month'],
      );
      expect(row['posts']).toBe(own.length);
      expect(row['emv']).toBeCloseTo(total(own) ?? NaN, 6);
    }
  });

  test('pairs of labels', () => {
    const pairs = labels.flatMap((label, index) =>
      labels.slice(index + 1).map((other_label) => {
        const own = shown.filter((post) => has(label)(post) && has(other_label)(post));
        return {
          label,
          other_label,
          posts: own.length,
          engagement_rate: rateOf(own),
          emv: total(own),
        };
      }),
    );
    const order = pairs.toSorted((a, b) => b.posts - a.posts || Number(b.emv) - Number(a.emv));
    expectRows(document, 'label_pairs', order);
  });

  test('the number of labels of a post, each post once', () => {
    const counts = ['0', '1', '2', '3 or more'];
    const rows = counts.map((words, count) => {
      const own = shown.filter((post) => Math.min(namesOf(post).length, 3) === count);
      return {
        label_count: words,
        posts: own.length,
        impressions: sum(own.map(impressionsOf)),
        engagement_rate: rateOf(own),
        emv: total(own),
        median_emv: medianOf(emvsOf(own, { cpm: null })),
      };
    });
    expectRows(document, 'labels_per_post', rows);
    expect(rows.reduce((posts, row) => posts + row.posts, 0)).toBe(shown.length);
  });

  test('the posts behind the rows', () => {
    const rows = rowsOf(document, 'by_label');
    const [once] = rowsOf(document, 'unique_posts');
    expect(once?.['posts']).toBe(shown.length);
    expect(once?.['posts_in_rows']).toBe(
      rows.reduce((posts, row) => posts + Number(row['posts']), 0),
    );
    expect(Number(once?.['posts_in_rows'])).toBeGreaterThan(shown.length);
    expect(once?.['emv']).toBeCloseTo(total(shown) ?? NaN, 6);
    expect(sectionOf(document, 'by_label').total?.label).toBe('All posts, each counted once');
    const labelled = shown.filter((post) => namesOf(post).length > 0);
    expectRows(document, 'summary', [
      {
        labels: labels.length,
        posts: shown.length,
        labelled_posts: labelled.length,
        posts_without_label: shown.length - labelled.length,
        posts_with_several: shown.filter((post) => namesOf(post).length > 1).length,
        labelled_emv: total(labelled),
        labelled_engagement_rate: rateOf(labelled),
        previous_labelled_posts: previous.filter((post) => namesOf(post).length > 0).length,
      },
    ]);
  });
});

/** Thirty posts, of which the first have the label. */
async function comparedWith(labelled: number, set: Record<string, string> = {}) {
  const posts = Array.from({ length: 30 }, (_, index) => `p${index}`);
  const built = await buildOf(
    {
      profiles,
      linkedin_posts: posts.map((id) => ({ ...whole, linkedin_post_id: id, post_id: id })),
      posts: posts.map((post_id) => ({ post_id })),
      labels: [{ label_id: 'l1', name: 'Event' }],
      post_labels: posts.slice(0, labelled).map((post_id) => ({ post_id, label_id: 'l1' })),
    },
    'labels',
    { only: ['by_label'], set },
  );
  const [row] = rowsOf(built, 'by_label');
  return [row?.['lift'], row?.['factor'], row?.['engagement_rate_without'], row?.['comparison']];
}

test('a label is compared if at least ten posts have it and ten do not', async () => {
  expect(await comparedWith(8)).toEqual([null, null, null, 'not enough posts (8)']);
  expect(await comparedWith(22)).toEqual([null, null, null, 'not enough posts without it (8)']);
  const [lift, factor, without, comparison] = await comparedWith(10);
  expect(lift).toBeCloseTo(0, 9);
  expect(factor).toBeCloseTo(1, 9);
  expect([without, comparison]).toEqual([expect.closeTo(0.05, 9), null]);
  expect((await comparedWith(8, { minimum_posts: '8' }))[3]).toBeNull();
});

test('the fifty most frequent of many pairs are listed, with a note', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `L${String(index).padStart(2, '0')}`);
  const built = await buildOf(
    {
      profiles,
      linkedin_posts: [{ ...whole, post_id: 'a1' }],
      posts: [{ post_id: 'a1' }],
      labels: names.map((name) => ({ label_id: name, name })),
      post_labels: names.map((label_id) => ({ post_id: 'a1', label_id })),
    },
    'labels',
    { only: ['label_pairs'] },
  );
  expect(rowsOf(built, 'label_pairs').length).toBe(50);
  expect(sectionOf(built, 'label_pairs').notes).toEqual([
    'The 50 most frequent of 66 pairs are listed.',
  ]);
});

test('posts with 0 impressions have no rate, and the label with the highest one leads', async () => {
  const groups = { Fair: 10, Jobs: 10, Quiet: 10, none: 10 };
  const engagement = { Fair: 0.06, Jobs: 0.01, Quiet: 0.03, none: 0.03 };
  const posts = Object.entries(groups).flatMap(([label, count]) =>
    Array.from({ length: count }, (_, index) => ({
      label: label as keyof typeof groups,
      id: `${label}${index}`,
    })),
  );
  const built = await buildOf(
    {
      profiles,
      linkedin_posts: posts.map(({ label, id }) => ({
        ...whole,
        linkedin_post_id: id,
        post_id: id,
        engagement: engagement[label],
        impression_count: id === 'Quiet0' ? 0 : 1000,
      })),
      posts: posts.map(({ id }) => ({ post_id: id })),
      labels: ['Fair', 'Jobs', 'Quiet'].map((name) => ({ label_id: name, name })),
      post_labels: posts
        .filter(({ label }) => label !== 'none')
        .map(({ label, id }) => ({ post_id: id, label_id: label })),
    },
    'labels',
    { only: ['by_label', 'left_out'] },
  );
  const quiet = rowsOf(built, 'by_label').find(({ label }) => label === 'Quiet');
  expect([quiet?.['comparison'], Number(quiet?.['rated_posts'])]).toEqual([
    'not enough posts (9)',
    9,
  ]);
  expect(sectionOf(built, 'by_label').finding).toMatch(
    /^Posts labelled Fair lead with a rate of 6\.0%, /u,
  );
  expect(rowsOf(built, 'left_out').map(({ what }) => what)).toContain('With 0 impressions');
});
