import { expect, test } from 'vitest';
import { byteSize } from '../../src/commands/byte-size.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [438_260, '438.3 kB'],
  [999_960, '1.0 MB'],
  [37_460_000, '37.5 MB'],
  [2e9, '2.0 GB'],
  [5e15, '5000.0 TB'],
])('%i bytes are told of as %s', (bytes, words) => {
  expect(byteSize(bytes)).toBe(words);
});
