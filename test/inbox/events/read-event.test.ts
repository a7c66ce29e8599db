import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { readEvent } from '../../../src/inbox/events/read-event.ts';
import { UnfitEventError } from '../../../src/inbox/events/unfit-event-error.ts';

const createdAt = '2026-01-15T12:00:00.000Z';

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function read(text: string) {
  return readEvent(Buffer.from(text));
}

function errorsOf(body: Uint8Array | string): UnfitEventError['errors'] | null {
  try {
    readEvent(Buffer.from(body));
    return null;
  } catch (error) {
    if (error instanceof UnfitEventError) return error.errors;
    throw error;
  }
}

function eventWith(data: string): string {
  return `{"type":"t","data":${data},"createdAt":"${createdAt}"}`;
}

test('reads an event: its type, its text on one line, and the SHA-256 of its canonical JSON', () => {
  const text = `{ "type": "post.created",\n "data": {"size": 1.0}, "createdAt": "${createdAt}" }`;
  expect(read(text)).toEqual({
    eventKey: sha256(`{"createdAt":"${createdAt}","data":{"size":1},"type":"post.created"}`),
    type: 'post.created',
    payload: `{"type":"post.created","data":{"size":1.0},"createdAt":"${createdAt}"}`,
  });
});

test('ignores one leading byte order mark, and no second one', () => {
  const text = eventWith('{}');
  expect(read(`\ufeff${text}`)).toEqual(read(text));
  expect(errorsOf(`\ufeff\ufeff${text}`)).toEqual({
    body: ['is not JSON: character 1 is where there should be a value'],
  });
});

test.each([
  ['a broken character', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['half of a pair', Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
  ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(eventWith('{}'), 'utf16le')])],
])('refuses bytes that are no UTF-8: %s', (_, body) => {
  expect(errorsOf(body)).toEqual({ body: ['is not UTF-8'] });
});

describe('the envelope', () => {
  const timeProblem = 'expected an ISO 8601 time such as 2026-01-15T12:00:00Z, got ';

  it('names every field that is wrong', () => {
    expect(errorsOf('{}')).toEqual({
      type: ['missing'],
      data: ['missing'],
      createdAt: ['missing'],
    });
    expect(errorsOf('{"type":"","data":[1],"createdAt":1}')).toEqual({
      type: ['expected text that is not empty, got ""'],
      data: ['expected an object, got a list'],
      createdAt: [`${timeProblem}1`],
    });
    expect(errorsOf('{"type":{},"data":null,"createdAt":false}')).toEqual({
      type: ['expected text, got an object'],
      data: ['expected an object, got null'],
      createdAt: [`${timeProblem}false`],
    });
  });

  it.each(['null', '"{}"', '1', 'true'])('refuses data that is %s', (data) => {
    expect(Object.keys(errorsOf(eventWith(data)) ?? {})).toEqual(['data']);
  });

  it.each([
    '2026-01-15T12:00:00Z',
    '2026-01-15T12:00:00.123456789+05:30',
    '2024-02-29T23:59:59-12:00',
    '2026-01-15T12:00:00',
    '2026-01-15 12:00',
    '2026-01-15t12:00:00.5z',
    '2026-01-15T12:00:00+0530',
    '2026-01-15T12:00+05',
  ])('takes the time %s', (time) => {
    expect(errorsOf(`{"type":"t","data":{},"createdAt":"${time}"}`)).toBeNull();
  });

  it.each([
    '2026-01-15',
    '2026-02-30T12:00:00Z',
    '2026-01-15T25:00:00Z',
    '15 January 2026',
    '1768478400000',
    '',
  ])('refuses the time %j', (time) => {
    expect(errorsOf(`{"type":"t","data":{},"createdAt":"${time}"}`)).toEqual({
      createdAt: [`${timeProblem}${JSON.stringify(time)}`],
    });
  });

  it('shows no more of a value than its beginning, and nothing that a terminal would obey', () => {
    const value = `\u001b[31m${'😀'.repeat(100_000)}`;
    const event = JSON.stringify({ type: 't', data: value, createdAt: value });
    const shown = `"\\u001b[31m${'😀'.repeat(35)}"`;
    expect(errorsOf(event)).toEqual({
      data: [`expected an object, got ${shown}`],
      createdAt: [`${timeProblem}${shown}`],
    });
  });

  it('says what is wrong in one sentence', () => {
    expect(() => read('{"type":"t","data":{}}')).toThrow('this is no event: createdAt: missing');
  });
});

/** A JSON text of a value in one of the many ways to write it. */
function write(value: fc.JsonValue, style: () => number): string {
  const space = [' ', '', '\n', '\t\r\n', ''][style() % 5] ?? '';
  if (Array.isArray(value))
    return `[${space}${value.map((item) => write(item, style)).join(`${space},`)}]`;
  if (typeof value === 'string') return writeString(value, style);
  if (typeof value === 'number') return writeNumber(value, style);
  if (value === null || typeof value === 'boolean') return JSON.stringify(value);
  const entries = Object.entries(value).sort(() => (style() % 2) - 0.5);
  const members = entries.map(
    ([key, item]) =>
      `${space}${writeString(key, style)}${space}:${space}${write(item ?? null, style)}${space}`,
  );
  return `{${members.join(',')}}`;
}

function writeString(text: string, style: () => number): string {
  if (style() % 2 === 0) return JSON.stringify(text);
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}

function writeNumber(value: number, style: () => number): string {
  if (Object.is(value, -0)) return '-0';
  const spellings = [
    JSON.stringify(value),
    value.toExponential(),
    value.toExponential().toUpperCase(),
  ];
  return spellings[style() % spellings.length] ?? '';
}

/** Numbers chosen by a seed, so that a failing case can be run again. */
function styleOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 16;
  };
}

const anyValue = fc.jsonValue({ noUnicodeString: false, maxDepth: 4 });

test('gives an event one key, however it is written', () => {
  fc.assert(
    fc.property(anyValue, fc.nat(), fc.nat(), (value, first, second) => {
      const event = { type: 't', data: { value }, createdAt };
      const one = read(write(event, styleOf(first)));
      const other = read(write(event, styleOf(second)));
      expect(one.eventKey).toBe(other.eventKey);
      expect(JSON.parse(one.payload)).toEqual(JSON.parse(other.payload));
    }),
    { numRuns: 1_000 },
  );
});

test('gives two different events two keys', () => {
  const known = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  fc.assert(
    fc.property(anyValue, anyValue, (a, b) => {
      const isSame = isDeepStrictEqual(known(a), known(b));
      const keys = [a, b].map((value) => read(eventWith(JSON.stringify({ value }))).eventKey);
      expect(keys[0] === keys[1]).toBe(isSame);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['{"id":9007199254740992}', '{"id":9007199254740993}'],
  ['{"id":1e400}', '{"id":1e401}'],
  ['{"id":1e-400}', '{"id":0}'],
  [String.raw`{"id":"\ud800"}`, String.raw`{"id":"\ufffd"}`],
  [String.raw`{"id":"\ud800"}`, String.raw`{"id":"\\ud800"}`],
  ['{"__proto__":{"a":1}}', '{}'],
  ['{"a":null}', '{}'],
  ['{"a":[]}', '{"a":{}}'],
  ['{"a":"1"}', '{"a":1}'],
  ['{"é":1}', '{"e\u0301":1}'],
])('tells %s from %s', (one, other) => {
  expect(read(eventWith(one)).eventKey).not.toBe(read(eventWith(other)).eventKey);
});

test('never gives the key of an event to what a flipped bit made of it, unless that says the same', () => {
  const text = eventWith(
    '{"id":12345678901234567890,"text":"a\\u00e9 \u{1F680}","list":[1.5,null,true]}',
  );
  const original = read(text);
  for (let bit = 0; bit < Buffer.byteLength(text) * 8; bit += 1) {
    const bytes = Buffer.from(text);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    if (errorsOf(bytes) !== null) continue;
    const flipped = readEvent(bytes);
    const isSame = JSON.stringify(JSON.parse(flipped.payload)) === JSON.stringify(JSON.parse(text));
    const hasOtherDigits = flipped.payload.replace(/\D/g, '') !== text.replace(/\D/g, '');
    expect([bit, flipped.eventKey === original.eventKey]).toEqual([bit, isSame && !hasOtherDigits]);
  }
});
