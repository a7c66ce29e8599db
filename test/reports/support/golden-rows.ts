import { builtInReports, listReportNames } from '../../../src/report/report-catalog.ts';
import type { ReportParameters } from '../../../src/report/report-parameters.ts';
import type { ReportConfig } from '../../../src/report/report-session.ts';
import type { WarehouseRows } from '../../report/support/report-warehouse.ts';

export interface GoldenCase {
  readonly name: string;
  /** Names. */
  readonly reports: readonly string[];
  /** What varies of a report, as in {@link narrowed}; by default all of it. */
  readonly only?: readonly string[];
  readonly rows: WarehouseRows;
  readonly parameters?: Partial<ReportParameters>;
  readonly config?: Partial<ReportConfig>;
}

export const allReports = await listReportNames([builtInReports]);

export const profiles = [{ profile_id: 'p1', name: 'Acme', cpm: 30 }];

/** A video with every figure. */
export const whole = {
  linkedin_post_id: 'a',
  type: 'Video',
  published_at: '2025-11-03T08:15:00Z',
  commentary: 'We laid 47 km of cable.',
  like_count: 40,
  comment_count: 6,
  share_count: 3,
  click_count: 11,
  save_count: 2,
  send_count: 1,
  impression_count: 1234,
  engagement: 0.05,
  emv: 41.5,
  video_view_count: 300,
  video_viewer_count: 240,
  video_watch_time_seconds: 4510,
};

export const nothing = {
  like_count: null,
  comment_count: null,
  share_count: null,
  click_count: null,
  save_count: null,
  send_count: null,
  impression_count: null,
  engagement: null,
  emv: null,
  video_view_count: null,
  video_viewer_count: null,
  video_watch_time_seconds: null,
};

export const texts = [
  '=HYPERLINK("http://example.com","look")',
  '+49 30 1234567',
  '-1 reasons, @all',
  '＝1+1',
  '\t=1',
  '"Quoted", he said; really, "quoted"',
  'one\ntwo\r\nthree\rfour',
  'حمولة الشبكة ‏100‎ ₪',
  '👩🏽‍💻 shipped ❤️‍🔥 to 🇫🇷 1️⃣',
  '𝗦𝘁𝗼𝗽 𝗵𝗶𝗿𝗶𝗻𝗴',
  'e\u0301 is not \u00e9',
  '\uFEFFmark first',
  'line\u2028separator, nul\u0000 and \u0001',
  '<script>alert("&")</script> | pipe | **bold** {n:count}',
  ' ',
  '',
  `${'2,996 characters. '.repeat(166)}12345678`,
];

export function snapshot(id: string, day: string, metrics: Record<string, number | null>) {
  return {
    ...nothing,
    ...metrics,
    linkedin_post_id: id,
    captured_on: day,
    captured_at: `${day}T05:00:00Z`,
  };
}
