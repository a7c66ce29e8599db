import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { readJsonObject } from '../../../src/inbox/events/json-text.ts';
import { UnfitEventError } from '../../../src/inbox/events/unfit-event-error.ts';

/** What is wrong with a text that is no JSON object. */
function faultOf(text: string): readonly string[] | null {
  try {
    readJsonObject(text);
    return null;
  } catch (error) {
    if (error instanceof UnfitEventError) return error.errors['body'] ?? [];
    throw error;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("RFC 8785's own examples", () => {
  it('writes numbers, strings and literals', () => {
    const text = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(readJsonObject(text).canonical).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('sorts keys by their UTF-16 code units', () => {
    const text = String.raw`{
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"
    }`;
    expect(Object.values(JSON.parse(readJsonObject(text).canonical) as object)).toEqual([
      'One', // JavaScript lists a key that is a number first
      'Carriage Return',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
    expect(readJsonObject(text).canonical).toMatch(
      /^\{"\\r":"Carriage Return","1":"One","\u0080":/,
    );
  });
});

describe('the compact text', () => {
  it('has no whitespace between tokens, and is otherwise as it came', () => {
    const text =
      ' {\r\n\t"b" : [ 1.50 , 12345678901234567890 , 1E5 ] ,\n "a":"\\u00e9 \\/  é\u2028", "c":{ } ,"d":[ ]} \n';
    expect(readJsonObject(text).compact).toBe(
      '{"b":[1.50,12345678901234567890,1E5],"a":"\\u00e9 \\/  é\u2028","c":{},"d":[]}',
    );
  });

  it('is on one line, whatever the event holds', () => {
    const values = fc.json({ noUnicodeString: false, maxDepth: 4 });
    fc.assert(
      fc.property(values, fc.constantFrom(' ', '\n', '\r\n\t'), (json, space) => {
        const text = `{"value":${JSON.stringify(JSON.parse(json), null, space)}}`;
        const { compact } = readJsonObject(text);
        expect(compact).toBe(JSON.stringify(JSON.parse(text)));
        expect(compact).not.toContain('\n');
      }),
    );
  });
});

describe('what JSON.parse would lose', () => {
  it('keeps half pairs apart from the character that stands for what is broken', () => {
    const keep = (text: string) => readJsonObject(`{"a":"${text}"}`).canonical;
    expect(keep(String.raw`\ud800`)).toBe(String.raw`{"a":"\ud800"}`);
    expect(keep(String.raw`\uDC00x`)).toBe(String.raw`{"a":"\udc00x"}`);
    expect(keep(String.raw`\\ud800`)).toBe(String.raw`{"a":"\\ud800"}`);
    expect(keep(String.raw`\ufffd`)).toBe('{"a":"\ufffd"}');
  });

  it('takes __proto__ and other names of JavaScript for keys like any other', () => {
    const text = '{"toString":1,"constructor":2,"__proto__":{"polluted":true}}';
    expect(readJsonObject(text).canonical).toBe(
      '{"__proto__":{"polluted":true},"constructor":2,"toString":1}',
    );
    expect([...readJsonObject(text).members.keys()]).toEqual([
      'toString',
      'constructor',
      '__proto__',
    ]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it.each([
    ['{"a":1,"a":1}', '"a"'],
    [String.raw`{"a":1,"\u0061":2}`, '"a"'],
    ['{"x":[{"":1,"":2}]}', '""'],
    ['{"__proto__":1,"__proto__":2}', '"__proto__"'],
  ])('refuses %s, in which a key stands twice', (text, key) => {
    expect(faultOf(text)).toEqual([`has the key ${key} twice in one object`]);
  });
});

describe('what is no JSON object', () => {
  it.each([
    ['', 'is empty'],
    [' \n', 'is empty'],
    ['[1]', 'must be a JSON object'],
    ['"text"', 'must be a JSON object'],
    ['null', 'must be a JSON object'],
    ['{', 'is not JSON: it ends where there should be a key in double quotes'],
    ['{"a":1', 'is not JSON: it ends where there should be "," or "}"'],
    ['{"a":1,}', 'is not JSON: character 8 is where there should be a key in double quotes'],
    ['{"a":[1,]}', 'is not JSON: character 9 is where there should be a value'],
    ['{"a":01}', 'is not JSON: character 7 is where there should be "," or "}"'],
    ["{'a':1}", 'is not JSON: character 2 is where there should be a key in double quotes'],
    ['{"a":NaN}', 'is not JSON: character 6 is where there should be a value'],
    ['{"a":tru}', 'is not JSON: character 6 is where there should be a value'],
    ['{"a" 1}', 'is not JSON: character 6 is where there should be ":"'],
    ['{"a":1} {}', 'is not JSON: character 9 is where there should be the end'],
    [
      '{"a":"b\0"}',
      'is not JSON: character 8 is where there should be the rest of a string, control characters escaped',
    ],
    [
      '{"a":"b',
      'is not JSON: it ends where there should be the rest of a string, control characters escaped',
    ],
    [
      String.raw`{"a":"\x"}`,
      'is not JSON: character 6 is where there should be a string with good escapes',
    ],
  ])('refuses %j', (text, fault) => {
    expect(faultOf(text)).toEqual([fault]);
  });

  it('takes 100 levels, and refuses 101 or a million', () => {
    const nest = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(readJsonObject(nest(100)).canonical).toBe(nest(100));
    const fault = ['is nested more than 100 deep'];
    expect(faultOf(nest(101))).toEqual(fault);
    expect(faultOf(nest(1_000_000))).toEqual(fault);
    expect(faultOf('['.repeat(1_000_000))).toEqual(fault);
  });

  it('agrees with JSON.parse about texts that are nearly JSON', () => {
    const token = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"', '"a"', '"b":', '\\', '\\u0061', '\\n', ' ', '\t'],
      ...['0', '1', '-', '+', '.', 'e', 'E', 'true', 'false', 'null', 't', '\u0001', '\u00a0', 'é'],
    );
    const near = fc.array(token, { maxLength: 12 }).map((tokens) => `{"z":${tokens.join('')}}`);
    fc.assert(
      fc.property(near, (text) => {
        const fault = faultOf(text);
        // told where it stands, though the text may break off after it
        if (fault?.[0]?.endsWith('twice in one object'))
          expect(text.match(/"\s*:/g)?.length).toBeGreaterThan(2);
        else expect([text, fault === null]).toEqual([text, isJson(text)]);
      }),
      { numRuns: 20_000 },
    );
  });
});

test('loses and changes nothing that JSON.parse knows', () => {
  fc.assert(
    fc.property(fc.json({ noUnicodeString: false, maxDepth: 5 }), (json) => {
      const text = `{"value":${json}}`;
      const { compact, canonical } = readJsonObject(text);
      expect(JSON.parse(canonical)).toEqual(JSON.parse(text));
      expect(compact).toBe(JSON.stringify(JSON.parse(text)));
      expect(readJsonObject(canonical).canonical).toBe(canonical);
    }),
    { numRuns: 500 },
  );
});
