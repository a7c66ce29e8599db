import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openPart } from '../../src/landing/landing-part.ts';
import { repairBody } from '../../src/load/well-formed.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  landAnalytics,
  landDetails,
  landRun,
  load,
  recordOf,
  rowsOf,
} from '../support/landed-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function withCommentary(id: string, escaped: string): string {
  return JSON.stringify(analyticsRecord({ id, commentary: '@' })).replace('"@"', `"${escaped}"`);
}

test('texts that DuckDB alone would choke on load, and so do their siblings', async () => {
  const config = configOf(await temporaryFolder());
  const part = await openPart(config.dataDir, recordOf());
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  await landAnalytics(part, `[${withCommentary('lone', 'a\\ud83dz \\ud83d\\ude00 \\\\ud83d')}]`);
  await landAnalytics(part, `[${withCommentary('low', '\\uDE00\\n')}]`);
  await landAnalytics(
    part,
    Buffer.concat([Buffer.from(`[${withCommentary('bytes', '@@')}]`)]).map((byte) =>
      byte === 0x40 ? 0xff : byte,
    ),
  );
  await landAnalytics(part, `\uFEFF[${withCommentary('mark', '\\u0000\uFEFF')}]`);
  await landAnalytics(part, `[${withCommentary('deep', 'x').replace('{', `{"nested":${deep},`)}]`);
  await landAnalytics(part, ` [\n${withCommentary('plain', '\u2028')} ]\n`);
  await part.finish(finishOf());
  expect(await load(config)).toMatchObject({ postsRead: 6, rejected: 0, damaged: 0 });
  const rows = await rowsOf(
    config,
    'select linkedin_post_id as id, commentary, length(extra) as extra from linkedin_posts order by id',
  );
  expect(rows).toEqual([
    { id: 'bytes', commentary: '\uFFFD\uFFFD', extra: null },
    { id: 'deep', commentary: 'x', extra: deep.length + '{"nested":}'.length },
    { id: 'lone', commentary: 'a\uFFFDz \u{1F600} \\ud83d', extra: null },
    { id: 'low', commentary: '\uFFFD\n', extra: null },
    { id: 'mark', commentary: '\0\uFEFF', extra: null },
    { id: 'plain', commentary: '\u2028', extra: null },
  ]);
});

test('of a key that stands twice in a linked post the last one counts, and other records load', async () => {
  const config = configOf(await temporaryFolder());
  const linked =
    '{"mood":1,"id":"p0","id":"p1","title":"A","labels":[],"mood":{"a":2},"__proto__":3}';
  const twice = JSON.stringify(analyticsRecord({ servicePost: '@' })).replace('"@"', linked);
  await landRun(config, `[${twice},${JSON.stringify(analyticsRecord({ id: 'other' }))}]`);
  expect(await load(config)).toMatchObject({ postsRead: 2, rejected: 0 });
  const query = 'select post_id, extra from linkedin_posts order by all';
  expect(await rowsOf(config, query)).toEqual([
    { post_id: 'p1', extra: '{"servicePost":{"__proto__":3,"mood":{"a":2}}}' },
    { post_id: null, extra: null },
  ]);
});

test('a record of thirty thousand fields that nobody knows loads, in time that grows as they do', async () => {
  const config = configOf(await temporaryFolder());
  const names = Array.from({ length: 30_000 }, (_, index) => `f${index}`);
  const fields = Object.fromEntries(names.map((name, index) => [name, index]));
  await landRun(config, JSON.stringify([{ ...analyticsRecord(), ...fields }]));
  expect(await load(config)).toMatchObject({ postsRead: 1, rejected: 0 });
  const [row] = await rowsOf(config, 'select extra from linkedin_posts');
  expect(JSON.parse(String(row?.['extra']))).toEqual(fields);
});

test('a record larger than 16 MiB loads', async () => {
  const config = configOf(await temporaryFolder());
  await landRun(config, [analyticsRecord({ commentary: 'x'.repeat(17 * 1024 * 1024) })]);
  await load(config);
  expect(await rowsOf(config, 'select length(commentary) as length from linkedin_posts')).toEqual([
    { length: 17 * 1024 * 1024 },
  ]);
});

test('details that are nested beyond all sense are set aside, and texts of millions of escapes load', async () => {
  const config = configOf(await temporaryFolder());
  const part = await openPart(config.dataDir, recordOf());
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const text = 'x\n'.repeat(5_000_000);
  const body = Buffer.from(`{"post":{"id":"p1","mood":${deep}}}`);
  await landDetails(part, 'p1', {}, { body });
  await landDetails(part, 'p2', { id: 'p2', title: text });
  await part.finish(finishOf());
  expect(await load(config)).toMatchObject({ rejected: 1 });
  expect(await rowsOf(config, 'select reason from rejected_records')).toEqual([
    { reason: 'the answer is nested more than 1000 deep' },
  ]);
  const query = 'select post_id, length(title) as length from posts';
  expect(await rowsOf(config, query)).toEqual([{ post_id: 'p2', length: text.length }]);
});

test('lone surrogates in details become U+FFFD', async () => {
  const config = configOf(await temporaryFolder());
  const part = await openPart(config.dataDir, recordOf());
  await landDetails(part, 'p1', { id: 'p1', title: 'a\ud83d', labels: [] });
  await part.finish(finishOf());
  await load(config);
  expect(await rowsOf(config, 'select title from posts')).toEqual([{ title: 'a\uFFFD' }]);
});

test.each([
  ['', 'empty'],
  ['[{"id":"a"},', 'cut after a comma'],
  ['{"posts":[]}', 'an object'],
  ['<html>', 'not JSON'],
])('%j is no answer (%s): its window failed', async (body) => {
  const config = configOf(await temporaryFolder());
  const part = await openPart(config.dataDir, recordOf());
  await landAnalytics(part, body);
  await landAnalytics(
    part,
    [analyticsRecord()],
    {},
    { start_date: '2025-12-02', end_date: '2025-12-31' },
  );
  await part.finish(finishOf());
  expect(await load(config)).toMatchObject({ postsRead: 1, rejected: 1 });
  expect(
    await rowsOf(config, 'select status, error from extract_windows order by start_date'),
  ).toEqual([
    { status: 'succeeded', error: null },
    { status: 'failed', error: 'the answer is not a JSON array' },
  ]);
});

test('a body that is not what was landed is set aside, and asked for again; its siblings load', async () => {
  const config = configOf(await temporaryFolder());
  const part = await openPart(config.dataDir, recordOf());
  const december = { start_date: '2025-12-02', end_date: '2025-12-31' };
  await landAnalytics(part, [analyticsRecord({ id: 'first' })]);
  await landAnalytics(part, [analyticsRecord({ id: 'second' })], {}, december);
  await part.finish(finishOf());
  await writeFile(join(part.folder, '000001.body.gz'), gzipSync('[]'));
  const warnings: string[] = [];
  const log = {
    error: () => undefined,
    info: () => undefined,
    debug: () => undefined,
    warn: (_: object, message: string) => void warnings.push(message),
  };
  expect(await load(config, { log })).toMatchObject({ responses: 1, damaged: 1, archived: 1 });
  expect(await rowsOf(config, 'select start_date from extract_windows')).toEqual([
    { start_date: '2025-12-02' },
  ]);
  expect(warnings).toEqual([
    `${join(part.folder, '000001.body.gz')} is not the body that its manifest tells of; it was set aside, and will be asked for again`,
  ]);
  const aside = join(config.dataDir, 'quarantine', 'acme', recordOf().run_id);
  expect(await readdir(aside)).toEqual(['000001.body.gz', '000001.manifest.json']);
  expect(await load(config)).toMatchObject({ responses: 0, damaged: 0, isPublished: false });
});

test('a manifest that is damaged is set aside with its body', async () => {
  const config = configOf(await temporaryFolder());
  await landRun(config, [analyticsRecord()]);
  const folder = join(config.dataDir, 'landing', 'acme', recordOf().run_id);
  const manifest = await readFile(join(folder, '000001.manifest.json'), 'utf8');
  await writeFile(join(folder, '000001.manifest.json'), manifest.slice(0, 40));
  expect(await load(config)).toMatchObject({ responses: 0, damaged: 1, archived: 1 });
});

test('only bodies that need it are repaired', () => {
  expect(repairBody(Buffer.from('["\\ud83d\\ude00", "\\\\ud800"]'))).toBeNull();
  expect(repairBody(Buffer.from('["\\u00e9"]'))).toBeNull();
  expect(repairBody(Buffer.from('["\\ude00\\ud83d", 9007199254740993]'))).toBe(
    '["\\ufffd\\ufffd", 9007199254740993]',
  );
});
