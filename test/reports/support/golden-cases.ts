import { generatePosts, generatedRows } from '../../report/support/generated-rows.ts';
import { audienceCases } from './audience-cases.ts';
import {
  allReports,
  nothing,
  profiles,
  snapshot,
  texts,
  whole,
  type GoldenCase,
} from './golden-rows.ts';
import { historyCases } from './history-cases.ts';
import { removedCases } from './removed-cases.ts';
import { valueCases } from './value-cases.ts';

/** The cases that reports must handle. Each has a folder under test/golden/reports. */
export const goldenCases: readonly GoldenCase[] = [
  ...removedCases,
  ...audienceCases,
  ...valueCases,
  ...historyCases,
  { name: 'empty', reports: allReports, rows: {} },
  {
    name: 'nulls-everywhere',
    reports: ['engagement', 'video'],
    rows: {
      linkedin_posts: [
        { ...nothing, linkedin_post_id: 'a', type: 'Video', published_at: null, commentary: null },
        { ...nothing, linkedin_post_id: 'b', type: 'Text', published_at: null, commentary: null },
      ],
    },
  },
  {
    name: 'cpm',
    reports: ['emv'],
    only: ['by_month', 'posts', 'cpm_band', 'left_out', 'summary', '_cards', '_lede'],
    rows: {
      profiles,
      linkedin_posts: [
        whole,
        { ...whole, linkedin_post_id: 'b', impression_count: 0 },
        { ...whole, linkedin_post_id: 'c', impression_count: null },
      ],
    },
    parameters: { cpm: 12.5 },
    config: { cpmBand: { low: 20, high: 45 } },
  },
  {
    name: 'as-of',
    reports: ['emv'],
    only: ['by_type', 'posts', 'left_out', 'summary', '_cards', '_coverage', '_lede'],
    rows: {
      profiles,
      linkedin_posts: ['a', 'b', 'c'].map((id) => ({
        ...whole,
        linkedin_post_id: id,
        post_id: `${id}1`,
      })),
      posts: [
        { post_id: 'a1', removed_at: '2025-12-10T22:59:59Z' },
        { post_id: 'b1', removed_at: '2025-12-10T23:00:00Z' },
        { post_id: 'c1', title: 'Read later' },
      ],
      linkedin_post_snapshots: [
        snapshot('a', '2025-12-08', { impression_count: 100, emv: 3 }),
        snapshot('b', '2025-12-08', { impression_count: 500, emv: null, video_view_count: 90 }),
        snapshot('b', '2025-12-09', { impression_count: 600, emv: null }),
        snapshot('b', '2025-12-10', { like_count: 7 }),
        snapshot('b', '2025-12-11', { impression_count: 700, emv: 99 }),
        snapshot('c', '2025-12-11', { impression_count: 1 }),
      ],
    },
    parameters: { asOf: '2025-12-10', removed: 'include' },
  },
  {
    name: 'nasty-texts',
    reports: ['emv'],
    only: ['posts', 'by_campaign', 'by_label', 'by_profile', 'by_type'],
    rows: {
      profiles: [{ profile_id: 'p1', name: '@Åse & Sønner, "A/S"', cpm: null }],
      linkedin_posts: texts.map((commentary, index) => ({
        ...whole,
        linkedin_post_id: `p${String(index).padStart(2, '0')}`,
        post_id: `planned-${index}`,
        type: index === 0 ? '-Reel' : 'Text',
        commentary,
      })),
      posts: texts.map((title, index) => ({
        post_id: `planned-${index}`,
        title: title.slice(0, 40),
        campaign_id: index % 2 === 0 ? 'k1' : null,
      })),
      campaigns: [{ campaign_id: 'k1', name: '=cmd|calc' }],
      labels: [{ label_id: 'l1', name: '{n:count} | +1' }],
      post_labels: [{ post_id: 'planned-3', label_id: 'l1' }],
    },
  },
  {
    name: 'compared-half-year',
    reports: allReports,
    rows: generatedRows(generatePosts(60, 3)),
    parameters: { from: '2025-07-01', to: '2025-12-31' },
    config: {
      currency: 'USD',
      locale: 'en-US',
      brand: { name: 'Fjord & Pine', logo: null, color: '#0b5fa5', productMark: true },
    },
  },
];
