import { generateHistory, historyRows } from './growth-history.ts';
import { profiles, texts, whole, type GoldenCase } from './golden-rows.ts';

/** The cases that the reports on growth and data quality must handle. */
export const historyCases: readonly GoldenCase[] = [
  { name: 'history-of-readings', reports: ['growth'], rows: historyRows(generateHistory(60, 5)) },
  {
    name: 'faulty-data',
    reports: ['quality'],
    rows: {
      profiles: [...profiles, { profile_id: 'p2', name: '=cmd|<b>Mara</b>', cpm: null }],
      linkedin_posts: [
        { ...whole, linkedin_post_id: 'a', type: '<script>Reel', click_count: -2, post_id: 'a1' },
        { ...whole, linkedin_post_id: 'b', impression_count: 0, engagement: 1.4, emv: 0 },
        { ...whole, linkedin_post_id: 'c', published_at: null, emv: 50 },
      ],
      posts: [{ post_id: 'a1', status: 'archived', missing_since: '2026-01-01T05:00:00Z' }],
      extract_windows: [
        window('2025-11-01', '2025-11-10', {}),
        window('2025-11-13', '2025-11-20', {
          error: 'HTTP 500',
          http_status: 500,
          status: 'failed',
        }),
        window('2025-11-13', '2025-11-15', { run_id: 'r2', fetched_at: '2026-01-04T06:00:00Z' }),
      ],
      rejected_records: texts.map((reason, index) => ({
        source: `acme GET /analytics/linkedin/p${1 + (index % 2)}/posts`,
        reason,
        payload: 'secret',
        payload_sha256: String(index),
        rejected_at: '2026-01-03T05:00:00Z',
      })),
      webhook_events: [
        {
          event_key: 'k1',
          type: '=1+1',
          outcome: 'rejected',
          reason: 'no workspace of that name',
          received_at: '2026-01-02T05:00:00Z',
        },
      ],
      runs: [
        { run_id: 'r1', finished_at: '2026-01-04T05:02:03.500Z', retries: 1, throttled: 2 },
        { run_id: 'r2', status: 'interrupted', started_at: '2026-01-04T06:00:00Z' },
      ],
    },
  },
];

function window(start_date: string, end_date: string, changes: Record<string, unknown>) {
  return { start_date, end_date, http_status: 200, ...changes };
}
