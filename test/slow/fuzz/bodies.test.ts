import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkedInPostAnalyticsSchema } from '../../../src/api/schemas/analytics.ts';
import type { Config } from '../../../src/config/config.ts';
import { RunWriter } from '../../../src/store/run-writer.ts';
import { assertHolds, fuzzTimeoutMs } from '../../support/fuzz.ts';
import { harshValue, objectNear } from '../../support/harsh-json.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  storeAnalytics,
  storeDetails,
  load,
  recordOf,
  rowsOf,
} from '../../support/stored-run.ts';
import { postDetails } from '../../support/made-records.ts';
import { dumpTables } from '../../support/table-dump.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const linkedPost = {
  id: 'p1',
  title: 'Spring',
  labels: [{ labelId: 'l1', name: 'red' }],
  campaign: { id: 'c1', name: 'Spring' },
};
const usualRecord = analyticsRecord({ servicePost: linkedPost });
const linked = fc.oneof(harshValue, objectNear(linkedPost));
const record = fc.oneof(
  { weight: 4, arbitrary: objectNear(usualRecord) },
  linked.map((text) =>
    JSON.stringify({ ...usualRecord, servicePost: '@' }).replace('"@"', () => text),
  ),
  harshValue,
);

/** An answer's records, among which `good-<nth>` is one that nothing is wrong with. */
function answerText(records: readonly string[], position: number, nth: number): string {
  const good = JSON.stringify(analyticsRecord({ id: `good-${nth}` }));
  const at = position % (records.length + 1);
  return `[${[...records.slice(0, at), good, ...records.slice(at)].join(',')}]`;
}

const answers = fc
  .array(fc.tuple(fc.array(record, { maxLength: 5 }), fc.nat(5)), { minLength: 1, maxLength: 3 })
  .map((given) => given.map(([records, position], nth) => answerText(records, position, nth)));

/** What the tables and the set-aside records hold of one run. */
async function landAndLoad(bodies: readonly string[], folder: string) {
  const config = configOf(folder);
  const part = await RunWriter.open(config.dataDir, recordOf());
  for (const body of bodies) await storeAnalytics(part, body);
  await part.finish(finishOf());
  const summary = await load(config);
  await holdStill(config);
  return { config, summary };
}

/** Loading again finds nothing to do, and each record that was set aside has a reason with its location. */
async function holdStill(config: Config): Promise<void> {
  const before = await dumpTables(config);
  expect(await load(config)).toMatchObject({ responses: 0, isPublished: false });
  expect(await dumpTables(config)).toEqual(before);
  for (const { reason } of await rowsOf(config, 'select reason from rejected_records'))
    expect(reason).toMatch(/^[\w.-]+: |^expected an object|^the answer is /);
}

function recordsOf(body: string): unknown[] {
  return JSON.parse(body) as unknown[];
}

test(
  'of answers with odd records every record is in a table or set aside, and good ones are in a table',
  async () => {
    const root = await temporaryFolder();
    let nth = 0;
    await assertHolds(
      fc.asyncProperty(answers, async (bodies) => {
        nth += 1;
        const { config, summary } = await landAndLoad(bodies, join(root, String(nth)));
        const count = bodies.reduce((sum, body) => sum + recordsOf(body).length, 0);
        expect(summary.postsRead + summary.rejected).toBe(count);
        expect(summary.damaged).toBe(0);
        const ids = await rowsOf(config, 'select linkedin_post_id as id from linkedin_posts');
        const known = new Set(ids.map(({ id }) => id));
        for (const good of bodies.keys()) expect(known).toContain(`good-${good}`);
      }),
      4,
    );
  },
  fuzzTimeoutMs,
);

test(
  'what the API document allows is never set aside',
  async () => {
    const root = await temporaryFolder();
    let nth = 0;
    const allowed = record.filter(isAllowed);
    await assertHolds(
      fc.asyncProperty(fc.array(allowed, { minLength: 1, maxLength: 40 }), async (records) => {
        nth += 1;
        const { config, summary } = await landAndLoad(
          [`[${records.join(',')}]`],
          join(root, String(nth)),
        );
        expect(await rowsOf(config, 'select reason, payload from rejected_records')).toEqual([]);
        expect(summary.postsRead).toBe(records.length);
      }),
      4,
    );
  },
  fuzzTimeoutMs,
);

/** The document allows a text where nothing is said; without an id, an address and a type nothing is known of a post. */
function isAllowed(text: string): boolean {
  const read = linkedInPostAnalyticsSchema.safeParse(JSON.parse(text));
  const needed = read.success ? [read.data.id, read.data.url, read.data.type] : [''];
  return needed.every((each) => each.trim() !== '');
}

const details = fc.oneof(
  { weight: 3, arbitrary: objectNear(postDetails(1)).map((post) => `{"post":${post}}`) },
  objectNear({ post: postDetails(1) }),
  fc
    .record({ one: objectNear({ id: 'a1', size: 1, duration: 2.5 }), two: harshValue })
    .map(({ one, two }) =>
      JSON.stringify({ post: postDetails(1, { linkedIn: { copy: 'x', assets: ['@', '@@'] } }) })
        .replace('"@"', () => one)
        .replace('"@@"', () => two),
    ),
);

test(
  'details of whatever form are in the tables or set aside, and other details are not lost',
  async () => {
    const root = await temporaryFolder();
    let nth = 0;
    const id = String(postDetails(1)['id']);
    await assertHolds(
      fc.asyncProperty(fc.array(details, { minLength: 1, maxLength: 24 }), async (bodies) => {
        nth += 1;
        const config = configOf(join(root, String(nth)));
        const part = await RunWriter.open(config.dataDir, recordOf());
        for (const body of bodies) await storeDetails(part, id, null, found(body));
        await storeDetails(part, 'good', { id: 'good', title: 'Good' });
        await part.finish(finishOf());
        const summary = await load(config);
        await holdStill(config);
        const [taken] = await rowsOf(
          config,
          `select count(*) filter (where title = 'Good') as good from posts`,
        );
        expect(taken).toMatchObject({ good: 1 });
        expect(summary.rejected).toBeLessThanOrEqual(bodies.length);
        if (summary.rejected < bodies.length)
          expect(
            await rowsOf(config, `select 1 as one from posts where post_id = '${id}'`),
          ).toHaveLength(1);
      }),
      4,
    );
  },
  fuzzTimeoutMs,
);

function found(body: string) {
  return { outcome: 'succeeded', http_status: 200, body: Buffer.from(body) } as const;
}
