import { describe, expect, it } from 'vitest';
import { maskKey, maskKeyInBody } from '../../src/api/key-mask.ts';

const key = 'pk_live.$&+8Zq';

describe('the key', () => {
  it('is masked wherever it stands in a text', () => {
    expect(maskKey(`<${key}> and <${key}>`, key)).toBe('<[API key]> and <[API key]>');
  });

  it('is masked in a body, whose other bytes stay', () => {
    const others = Buffer.from([0xff, 0x00, 0xc3, 0xa9, 0x80]);
    const body = Buffer.concat([others, Buffer.from(key), others]);
    const masked = Buffer.concat([others, Buffer.from('[API key]'), others]);
    expect(maskKeyInBody(body, key)).toEqual(masked);
  });

  it('is left where it is too short to be one', () => {
    expect(maskKey('a key', 'key')).toBe('a key');
    expect(maskKeyInBody(Buffer.from('a key'), 'key').toString()).toBe('a key');
  });
});
