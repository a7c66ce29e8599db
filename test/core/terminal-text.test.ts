import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripTerminalControls, terminalLine } from '../../src/core/terminal-text.ts';
import { fitTerminal, terminalWidth, wrapTerminal } from '../../src/core/terminal-width.ts';

describe('text for a terminal', () => {
  it('shows control characters as pictures, and keeps lines', () => {
    expect(stripTerminalControls('a\u001b[2Jb\u0007\u009b31m\u007f\r\nc\td')).toBe(
      'a␛[2Jb␇\ufffd31m␡\nc\td',
    );
  });

  it('does not let a text change the direction of the text after it', () => {
    expect(stripTerminalControls('abc\u202edef\u2066\ud800')).toBe('abc\ufffddef\ufffd\ufffd');
  });

  it('can be put on one line', () => {
    expect(terminalLine(' a\n\n b\u2028c\td\r\ne ')).toBe('a  b c d e');
  });

  it('never contains a control character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(stripTerminalControls(text)).not.toMatch(
          /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u,
        );
        expect(terminalLine(text)).not.toMatch(/\p{Cc}|[\u2028\u2029]/u);
      }),
    );
  });

  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['abc def', 5, 'abc…'],
    ['漢字漢字', 5, '漢字…'],
    ['漢字漢字', 4, '漢…'],
    ['漢字', 4, '漢字'],
    ['🧗🏽‍♀️🧗🏽‍♀️🧗🏽‍♀️', 5, '🧗🏽‍♀️🧗🏽‍♀️…'],
    ['abc', 1, '…'],
    ['e\u0301e\u0301e\u0301', 3, 'e\u0301e\u0301e\u0301'],
  ])('cuts %s to %i columns as %s', (text, width, cut) => {
    expect(fitTerminal(text, width)).toBe(cut);
  });

  it('fits into the width, whatever the text is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 30 }),
        (text, width) => {
          expect(terminalWidth(fitTerminal(terminalLine(text), width))).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  it.each([
    ['a b c', 3, ['a b', 'c']],
    ['a    b', 3, ['a', 'b']],
    ['    indented text', 12, ['    indented', 'text']],
    ['            far', 8, ['far']],
    ['one\n\ntwo\u2028three  ', 8, ['one', '', 'two', 'three']],
    ['', 8, ['']],
    ['abcdefghij kl', 4, ['abcd', 'efgh', 'ij', 'kl']],
    ['10\u00a0km far', 5, ['10\u00a0km', 'far']],
    ['漢字漢字', 5, ['漢字', '漢字']],
    ['漢字、漢', 4, ['漢字', '、漢']],
    ['x e\u0301e\u0301e\u0301', 3, ['x', 'ééé']],
    ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 3, ['👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦']],
    ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 1, ['👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦']],
    ['a b\nc  d ', null, ['a b', 'c  d ']],
  ])('wraps %j to %s columns as %j', (text, width, lines) => {
    expect(wrapTerminal(text, width)).toEqual(lines);
  });

  it('loses only spaces and breaks when it is wrapped, and fits any width of two columns or more', () => {
    const words = fc.string({
      unit: fc.constantFrom('a', ' ', '\n', '漢', '、', '🎉', 'e\u0301', '-'),
    });
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 12 }), (text, width) => {
        const lines = wrapTerminal(text, width);
        expect(lines.join('').normalize().replace(/\s/gu, '')).toBe(
          text.normalize().replace(/\s/gu, ''),
        );
        expect(Math.max(...lines.map(terminalWidth))).toBeLessThanOrEqual(width);
      }),
    );
  });
});
