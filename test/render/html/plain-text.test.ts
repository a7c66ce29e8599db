import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markup } from '../../../src/render/html/markup.ts';
import { cleanText, safeLink, shorten } from '../../../src/render/html/plain-text.ts';

describe('text from a document', () => {
  test('keeps every character that HTML allows', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(cleanText(text)).toBe(text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/gu, ''));
      }),
    );
  });

  test('never opens or closes an element or an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const inserted = markup`${text}`.toString();
        expect(inserted).not.toMatch(/[<>"']|\p{Cs}/u);
      }),
    );
  });

  test('is cut between characters, never within one', () => {
    expect(shorten('👍🏽'.repeat(5), 3)).toBe(`${'👍🏽'.repeat(3)}…`);
    expect(shorten('e\u0301'.repeat(5), 5)).toBe('e\u0301'.repeat(5));
    expect(shorten('word word', 5)).toBe('word…');
  });

  test('is never longer than the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
        expect([...segmenter.segment(shorten(text, 10))].length).toBeLessThanOrEqual(11);
      }),
    );
  });

  test('is cut between the characters that people count, in every script', () => {
    const unit = fc.constantFrom('a', 'é', ' ', '–', '’', '€', 'e\u0301', '\u00ad', '👍🏽', 'ن', '𝗔');
    fc.assert(
      fc.property(fc.string({ unit, minLength: 9, maxLength: 40 }), (text) => {
        const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
        const line = text.replace(/\s+/gu, ' ').trim();
        const characters = [...segmenter.segment(line)].map(({ segment }) => segment);
        const whole = `${characters.slice(0, 8).join('').trimEnd()}…`;
        expect(shorten(text, 8)).toBe(characters.length <= 8 ? line : whole);
      }),
    );
  });

  test('is a link only for http and https', () => {
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        expect(safeLink(url)).toBe(new URL(url).href);
      }),
    );
    expect(safeLink('java\nscript:alert(1)')).toBeNull();
    expect(safeLink('file:///etc/passwd')).toBeNull();
  });
});
