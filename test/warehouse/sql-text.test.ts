import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sqlParts, withoutEnd } from '../../src/warehouse/sql-text.ts';

function kinds(sql: string): string[] {
  return sqlParts(sql).map(({ kind, text }) => `${kind} ${text}`);
}

describe('the parts of a statement', () => {
  test.each([
    [
      "select 'a''b' -- it's\n",
      ['code select ', "text 'a''b'", 'code  ', "comment -- it's", 'code \n'],
    ],
    [`"a'b" 'c"d'`, [`name "a'b"`, 'code  ', `text 'c"d'`]],
    ["/* a /* b */ ' */ x", ["comment /* a /* b */ ' */", 'code  x']],
    ["e'a\\'b' x'c'", ["text e'a\\'b'", 'code  x', "text 'c'"]],
    [
      "$$it's$$ $t$ $$ $t$ $name + $other",
      ["text $$it's$$", 'code  ', 'text $t$ $$ $t$', 'code  $name + $other'],
    ],
    ['a$b$c$b$', ['code a$b$c$b$']],
    ["øe'\\' e'\\''", ['code øe', "text '\\'", 'code  ', "text e'\\''"]],
    ["x\u200be'\\''", ['code x\u200b', "text e'\\''"]],
    ["'open -- to the end", ["text 'open -- to the end"]],
    ['/* open', ['comment /* open']],
    ['', []],
  ])('%j', (sql, expected) => {
    expect(kinds(sql)).toEqual(expected);
  });

  test('are all of it, in order', () => {
    const pieces = fc.constantFrom(
      "'",
      '"',
      '--',
      '/*',
      '*/',
      '$',
      '$$',
      '\n',
      'e',
      'ø',
      '\\',
      ';',
    );
    const sql = fc.array(pieces).map((parts) => parts.join(''));
    fc.assert(
      fc.property(sql, (text) => {
        const parts = sqlParts(text);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        expect(parts.map(({ start, text: own }) => text.startsWith(own, start))).not.toContain(
          false,
        );
      }),
    );
  });
});

test.each([
  ['select 1;', 'select 1'],
  ['select 1 ;\n ; -- last\n;', 'select 1'],
  ['select 1 -- last', 'select 1'],
  ["select ';';", "select ';'"],
  ["select 'x'", "select 'x'"],
  ["select 'x' -- ;\n", "select 'x'"],
  ['-- nothing;\n;', ''],
])('%j can stand in brackets as %j', (sql, expected) => {
  expect(withoutEnd(sql)).toBe(expected);
});
