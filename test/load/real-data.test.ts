import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';
import { emptyConfig, load, storeRun } from '../support/stored-run.ts';

const fixture = resolve(import.meta.dirname, '../fixtures/linkedin-pages');

const readingsSchema = z.array(z.object({ at: z.iso.datetime(), records: z.array(z.unknown()) }));

/** A row of the statistics as they were published, by the post's URN. */
interface Reading {
  readonly urn: string;
  readonly day: string;
  readonly at: string;
  readonly metrics: readonly (number | null)[];
}

const metricColumns = ['like', 'comment', 'share', 'click', 'impression'] as const;

/** The last reading of each post on each day, straight from the published CSV. */
function lastReadings(): Reading[] {
  const [head = '', ...lines] = readFileSync(join(fixture, 'raw/share_statistic.csv'), 'utf8')
    .trim()
    .split(/\r?\n/);
  const names = head.split(',');
  const byDay = new Map<string, Reading>();
  for (const line of lines) {
    const cells = line.split(',');
    const cell = (name: string) => cells[names.indexOf(name)] ?? '';
    const at = cell('_fivetran_synced');
    const urn = cell('_share_entity_urn');
    const number = (text: string) => (text === '' ? null : Number(text));
    const metrics = [
      ...metricColumns.map((metric) => number(cell(`${metric}_count`))),
      number(cell('engagement')),
    ];
    const key = `${urn} ${at.slice(0, 10)}`;
    if ((byDay.get(key)?.at ?? '') < at) {
      byDay.set(key, { urn, day: at.slice(0, 10), at, metrics });
    }
  }
  return [...byDay.values()];
}

it('keeps the real history of real pages: every reading is a snapshot, the last one the post', async () => {
  const config = await emptyConfig();
  const text = readFileSync(join(fixture, 'readings.json'), 'utf8');
  for (const [index, { at, records }] of readingsSchema.parse(JSON.parse(text)).entries())
    await storeRun(config, records, { fetchedAt: new Date(at) }, { run_id: `run${index}` });
  await load(config);
  const database = await openWarehouse(config.warehouse);
  onTestFinished(() => database.close());
  const snapshots = await database.queryObjects(`
    select
      regexp_extract(url, 'urn:li:share:\\d+') as urn,
      captured_on::varchar as day,
      [s.like_count, s.comment_count, s.share_count, s.click_count, s.impression_count]::varchar as counts,
      s.engagement
    from linkedin_post_snapshots s
    join linkedin_posts using (workspace, linkedin_post_id)`);
  const found = new Map(
    snapshots.map((row) => [`${String(row['urn'])} ${String(row['day'])}`, row]),
  );
  const readings = lastReadings();
  expect(readings.length).toBeGreaterThan(90);
  for (const { urn, day, metrics } of readings) {
    const row = found.get(`${urn} ${day}`);
    const counts = metrics.slice(0, 5).map((value) => (value === null ? 'NULL' : String(value)));
    expect(row, `${urn} on ${day}`).toMatchObject({
      counts: `[${counts.join(', ')}]`,
      engagement: metrics[5],
    });
  }
  const [total] = await database.queryObjects(
    'select count(*) as posts, count(distinct linkedin_post_id) as distinct_posts from linkedin_posts',
  );
  expect(total).toEqual({ posts: 155, distinct_posts: 155 });
});
