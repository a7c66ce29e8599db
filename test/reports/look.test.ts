import { mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { renderHtml } from '../../src/render/html/render-html.ts';
import { renderMail } from '../../src/render/mail.ts';
import type { WarehouseRows } from '../report/support/report-warehouse.ts';
import { buildOf } from './support/built-report.ts';

const out = '/tmp/look';
mkdirSync(out, { recursive: true });
let seed = 7;
const rnd = () => (seed = (seed * 16807) % 2147483647) / 2147483647;

function world(n: number, from: string, days: number, P = 4, L = 4, C = 3, isPublic = false): WarehouseRows {
  const start = Date.parse(from);
  const posts = Array.from({ length: n }, (_, i) => {
    const page = i % P % 2 === 0;
    const imp = Math.floor(500 + rnd() ** 3 * 40000);
    const type = ['Text', 'Image', 'Video', 'Document', 'Poll'][Math.floor(rnd() * 5)];
    const likes = Math.floor(rnd() ** 2 * 200);
    const base = {
      linkedin_post_id: `x${i}`, post_id: `x${i}`, profile_id: `p${Math.floor(rnd() ** 2 * P)}`, type,
      published_at: new Date(start + Math.floor(rnd() * days * 864e5)).toISOString(),
      commentary: `Post number ${i} about things`,
      like_count: likes, comment_count: Math.floor(rnd() * 20), share_count: Math.floor(rnd() * 9),
    };
    if (isPublic) return base;
    return {
      ...base, click_count: page ? Math.floor(rnd() * 99) : null, save_count: page ? null : Math.floor(rnd() * 20),
      impression_count: imp, engagement: (likes + 20) / imp, emv: (imp * 30) / 1000,
      ...(type === 'Video' && { video_view_count: Math.floor(imp / 3), video_viewer_count: Math.floor(imp / 4), video_watch_time_seconds: imp * 4 }),
    };
  });
  return {
    profiles: Array.from({ length: P }, (_, i) => ({ profile_id: `p${i}`, name: `Profile ${String.fromCharCode(65 + (i % 26))}${i}`, cpm: 30 })),
    linkedin_posts: posts,
    posts: posts.map(({ post_id }, i) => ({ post_id, campaign_id: i % 3 === 0 ? `c${Math.floor(rnd() ** 2 * C)}` : null })),
    campaigns: Array.from({ length: C }, (_, i) => ({ campaign_id: `c${i}`, name: `Campaign ${i}` })),
    labels: Array.from({ length: L }, (_, i) => ({ label_id: `l${i}`, name: `Label ${i}` })),
    post_labels: posts.flatMap(({ post_id }, i) => {
      const a = Math.floor(rnd() ** 2 * L); const b = Math.floor(rnd() * L);
      if (i % 5 === 0) return [];
      return a === b || i % 2 ? [{ post_id, label_id: `l${a}` }] : [{ post_id, label_id: `l${a}` }, { post_id, label_id: `l${b}` }];
    }),
  };
}
const cases: Record<string, [WarehouseRows, { from: string; to: string }]> = {
  month1: [world(60, '2025-09-01', 91), { from: '2025-11-01', to: '2025-11-30' }],
  month2: [world(90, '2025-08-01', 120), { from: '2025-10-01', to: '2025-11-30' }],
  months40: [world(700, '2022-08-01', 1210), { from: '2022-08-01', to: '2025-11-30' }],
  many: [world(2500, '2025-01-01', 330, 192, 30, 40), { from: '2025-01-01', to: '2025-11-30' }],
  public: [world(412, '2025-01-01', 330, 5, 6, 4, true), { from: '2025-01-01', to: '2025-11-30' }],
};
const only = process.env['LOOK']?.split(',');
test.each(Object.entries(cases).filter(([name]) => !only || only.includes(name)))('%s', async (name, [rows, period]) => {
  for (const report of (process.env['REPORTS'] ?? 'emv,engagement,video,labels,campaigns').split(',')) {
    const document = await buildOf(rows, report, { parameters: period });
    writeFileSync(`${out}/${name}-${report}.html`, renderHtml(document, { logo: null, formats: ['csv', 'xlsx'] }));
    writeFileSync(`${out}/${name}-${report}.txt`, renderMail(document, { note: null, attached: [], leftOut: [] }).text);
    writeFileSync(`${out}/${name}-${report}.mail.html`, renderMail(document, { note: null, attached: [], leftOut: [] }).html);
    writeFileSync(`${out}/${name}-${report}.json`, JSON.stringify(document, (_, v) => typeof v === 'bigint' ? Number(v) : v instanceof Map ? undefined : v, 1));
  }
}, 300_000);
