import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Scanner, type CutOff } from '../../../src/inbox/ingest/scanner.ts';

/** Line, flaw (null: none known) and text of each; pieces of one text are put together. */
type Scanned = [line: number, flaw: string | null, text: string][];

function scan(input: string | Uint8Array, chunkBytes = 7, maxBytes = 200) {
  const data = Buffer.from(input);
  const scanner = new Scanner(maxBytes);
  const texts = [];
  for (let at = 0; at < data.length; at += chunkBytes) {
    texts.push(...scanner.push(data.subarray(at, at + chunkBytes)));
  }
  texts.push(...scanner.end());
  const found: Scanned = [];
  for (const { line, number, bytes, flaw, isContinued } of texts) {
    const last = found.at(-1);
    if (isContinued && last) last[2] += bytes.toString('latin1');
    else found.push([line, flaw, bytes.toString('latin1')]);
    expect(number).toBe(found.length);
  }
  return { found, cutOff: scanner.cutOff };
}

const noEnd = 'it is no JSON, or has no end';
const cut = 'the input ends in the middle of it';
const tooLong = 'it has more than 200 bytes, or no end';

function texts(...all: [number, string][]): Scanned {
  return all.map(([line, text]) => [line, null, text]);
}

describe('texts of events', () => {
  it.each<[string, string, Scanned]>([
    ['one object', '{"a":1}', texts([1, '{"a":1}'])],
    [
      'an object over lines',
      '\n{\n  "a": [\n    {}\n  ]\n}\n',
      texts([2, '{\n  "a": [\n    {}\n  ]\n}']),
    ],
    ['lines', '{"a":1}\n{"a":2}', texts([1, '{"a":1}'], [2, '{"a":2}'])],
    [
      'lines of Windows, blank ones',
      '{"a":1}\r\n\r\n \r\n{"a":2}\r\n',
      texts([1, '{"a":1}'], [4, '{"a":2}']),
    ],
    ['an array', '[{"a":1},{"b":[2]} , {}]', texts([1, '{"a":1}'], [1, '{"b":[2]}'], [1, '{}'])],
    [
      'an array over lines',
      '[\n  {\n    "a": {}\n  },\n  {}\n]\n',
      texts([2, '{\n    "a": {}\n  }'], [5, '{}']),
    ],
    ['an empty array', ' [ \n ] ', []],
    ['nothing', ' \r\n\t', []],
    [
      'arrays in lines',
      '[{"a":1}]\n[]\n[{"a":2},\n{"a":3}]',
      texts([1, '{"a":1}'], [3, '{"a":2}'], [4, '{"a":3}']),
    ],
    [
      'objects without anything between them',
      '{"a":1}{"a":2}',
      texts([1, '{"a":1}'], [1, '{"a":2}']),
    ],
    [
      'objects over lines, one after another',
      '{\n}\n{\n"a":1\n}',
      texts([1, '{\n}'], [3, '{\n"a":1\n}']),
    ],
    [
      'marks within texts',
      '{"}":"\\"}{[\\\\"}\n["]", "a,b"]',
      texts([1, '{"}":"\\"}{[\\\\"}'], [2, '"]"'], [2, '"a,b"']),
    ],
    [
      'values that are no objects',
      '7\nnull x\n[1,"b,c",[2],true]',
      texts([1, '7'], [2, 'null x'], [3, '1'], [3, '"b,c"'], [3, '[2]'], [3, 'true']),
    ],
    [
      'commas too many or missing',
      '[,{},,{} {},]\n{},\n{}',
      texts([1, '{}'], [1, '{}'], [1, '{}'], [2, '{}'], [3, '{}']),
    ],
    [
      'other text among lines',
      '# log\n{"a":1} tail\n2026 {"a":2}\n{"a":3}',
      texts([1, '# log'], [2, '{"a":1} tail'], [3, '2026 {"a":2}'], [4, '{"a":3}']),
    ],
    [
      'other text in an array',
      '[{"a":1}, x y, {"a":2} z, {"a":3}] end',
      texts([1, '{"a":1}'], [1, 'x y'], [1, '{"a":2} z'], [1, '{"a":3}'], [1, 'end']),
    ],
    [
      'broken JSON on its own line',
      '{"a":1 "b"}\n{"a":2}',
      texts([1, '{"a":1 "b"}'], [2, '{"a":2}']),
    ],
    [
      'broken JSON in an array on one line',
      '[{"a" 1},{"b":[}]},{"a":2}]',
      texts([1, '{"a" 1}'], [1, '{"b":[}]}'], [1, '{"a":2}']),
    ],
  ])('are found in %s', (_, input, expected) => {
    for (const chunkBytes of [1, 7, 1000]) expect(scan(input, chunkBytes).found).toEqual(expected);
  });

  it.each<[string, string, Scanned]>([
    [
      'a line cut in a text',
      '{"a":1}\n{"type":"po\n{"a":2}\n',
      [
        [1, null, '{"a":1}'],
        [2, noEnd, '{"type":"po'],
        [3, null, '{"a":2}'],
      ],
    ],
    [
      'a line cut after a brace',
      '{"a":{\n{"a":2}\n',
      [
        [1, noEnd, '{"a":{'],
        [2, null, '{"a":2}'],
      ],
    ],
    [
      'a line cut where a value may follow',
      '{"a":\n{"a":2}\n{"a":3}\n',
      [
        [1, noEnd, '{"a":'],
        [2, null, '{"a":2}'],
        [3, null, '{"a":3}'],
      ],
    ],
    [
      'a line cut where many values may follow',
      '{"a":[\n{"a":2},\n{"a":3}\n{"a":4}',
      [
        [1, noEnd, '{"a":['],
        [2, null, '{"a":2}'],
        [3, null, '{"a":3}'],
        [4, null, '{"a":4}'],
      ],
    ],
    [
      'an element without an end',
      '[\n {"a":1},\n {"b": oops,\n {"a":2}\n]',
      [
        [2, null, '{"a":1}'],
        [3, noEnd, '{"b": oops,'],
        [4, null, '{"a":2}'],
      ],
    ],
    [
      'an element over lines that is no JSON',
      '[\n  {\n    "a": 1,\n  },\n  {\n    "a": [\n      {}\n    ]\n  }\n]',
      [
        [2, noEnd, '{\n    "a": 1,\n  },'],
        [5, null, '{\n    "a": [\n      {}\n    ]\n  }'],
      ],
    ],
    [
      'an element over lines with objects in it',
      '[\n  {\n    "a": 1 1,\n    "b": [\n      {\n      }\n    ]\n  },\n  {\n    "c": 1\n  }\n]',
      [
        [2, noEnd, '{\n    "a": 1 1,\n    "b": [\n      {\n      }\n    ]\n  },'],
        [9, null, '{\n    "c": 1\n  }'],
      ],
    ],
    [
      'the last element of an array',
      '[\n  {\n    "a": 1,\n  }\n]\n{"b":1}',
      [
        [2, noEnd, '{\n    "a": 1,\n  }'],
        [6, null, '{"b":1}'],
      ],
    ],
  ])('lose no neighbours of %s', (_, input, expected) => {
    for (const chunkBytes of [1, 7, 1000]) {
      expect(scan(input, chunkBytes)).toEqual({ found: expected, cutOff: null });
    }
  });

  it.each<[string, string, Scanned, CutOff | null]>([
    [
      'a line',
      '{"a":1}\n{"b',
      [
        [1, null, '{"a":1}'],
        [2, cut, '{"b'],
      ],
      { what: 'event', line: 2 },
    ],
    [
      'an object over lines, whose line then ends',
      '{"a":1}\n{\n  "b": [\n    {\n      "c": 1\n    },\n',
      [
        [1, null, '{"a":1}'],
        [2, cut, '{\n  "b": [\n    {\n      "c": 1\n    },'],
      ],
      { what: 'event', line: 2 },
    ],
    [
      'an object that is too long',
      `{"b":"${'x'.repeat(300)}`,
      [[1, tooLong, `{"b":"${'x'.repeat(300)}`]],
      { what: 'event', line: 1 },
    ],
    [
      'a line that is broken',
      '{"a":1}\n{b',
      [
        [1, null, '{"a":1}'],
        [2, cut, '{b'],
      ],
      null,
    ],
    [
      'an element',
      '\n[{"a":1},{"b',
      [
        [2, null, '{"a":1}'],
        [2, cut, '{"b'],
      ],
      { what: 'array', line: 2 },
    ],
    ['an array', '[\n{"a":1},', [[2, null, '{"a":1}']], { what: 'array', line: 1 }],
    [
      'an array of elements over lines',
      '[\n  {\n    "a": 1\n  },\n  {\n    "a":',
      [
        [2, null, '{\n    "a": 1\n  }'],
        [5, cut, '{\n    "a":'],
      ],
      { what: 'array', line: 1 },
    ],
    [
      'what only seems to be one value',
      '{"a":[\n{"a":2},\n{"a":3}',
      [
        [1, cut, '{"a":['],
        [2, null, '{"a":2}'],
        [3, null, '{"a":3}'],
      ],
      null,
    ],
  ])('are told from what is cut off in the middle of %s', (_, input, found, cutOff) => {
    for (const chunkBytes of [1, 7, 1000])
      expect(scan(input, chunkBytes)).toEqual({ found, cutOff });
  });

  const long = 'x'.repeat(500);
  it.each<[string, string, Scanned]>([
    [
      'an object',
      `{"a":"${long}"}\n{"a":2}`,
      [
        [1, tooLong, `{"a":"${long}"}`],
        [2, null, '{"a":2}'],
      ],
    ],
    [
      'an element',
      `[{"a":"${long}"},{"a":2}]`,
      [
        [1, tooLong, `{"a":"${long}"}`],
        [1, null, '{"a":2}'],
      ],
    ],
    [
      'a line that is no JSON',
      `${long}\n{"a":2}`,
      [
        [1, tooLong, long],
        [2, null, '{"a":2}'],
      ],
    ],
    [
      'a line without an end',
      `{"a":"${long}\n{"a":2}`,
      [
        [1, tooLong, `{"a":"${long}`],
        [2, null, '{"a":2}'],
      ],
    ],
    [
      'an object over lines',
      `{\n  "a": "${long}"\n}\n{"a":2}`,
      [
        [1, tooLong, `{\n  "a": "${long}"\n}`],
        [4, null, '{"a":2}'],
      ],
    ],
    ['all that is there', long, [[1, tooLong, long]]],
  ])('that are too long are given in pieces: %s', (_, input, found) => {
    for (const chunkBytes of [1, 7, 150]) expect(scan(input, chunkBytes).found).toEqual(found);
  });

  it('are told apart in reasonable time where each line seems to be the beginning of all others', () => {
    const { found } = scan('{"a":\n'.repeat(60_000), 1 << 16, 1 << 20);
    expect(found).toHaveLength(60_000);
  });

  it('know which element of their array they are', () => {
    const scanner = new Scanner(200);
    const found = scanner.push(Buffer.from('{}\n[{},{b},{}]\n[\n{}]\n{}'));
    expect([...found, ...scanner.end()].map(({ line, element }) => [line, element])).toEqual([
      [1, null],
      [2, 1],
      [2, 2],
      [2, 3],
      [4, 1],
      [5, null],
    ]);
  });

  it('are as long as they may be, and no longer', () => {
    const exact = `{"a":"${'x'.repeat(192)}"}`;
    expect(scan(`  ${exact}  \n`).found).toEqual([[1, null, exact]]);
    expect(scan(`[{},${exact}]`).found).toEqual([
      [1, null, '{}'],
      [1, null, exact],
    ]);
    const longer = exact.replace('x', 'xx');
    expect(scan(`[${longer}, {}]`).found).toEqual([
      [1, tooLong, longer],
      [1, null, '{}'],
    ]);
  });
});

describe('any texts of events', () => {
  const event = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
  const layouts: Record<string, (events: readonly object[]) => string> = {
    lines: (events) => events.map((one) => JSON.stringify(one)).join('\n'),
    array: (events) => JSON.stringify(events),
    'array over lines': (events) => JSON.stringify(events, null, 2),
    'objects over lines': (events) =>
      events.map((one) => JSON.stringify(one, null, '\t')).join('\n'),
  };

  it.each(Object.keys(layouts))('come out of %s whole and in order', (layout) => {
    fc.assert(
      fc.property(fc.array(event), fc.integer({ min: 1, max: 40 }), (events, chunkBytes) => {
        const input = layouts[layout]?.(events) ?? '';
        const data = Buffer.from(input);
        const scanner = new Scanner(1 << 20);
        const found = [];
        for (let at = 0; at < data.length; at += chunkBytes) {
          found.push(...scanner.push(data.subarray(at, at + chunkBytes)));
        }
        found.push(...scanner.end());
        const lines = input.split('\n');
        expect(found.map(({ bytes }) => JSON.parse(bytes.toString()) as unknown)).toEqual(
          JSON.parse(JSON.stringify(events)),
        );
        expect(
          found.every(({ line, flaw }) => flaw === null && lines[line - 1]?.includes('{')),
        ).toBe(true);
        expect(scanner.cutOff).toBeNull();
      }),
    );
  });

  it('that stand in lines are found whatever one line of them is replaced by', () => {
    const anything = fc.oneof(
      fc.string().map((text) => text.replaceAll(/[\n\r]/g, ' ')),
      fc.constantFrom(
        '{"a":',
        '{"a":{',
        '{"a":"',
        '{"a":[{},',
        '}',
        ']',
        '[',
        ',',
        '{"a":1}}',
        '[{"a":',
      ),
    );
    fc.assert(
      fc.property(fc.array(event, { minLength: 1 }), anything, fc.nat(), (events, bad, place) => {
        const lines = events.map((one) => JSON.stringify(one));
        lines.splice(place % (lines.length + 1), 0, bad);
        const { found } = scan(lines.join('\n'), 16, 1 << 20);
        const good = found.filter(([, flaw]) => flaw === null).map(([, , text]) => text);
        const rest = [...good];
        for (const one of events) {
          const text = Buffer.from(JSON.stringify(one)).toString('latin1');
          expect(rest.indexOf(text)).not.toBe(-1);
          rest.splice(0, rest.indexOf(text) + 1);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('are no more bytes than went in, whatever comes', () => {
    const chunk = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      ':',
      '\n',
      ' ',
      'a',
      '\\',
      '{"a":',
      '\n{',
    );
    fc.assert(
      fc.property(
        fc.array(chunk, { maxLength: 300 }),
        fc.integer({ min: 1, max: 9 }),
        (parts, size) => {
          const input = parts.join('');
          const { found } = scan(input, size, 40);
          const out = found.map(([, , text]) => text).join('');
          const solid = (text: string) => text.replaceAll(/[\s[\],]/g, '');
          expect(solid(out)).toBe(solid(input));
        },
      ),
      { numRuns: 3000 },
    );
  });
});
