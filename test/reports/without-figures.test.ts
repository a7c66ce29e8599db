import { describe, expect, test } from 'vitest';
import type { WarehouseRows } from '../report/support/report-warehouse.ts';
import { buildOf } from './support/built-report.ts';
import { rowsOf, sectionOf } from './support/document-figures.ts';
import { nothing, profiles, whole } from './support/golden-rows.ts';

const ledeOf = async (rows: WarehouseRows, report: string) =>
  (await buildOf(rows, report, { only: ['_lede', '_cards'] })).lede;

describe('the first sentence of a period with posts', () => {
  const unknown = {
    profiles: [{ profile_id: 'p1', name: 'Acme' }],
    linkedin_posts: [{ ...whole, ...nothing }],
  };
  const planned = (emv: number | null): WarehouseRows => ({
    profiles: [{ profile_id: 'p1', name: 'Acme' }],
    linkedin_posts: [{ ...whole, ...nothing, emv, post_id: 'a1' }],
    posts: [{ post_id: 'a1', campaign_id: 'k1' }],
    campaigns: [{ campaign_id: 'k1', name: 'Spring' }],
  });

  test('says so if their EMV is not known, 0 or a few cents', async () => {
    expect(await ledeOf(unknown, 'emv')).toBe('The EMV of your post is unknown.');
    expect(await ledeOf(planned(0), 'emv')).toBe('The EMV of your post is **€0**.');
    expect(await ledeOf(planned(0.01), 'emv')).toBe('Your post earned **€0.01** of media value.');
  });

  test('says so if none has a campaign, or if those of campaigns have no EMV', async () => {
    expect(await ledeOf(unknown, 'campaigns')).toBe('Your post belongs to no campaign.');
    expect(await ledeOf(planned(null), 'campaigns')).toBe(
      'Your campaign has 1 post of unknown EMV.',
    );
    expect(await ledeOf(planned(-2), 'campaigns')).toBe(
      'Your campaign has 1 post, with an EMV of **\u2212€2**.',
    );
  });
});

describe('the period before', () => {
  const rows: WarehouseRows = {
    profiles,
    linkedin_posts: [{ ...whole, post_id: 'a1', published_at: '2025-11-03T08:15:00Z' }],
    posts: [{ post_id: 'a1', campaign_id: 'k1' }],
    campaigns: [{ campaign_id: 'k1', name: 'Spring' }],
    labels: [{ label_id: 'l1', name: 'Event' }],
    post_labels: [{ post_id: 'a1', label_id: 'l1' }],
  };
  const asked = {
    only: ['summary', '_cards'],
    parameters: { from: '2025-11-01', to: '2025-11-30' },
  };
  const read = {
    ...rows,
    extract_windows: [{ start_date: '2025-01-01', end_date: '2025-12-31' }],
  };
  const column = {
    emv: 'previous_posts',
    campaigns: 'previous_campaigns',
  };

  test.each(Object.entries(column))(
    'of %s has 0 posts, and no sum, if it was read and had none',
    async (report, name) => {
      const built = await buildOf(read, report, asked);
      expect(Number(rowsOf(built, 'summary')[0]?.[name] ?? NaN)).toBe(0);
      const before = new Map(built.cards.map(({ figure, previous }) => [figure, previous]));
      expect([before.get('posts'), before.get('emv')]).toEqual([0, null]);
    },
  );

  test('is mentioned for each group that only it had', async () => {
    const before = (id: string) => ({
      ...whole,
      linkedin_post_id: id,
      post_id: id,
      published_at: '2025-10-03T08:15:00Z',
      type: 'Image',
    });
    const built = await buildOf(
      {
        ...read,
        linkedin_posts: [...(rows.linkedin_posts ?? []), before('b1'), before('b2'), before('b3')],
        posts: [
          ...(rows.posts ?? []),
          { post_id: 'b1', campaign_id: 'k2' },
          { post_id: 'b2' },
          { post_id: 'b3' },
        ],
        campaigns: [...(rows.campaigns ?? []), { campaign_id: 'k2', name: 'Autumn' }],
        labels: [
          ...(rows.labels ?? []),
          { label_id: 'l2', name: 'Fair' },
          { label_id: 'l3', name: 'Jobs' },
        ],
        post_labels: [
          ...(rows.post_labels ?? []),
          { post_id: 'b1', label_id: 'l2' },
          { post_id: 'b1', label_id: 'l3' },
          { post_id: 'b2', label_id: 'l1' },
          { post_id: 'b3', label_id: 'l1' },
        ],
      },
      'emv',
      { ...asked, only: ['by_type', 'by_campaign', 'by_label', 'by_profile'] },
    );
    expect(sectionOf(built, 'by_type').notes).toEqual([
      'The total before includes €124.50 of EMV of a group without posts in this period, which has no row.',
    ]);
    expect(sectionOf(built, 'by_campaign').notes).toEqual([
      'The total before includes €124.50 of EMV of 2 groups without posts in this period, which have no row.',
    ]);
    expect(sectionOf(built, 'by_label').notes).toEqual([
      'The total before includes €41.50 of EMV of 2 groups without posts in this period, which have no row.',
    ]);
    expect(sectionOf(built, 'by_profile').notes).toEqual([]);
  });
});
