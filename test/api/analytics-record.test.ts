import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanRecord, isPlainAnswer } from '../../src/api/analytics-record.ts';

const plainRecord = {
  id: 'urn:li:share:1',
  url: 'https://www.linkedin.com/feed/update/urn:li:share:1',
  type: 'Image',
  commentary: 'Text',
  publishedAt: '2026-01-15T12:00:00Z',
  likeCount: 3,
  impressionCount: 1000,
  engagement: 0.25,
  servicePost: { id: 'p1', title: 'Title', labels: [{ labelId: 'l1', name: 'Label' }] },
};

function isPlain(record: unknown): boolean {
  return isPlainAnswer(Buffer.from(JSON.stringify([record])), [record], 'servicePost');
}

const hostileTime = fc.oneof(
  fc.stringMatching(/^\d{4}-[01]\d-[0-3]\d[Tt ][0-2]\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d)?$/),
  fc.constantFrom('2026-02-29T12:00:00Z', '2026-01-15T24:00:00Z', '0000-00-00T00:00:00Z', 'now'),
);
const hostileValue = fc.oneof(
  fc.jsonValue(),
  hostileTime,
  fc.constantFrom(
    2 ** 63,
    -(2 ** 63),
    2 ** 53,
    1.5,
    -0,
    ' ',
    '\u3000',
    '\u{1F680}',
    '\uD800',
    undefined,
  ),
);
const fieldNames = [...Object.keys(plainRecord), 'videoViewCount', 'undocumented', '__proto__'];

test('the typed scan is given only records that need no cleaning', () => {
  expect(isPlain(plainRecord)).toBe(true);
  const changes = fc.dictionary(fc.constantFrom(...fieldNames), hostileValue, { maxKeys: 2 });
  const time = fc.record({ publishedAt: hostileTime });
  fc.assert(
    fc.property(fc.oneof(changes, time, hostileValue), (change) => {
      const isChange = typeof change === 'object' && change !== null && !Array.isArray(change);
      const hostile = isChange ? { ...plainRecord, ...change } : change;
      const [record] = JSON.parse(JSON.stringify([hostile])) as unknown[];
      fc.pre(isPlain(record));
      expect(cleanRecord(record, 'servicePost')).toEqual({
        record,
        unreadable: [],
        textNumbers: [],
      });
    }),
    { numRuns: 2000 },
  );
});

test('a body with a surrogate escape, or that is not UTF-8, is cleaned', () => {
  const isPlainText = (text: string, encoding: BufferEncoding = 'utf8') => {
    const body = JSON.stringify([plainRecord]).replace('"Text"', `"${text}"`);
    const records = JSON.parse(body) as unknown[];
    return isPlainAnswer(Buffer.from(body, encoding), records, 'servicePost');
  };
  expect(isPlainText('\u00e9 \u{1F680}')).toBe(true);
  expect(isPlainText(String.raw`\ud55c \\ \n`)).toBe(true);
  expect(isPlainText(String.raw`\uD83D\uDE80`)).toBe(false);
  expect(isPlainText(String.raw`\ud800`)).toBe(false);
  expect(isPlainText('\u00e9', 'latin1')).toBe(false);
});
