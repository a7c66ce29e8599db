import { expect, test } from 'vitest';
import { RunWriter } from '../../src/store/run-writer.ts';
import { hasPlainNumbers, parseDigits, writeExactly } from '../../src/core/exact-json.ts';
import { deletionEvent, storeEvents } from '../support/stored-events.ts';
import { configOf, finishOf, storeDetails, load, recordOf, rowsOf } from '../support/stored-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A text that JSON.stringify writes for each number that it cannot. */
const exactly = (post: object) => JSON.stringify(post).replaceAll(/"№(.*?)"/g, '$1');

const assets = [
  { id: 'm1', size: '№9007199254740993', width: '№9223372036854774784', height: '№1e3' },
  { id: 'm2', size: '№12.0', width: null, duration: '№0.5' },
];
const post = {
  id: 'p1',
  big: '№12345678901234567890',
  tiny: '№1e-400',
  list: ['№-9007199254740993', { of: '№1.5' }, 'say "7"', true],
  linkedIn: { copy: 'a 12345678901234567890', assets, followers: '№9007199254740993' },
};
const posts = 'select content, extra from posts';
const sizes = 'select asset_id, size, width, height, duration from assets order by all';
const rows = [
  {
    asset_id: 'm1',
    size: 9007199254740993n,
    width: 9223372036854774784n,
    height: 1000,
    duration: null,
  },
  { asset_id: 'm2', size: 12, width: null, height: null, duration: 0.5 },
];

test('details keep every digit of their numbers', async () => {
  const config = configOf(await temporaryFolder());
  const part = await RunWriter.open(config.dataDir, recordOf({ run_id: 'run-1' }));
  await storeDetails(part, 'p1', post, { body: Buffer.from(`{"post":${exactly(post)}}`) });
  await part.finish(finishOf());
  await load(config);
  const { id, linkedIn, ...extra } = post;
  expect(await rowsOf(config, posts)).toEqual([
    { content: exactly({ linkedIn }), extra: exactly(extra) },
  ]);
  expect(id).toBe('p1');
  expect(await rowsOf(config, sizes)).toEqual(rows);
});

test('events keep every digit of their numbers', async () => {
  const config = configOf(await temporaryFolder());
  const { big, tiny, list, linkedIn } = post;
  await storeEvents(config, [exactly(deletionEvent({ linkedIn, tiny, list, big }))]);
  expect((await load(config)).events.applied).toBe(1);
  expect(await rowsOf(config, posts)).toEqual([
    { content: exactly({ linkedIn }), extra: exactly({ tiny, list, big }) },
  ]);
  expect(await rowsOf(config, sizes)).toEqual(rows);
});

test('a text of megabytes and one full of escapes are passed over', () => {
  const json = JSON.stringify({ long: '1'.repeat(20_000_000), escaped: '"\\1'.repeat(500_000) });
  const value: unknown = JSON.parse(json);
  expect(writeExactly(value, parseDigits(json)) === json).toBe(true);
});

test('numbers are plain while JavaScript writes them as they stand there', () => {
  const plain = ['{"a":1,"b":[-2,0,123456789012345]}', '{"at":"2026-01-15T12:00:00.000Z"}', '{}'];
  const others = ['1.0', '1e3', '-0.5', '1234567890123456', '-9007199254740993', '1E5'];
  expect(plain.map(hasPlainNumbers)).toEqual(plain.map(() => true));
  const members = others.map((number) => `{"a":${number}}`);
  const elements = others.map((number) => `{"a":[0,${number}]}`);
  const first = others.map((number) => `{"a":[${number}]}`);
  const texts = [...members, ...elements, ...first];
  expect(texts.filter(hasPlainNumbers)).toEqual([]);
});
