import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellText, maxCellText, shortenTo } from '../../../src/render/xlsx/cell-text.ts';

describe('the text of a cell', () => {
  it('loses controls and keeps everything else', () => {
    expect(cellText('a\u0000\u0008\u000b\u001b\u007f\u0090b\tc\u00a0d\ufffee')).toBe(
      'ab\tc\u00a0de',
    );
  });

  it('has one kind of line end', () => {
    expect(cellText('one\r\ntwo\rthree\nfour')).toBe('one\ntwo\nthree\nfour');
  });

  it('replaces halves of surrogate pairs and keeps whole ones', () => {
    expect(cellText('\ud83d 🧗 \udc00')).toBe('\ufffd 🧗 \ufffd');
  });

  it('ends at the limit with an ellipsis, and never within a character', () => {
    expect(cellText('x'.repeat(40_000))).toBe(`${'x'.repeat(maxCellText - 1)}…`);
    expect(shortenTo('ab🧗cd', 4)).toBe('ab…');
    expect(shortenTo('abcd', 4)).toBe('abcd');
  });

  it('is legal XML 1.0, whatever comes in', () => {
    const legal = /^[\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(cellText(text)).toMatch(legal);
      }),
    );
  });
});
