import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { isPlainAnswer } from '../../src/api/analytics-record.ts';
import { verifyRawStore } from '../../src/status/verify.ts';
import { eraseFromStore } from '../../src/store/erased-store.ts';
import { Eraser, hashOf } from '../../src/store/erasure.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import {
  analyticsRecord,
  finishOf,
  storeAnalytics,
  storeDetails,
  storeRun,
  load,
  recordOf,
  rowsOf,
  emptyConfig,
  valuesOf,
} from '../support/stored-run.ts';
import { warningLog } from '../support/warning-log.ts';

function withCommentary(id: string, escaped: string): string {
  return JSON.stringify(analyticsRecord({ id, commentary: '@' })).replace('"@"', `"${escaped}"`);
}

test('texts that DuckDB alone would choke on load, and so do their siblings; of a key that stands twice in a record or its linked post the last one counts', async () => {
  const config = await emptyConfig();
  const part = await RunWriter.open(config.dataDir, recordOf());
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  await storeAnalytics(part, `[${withCommentary('lone', 'a\\ud83dz \\ud83d\\ude00 \\\\ud83d')}]`);
  await storeAnalytics(part, `[${withCommentary('low', '\\uDE00\\n')}]`);
  await storeAnalytics(
    part,
    Buffer.concat([Buffer.from(`[${withCommentary('bytes', '@@')}]`)]).map((byte) =>
      byte === 0x40 ? 0xff : byte,
    ),
  );
  await storeAnalytics(part, `[${withCommentary('mark', '\\u0000\uFEFF')}]`);
  await storeAnalytics(part, `[${withCommentary('deep', 'x').replace('{', `{"nested":${deep},`)}]`);
  await storeAnalytics(part, ` [\n${withCommentary('plain', '\u2028')} ]\n`);
  const linked =
    '{"mood":1,"id":"p0","id":"p1","title":"A","labels":[],"mood":{"a":2},"__proto__":3}';
  const twice = JSON.stringify(
    analyticsRecord({ id: 'twice', commentary: '', servicePost: '@', likeCount: 10 }),
  )
    .replace('"@"', linked)
    .replace('"likeCount":10', '"likeCount":1,"likeCount":12');
  await storeAnalytics(part, `[${twice},${withCommentary('sibling', '')}]`);
  await storeDetails(part, 'p2', { id: 'p2', title: 'a\ud83d', labels: [] });
  await part.finish(finishOf());
  expect(await load(config)).toMatchObject({ postsRead: 8, rejected: 0, damaged: 0 });
  expect(await rowsOf(config, 'select reason from rejected_records')).toEqual([
    { reason: 'nested: nested more than 1000 deep' },
  ]);
  const rows = await rowsOf(
    config,
    'select linkedin_post_id as id, commentary from linkedin_posts order by id',
  );
  expect(rows).toEqual([
    { id: 'bytes', commentary: '\uFFFD\uFFFD' },
    { id: 'deep', commentary: 'x' },
    { id: 'lone', commentary: 'a\uFFFDz \u{1F600} \\ud83d' },
    { id: 'low', commentary: '\uFFFD\n' },
    { id: 'mark', commentary: '\0\uFEFF' },
    { id: 'plain', commentary: '\u2028' },
    { id: 'sibling', commentary: '' },
    { id: 'twice', commentary: '' },
  ]);
  const query = `select post_id, like_count, extra from linkedin_posts
    where linkedin_post_id in ('sibling', 'twice') order by all`;
  expect(await valuesOf(config, query)).toEqual([
    ['p1', 12, '{"servicePost":{"mood":{"a":2},"__proto__":3}}'],
    [null, 10, null],
  ]);
  expect(await valuesOf(config, 'select post_id, title from posts order by all')).toEqual([
    ['p1', 'A'],
    ['p2', 'a\uFFFD'],
  ]);
});

test('an answer that was found plain when it came loads like one that is looked at by the load', async () => {
  const bodies = [
    `[${withCommentary('plain', '\u2028')},${withCommentary('other', '')}]`,
    `[${withCommentary('twice', '').replace('{', '{"type":"Video",')}]`,
  ];
  const days = { first_day: '2026-01-01', last_day: '2026-01-29' };
  const proof = { ...days, reason: null, outside: 0 };
  const loaded = [{}, { plain_with: 'servicePost' }].map(async (mark) => {
    const config = await emptyConfig();
    const part = await RunWriter.open(config.dataDir, recordOf());
    for (const body of bodies) {
      const records = JSON.parse(body) as unknown[];
      expect(isPlainAnswer(Buffer.from(body), records, 'servicePost')).toBe(true);
      await storeAnalytics(part, body, { ...mark, proof });
    }
    await part.finish(finishOf());
    expect(await load(config)).toMatchObject({ postsRead: 3, rejected: 0, damaged: 0 });
    return valuesOf(config, 'from readings order by all');
  });
  const [without, marked] = await Promise.all(loaded);
  expect(without).toHaveLength(3);
  expect(marked).toEqual(without);
  // the record of its run, which names the linked post, may be lost
  const config = await emptyConfig();
  const record = analyticsRecord({ other: { id: 'p1' } });
  await storeRun(config, [record], { plain_with: 'other', proof });
  await load(config);
  expect(await valuesOf(config, 'select extra from readings')).toEqual([['{"other":{"id":"p1"}}']]);
});

test('an answer that was found plain when it came is looked at again once a person was taken out of it', async () => {
  const config = await emptyConfig();
  const proof = { first_day: '2026-01-01', last_day: '2026-01-29', reason: null, outside: 0 };
  const record = analyticsRecord({ servicePost: { id: 'ada', title: 'Title', labels: [] } });
  await storeRun(config, [record], { plain_with: 'servicePost', proof });
  const at = '2026-01-20T00:00:00.000Z';
  const subjects = [hashOf('salt', 'ada')];
  const times = { begun_at: at, finished_at: at };
  const erased = { subjects, posts: [], removed: 0 };
  const erasure = { id: 'one', kind: 'person' as const, ...times, ...erased };
  const eraser = new Eraser({ version: 1, salt: 'salt', erasures: [erasure] });
  expect(await eraseFromStore(config.dataDir, eraser)).toMatchObject({ rewritten: 1 });
  expect(await load(config)).toMatchObject({ postsRead: 1, unreadable: 1 });
});

test('a body or a manifest that was changed is skipped and named by every load, until it is restored; its siblings load', async () => {
  const config = await emptyConfig();
  const part = await RunWriter.open(config.dataDir, recordOf());
  const december = { start_date: '2025-12-02', end_date: '2025-12-31' };
  await storeAnalytics(part, [analyticsRecord({ id: 'first' })]);
  await storeAnalytics(part, [analyticsRecord({ id: 'second' })], {}, december);
  await storeDetails(part, 'p1', { id: 'p1' });
  await part.finish(finishOf());
  const body = join(part.folder, '000001.json.gz');
  const manifest = join(part.folder, '000003.manifest.json');
  const originals = [await readFile(body), await readFile(manifest)] as const;
  await writeFile(body, gzipSync('[]'));
  await writeFile(manifest, originals[1].subarray(0, 40));
  const { log, warnings } = warningLog();
  expect(await load(config, { log })).toMatchObject({ responses: 1, damaged: 2 });
  expect(await rowsOf(config, 'select start_date from extract_windows')).toEqual([
    { start_date: '2025-12-02' },
  ]);
  expect(warnings).toContainEqual([
    {},
    `${body} is not the body that its manifest describes; restore it from a backup; it was skipped`,
  ]);
  expect(await verifyRawStore(config)).toMatchObject({
    runs: 1,
    responses: 2,
    findings: [
      { kind: 'damaged', path: manifest },
      { kind: 'damaged', path: body },
    ],
  });
  expect(await load(config)).toMatchObject({ responses: 0, damaged: 2 });
  await writeFile(body, originals[0]);
  await writeFile(manifest, originals[1]);
  expect(await load(config)).toMatchObject({ responses: 2, damaged: 0 });
  expect(await load(config)).toMatchObject({ isPublished: false });
});
