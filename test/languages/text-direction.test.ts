import { describe, expect, test } from 'vitest';
import { isolate, withoutIsolates } from '../../src/languages/text-direction.ts';

describe('a value in a sentence', () => {
  test.each(['מרים', 'مريم Haddad', '٥٦٪', '\u200f1,234 ج.م.', '𞤀𞤣𞤤𞤢𞤥'])(
    'is isolated: %s',
    (value) => {
      expect(isolate(value)).toBe(`\u2068${value}\u2069`);
    },
  );

  test.each(['Anna Lindqvist', '54%', '–', '山田', '𝗕𝗼𝗹𝗱'])('is unchanged: %s', (value) => {
    expect(isolate(value)).toBe(value);
  });

  test('does not change the direction of the text around it', () => {
    expect(isolate('a\u202eb\u2069')).toBe('ab');
    expect(isolate('\u2069\u202eמ\u2066')).toBe('\u2068מ\u2069');
  });
});

describe('a sentence', () => {
  test('loses only the marks that isolate its values', () => {
    expect(withoutIsolates('\u2068מרים\u2069 and \u2068דוד\u2069')).toBe('מרים and דוד');
    expect(withoutIsolates('a \u2069b\u2068')).toBe('a \u2069b\u2068');
  });
});
