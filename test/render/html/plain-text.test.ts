import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanText, shorten } from '../../../src/render/html/plain-text.ts';

describe('text from a document', () => {
  test('keeps every character that HTML allows', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(cleanText(text)).toBe(text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/gu, ''));
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
});
