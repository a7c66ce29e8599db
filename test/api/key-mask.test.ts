import { describe, expect, it } from 'vitest';
import { maskKey, maskKeyInBody } from '../../src/api/key-mask.ts';

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

  it.each([
    ['as it is', key],
    ['encoded as in a URL', encodeURIComponent(key)],
    ['encoded in lower case', encodeURIComponent(key).toLowerCase()],
    ['escaped as in JSON', JSON.stringify(key).slice(1, -1)],
    ['escaped as code points', key.replaceAll('+', '\\u002b').replaceAll('&', '\\u0026')],
  ])('is masked %s in a body, whose other bytes stay', (_, quoted) => {
    const others = Buffer.from([0xff, 0x00, 0xc3, 0xa9, 0x80]);
    const body = Buffer.concat([others, Buffer.from(quoted), others]);
    const masked = Buffer.concat([others, Buffer.from('[API key]'), others]);
    expect(maskKeyInBody(body, key).equals(masked)).toBe(true);
  });

  it('leaves a body in which it does not stand as it is, and one with a word that is too short', () => {
    const body = Buffer.from('{"text": "a key, \\u0041 and 100 %"}');
    expect(maskKeyInBody(body, key).equals(body)).toBe(true);
    expect(maskKeyInBody(body, 'key')).toBe(body);
  });

  it('is masked alone', () => {
    expect(maskKey('ab+c/d==e', key)).toBe('ab+c/d==e');
    expect(maskKey('a.c', 'abc')).toBe('a.c');
    expect(maskKey('a.c', 'a.c')).toBe('[API key]');
  });
});
