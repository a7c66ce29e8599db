import { profiles, whole, type GoldenCase } from './golden-rows.ts';

/** Posts of one profile, a week apart from the first of May 2025 on. */
function weekly(count: number, at: (index: number) => Record<string, unknown>) {
  return Array.from({ length: count }, (_, index) => ({
    ...whole,
    linkedin_post_id: `p${String(index).padStart(2, '0')}`,
    published_at: new Date(Date.UTC(2025, 4, 1 + 7 * index, 10)).toISOString(),
    ...at(index),
  }));
}

/** Ten campaigns, of which two have one name and no dates in common, one no dates, and four no posts. */
const campaigns = [
  { campaign_id: 'k1', name: 'Spring', start_date: '2025-05-05', end_date: '2025-06-30' },
  { campaign_id: 'k2', name: 'Twice', start_date: '2025-05-01', end_date: '2025-05-31' },
  { campaign_id: 'k3', name: 'Twice', start_date: '2025-06-01', end_date: '2025-06-30' },
  { campaign_id: 'k4', name: 'Open', start_date: '2025-04-01', end_date: null },
  { campaign_id: 'k5', name: 'Undated', start_date: null, end_date: null },
  { campaign_id: 'k6', name: 'Long', start_date: '2024-01-01', end_date: '2027-12-31' },
  { campaign_id: 'k7', name: 'Empty', start_date: '2025-08-01', end_date: '2025-08-31' },
  { campaign_id: 'k8', name: 'Empty without dates', start_date: null, end_date: null },
  { campaign_id: 'k9', name: 'Over', start_date: '2023-01-01', end_date: '2023-12-31' },
  { campaign_id: 'k10', name: 'other', start_date: null, end_date: null },
  { campaign_id: 'k11', name: 'Seventh', start_date: '2025-05-05', end_date: '2025-06-30' },
  { campaign_id: 'k12', name: null, start_date: null, end_date: null },
];

const used = ['k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k10', 'k11', 'k12', null];

/** The cases that the reports on value, and campaigns must handle. */
export const valueCases: readonly GoldenCase[] = [
  {
    name: 'campaign-dates',
    reports: ['campaigns'],
    rows: {
      profiles: [...profiles, { profile_id: 'p2', name: 'Mara Lind', cpm: null }],
      linkedin_posts: weekly(30, (index) => ({
        post_id: `planned-${index}`,
        profile_id: index % 3 === 0 ? 'p2' : 'p1',
        emv: 20 + index,
        ...(index === 4 ? { emv: null, impression_count: null } : {}),
      })),
      posts: Array.from({ length: 30 }, (_, index) => ({
        post_id: `planned-${index}`,
        title: `Post ${index}`,
        campaign_id: used[index % used.length],
      })),
      campaigns,
    },
    parameters: { from: '2025-05-01', to: '2025-11-30' },
  },
  {
    name: 'campaigns-of-a-profile',
    reports: ['campaigns'],
    rows: {
      profiles,
      linkedin_posts: [
        { ...whole, post_id: 'a1', published_at: null },
        { ...whole, linkedin_post_id: 'b', post_id: 'b1', emv: -3, impression_count: 0 },
      ],
      posts: [
        { post_id: 'a1', campaign_id: 'k1' },
        { post_id: 'b1', title: ' ', campaign_id: 'k1' },
      ],
      campaigns,
    },
    parameters: { profiles: ['Acme'] },
  },
  {
    name: 'profiles-of-one-name',
    reports: ['emv'],
    only: ['by_profile', 'profile_months', 'posts', '_lede'],
    rows: {
      profiles: [
        { profile_id: 'p1', name: 'Mara Lind', cpm: null },
        { profile_id: 'p2', name: 'Mara Lind', cpm: null },
        { workspace: 'beta', profile_id: 'p1', name: 'Mara Lind', cpm: null },
      ],
      linkedin_posts: weekly(9, (index) => ({
        workspace: index % 3 === 2 ? 'beta' : 'acme',
        profile_id: index % 3 === 1 ? 'p2' : 'p1',
        emv: index === 0 ? -5 : 7,
      })),
    },
  },
];
