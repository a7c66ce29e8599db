import { describe, expect, it } from 'vitest';
import { maskKey } from '../../src/api/key-mask.ts';

const key = 'ab+c/d==e&f"\\(1)';

describe('the key', () => {
  it.each([
    ['as it is', key],
    ['encoded as in a URL', encodeURIComponent(key)],
    ['encoded in lower case', encodeURIComponent(key).toLowerCase()],
    ['escaped as in JSON', JSON.stringify(key).slice(1, -1)],
    ['with escaped slashes, too', JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/')],
    ['escaped as code points', key.replaceAll('+', '\\u002b').replaceAll('&', '\\u0026')],
  ])('is masked %s', (_, quoted) => {
    expect(maskKey(`<${quoted}> and <${quoted}>`, key)).toBe('<[API key]> and <[API key]>');
  });

  it('is masked alone', () => {
    expect(maskKey('ab+c/d==e', key)).toBe('ab+c/d==e');
    expect(maskKey('a.c', 'abc')).toBe('a.c');
    expect(maskKey('a.c', 'a.c')).toBe('[API key]');
  });
});
