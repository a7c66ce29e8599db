import type { WarehouseRows } from '../../report/support/report-warehouse.ts';
import { nothing, profiles, snapshot, whole, type GoldenCase } from './golden-rows.ts';

/** Deleted by people and automatically, before publication too, without campaign, with two labels, without figures. */
const deletedRows: WarehouseRows = {
  profiles: [...profiles, { profile_id: 'p2', name: 'Mara Lind', cpm: null }],
  linkedin_posts: [
    whole,
    { ...whole, linkedin_post_id: 'b', post_id: 'b1', emv: 118.2 },
    { ...whole, linkedin_post_id: 'c', post_id: 'c1', emv: 7, profile_id: 'p2' },
    { ...whole, ...nothing, linkedin_post_id: 'd', post_id: 'd1', profile_id: 'p2', type: 'Text' },
    { ...whole, linkedin_post_id: 'e', post_id: 'e1', published_at: null, emv: null },
    { ...whole, linkedin_post_id: 'f', post_id: 'f1', published_at: '2024-05-05T05:05:05Z' },
    { ...whole, linkedin_post_id: 'g', post_id: 'g1', emv: 60 },
  ],
  posts: [
    {
      post_id: 'b1',
      title: 'By a person',
      campaign_id: 'k1',
      removed_at: '2025-12-01T10:00:00Z',
      removed_by: 'Anna Lindqvist',
    },
    { post_id: 'c1', title: 'Automatic', removed_at: '2025-12-31T23:30:00Z' },
    {
      post_id: 'd1',
      title: '=HYPERLINK("http://example.com","look") <b>{n:count}</b>',
      campaign_id: 'k1',
      removed_at: '2026-01-02T08:00:00Z',
      removed_by: '=cmd|calc <i>Åse</i> {n:count}\n**Næss**',
    },
    { post_id: 'e1', removed_at: '2026-01-02T08:00:00Z', removed_by: 'Anna Lindqvist' },
    {
      post_id: 'f1',
      title: 'Before publication',
      removed_at: '2024-05-04T05:05:05Z',
      removed_by: 'Anna Lindqvist',
    },
    { post_id: 'g1', title: 'Still there', campaign_id: 'k1' },
    { post_id: 'x1', title: 'A draft', removed_at: '2025-12-05T10:00:00Z' },
    { post_id: 'x2', title: 'A draft that is there' },
  ],
  campaigns: [{ campaign_id: 'k1', name: 'Spring' }],
  labels: [
    { label_id: 'l1', name: 'Event' },
    { label_id: 'l2', name: 'Ærø' },
  ],
  post_labels: [
    { post_id: 'b1', label_id: 'l1' },
    { post_id: 'b1', label_id: 'l2' },
  ],
};

/** The cases of removed posts that reports must handle. */
export const removedCases: readonly GoldenCase[] = [
  { name: 'deleted-posts', reports: ['removed'], rows: deletedRows },
  {
    name: 'deleted-posts-of-a-period',
    reports: ['removed'],
    rows: deletedRows,
    parameters: { from: '2025-10-01', to: '2025-12-31', cpm: 12.5 },
  },
  {
    name: 'deleted-posts-as-of-2025-12-10',
    reports: ['removed'],
    rows: {
      profiles,
      linkedin_posts: ['a', 'b'].map((id) => ({
        ...whole,
        linkedin_post_id: id,
        post_id: `${id}1`,
      })),
      posts: [
        { post_id: 'a1', removed_at: '2025-12-10T22:59:59Z', removed_by: 'Anna Lindqvist' },
        { post_id: 'b1', removed_at: '2025-12-10T23:00:00Z', removed_by: 'Mara Lind' },
      ],
      linkedin_post_snapshots: ['a', 'b'].flatMap((id) => [
        snapshot(id, '2025-12-08', { impression_count: 100, emv: 3 }),
        snapshot(id, '2025-12-11', { impression_count: 900, emv: 27 }),
      ]),
    },
    parameters: { asOf: '2025-12-10' },
  },
];
