import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellText } from '../../../src/render/xlsx/cell-text.ts';
import { roundTrip, rowValues, sectionSheet } from './read-workbook.ts';
import { card, column, documentOf, section } from '../../support/document-parts.ts';

const hostile = [
  '=1+1',
  '+49 30 123',
  '-5',
  '@sum(A1)',
  '=HYPERLINK("https://evil.example","click")',
  "=cmd|' /C calc'!A0",
  '\t=1+1',
  '\n=1+1',
  '  both sides  ',
  ' ',
  'a & b < c > d "e" \'f\'',
  '<script>alert(1)</script>',
  ']]>',
  '&amp; &#65; &lt;',
  '_x0041_ and _x000D_ and _x00e9_',
  'line one\n\nline three',
  'tab\there',
  '𝗕𝗼𝗹𝗱 🧗🏽‍♀️ 👨‍👩‍👧‍👦 e\u0301 \u202Eabc\u202C',
  'العربية עברית',
  '007',
  '1e5',
  'TRUE',
  '#N/A',
  '2025-01-01',
];

const texts = (values: readonly string[]) =>
  section(
    [column('text', 'longtext')],
    values.map((value) => [value]),
    { key: [] },
  );

describe('hostile text in a workbook', () => {
  it('is read back unchanged, as text', async () => {
    const { sheet, xml } = await sectionSheet(texts(hostile));
    const read = hostile.map((_, index) => sheet.getCell(`A${index + 5}`).value);
    expect(read).toEqual(hostile);
    expect(xml).not.toMatch(/<f[ >]/u);
    const types = [...xml.matchAll(/<c r="A(\d+)"[^>]* t="(\w+)">/gu)].map((match) => match[2]);
    expect(new Set(types)).toEqual(new Set(['s']));
  });

  it('loses only the characters that XML cannot hold', async () => {
    const { sheet } = await sectionSheet(texts(['a\u0000b\u001bc', '\ud83d', 'x\r\ny']));
    const read = [5, 6, 7].map((row) => sheet.getCell(`A${row}`).value);
    expect(read).toEqual(['abc', '\ufffd', 'x\ny']);
  });

  it('is cut at the limit of a cell', async () => {
    const { sheet } = await sectionSheet(texts(['x'.repeat(40_000)]));
    const value = sheet.getCell('A5').value;
    expect(value).toBe(`${'x'.repeat(32_766)}…`);
  });

  it('is harmless in titles, heads, names, notes and the foot of the page, too', async () => {
    for (const text of [...hostile, 'a\u0000\ud83d\ufffe&8 &P']) {
      const odd = section([column('a', 'count', { title: text, nullNote: text })], [[null]], {
        name: text,
        title: text,
        finding: text,
        description: text,
        basis: text,
        notes: [text],
        total: { label: text, cells: [null] },
      });
      const { book } = await roundTrip(
        documentOf([odd], {
          title: text,
          brand: { name: text, logo: null, color: null, productMark: true },
          lede: `**${text}** ${text}`,
          filters: [text],
          profiles: [text],
          coverage: [text],
          caveats: [text],
          cards: [card(text, 'count', 1, null, { basis: text, note: text })],
          definitions: [{ term: text, text }],
        }),
      );
      const sheet = book.worksheets[1];
      expect(sheet && rowValues(sheet, 4)).toEqual([cellText(text)]);
    }
  });

  it('keeps the XML well-formed, whatever it is', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (values) => {
        const { sheet } = await sectionSheet(texts(values));
        const read = values.map((_, index) => sheet.getCell(`A${index + 5}`).value ?? '');
        expect(read).toEqual(values.map(cellText));
      }),
      { numRuns: 8 },
    );
  });
});
