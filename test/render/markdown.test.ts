import { describe, expect, it } from 'vitest';
import { renderMarkdown, renderMarkdownSection } from '../../src/render/markdown.ts';
import { column, columns, documentOf, section } from '../support/document-parts.ts';

const options = { locale: 'en-GB', currency: 'EUR', timezone: 'Europe/Berlin' };

const cellOf = (text: string) => {
  const lines = renderMarkdown({ columns: columns({ text: 'text' }), rows: [[text]] }, options);
  return /^\| (.*) \|$/u.exec(lines.split('\n')[2] ?? '')?.[1];
};

describe('Markdown', () => {
  it('says the change of a rate in points, and of other figures in per cent', () => {
    const changed = (format: 'rate' | 'money') =>
      column('change', 'change', { change: { of: 0, from: 1, format, least: 0 } });
    const shown = (format: 'rate' | 'money', cells: number[]) => {
      const own = [...columns({ now: format, before: format }), changed(format)];
      return renderMarkdown({ columns: own, rows: [cells] }, options).split('\n')[2];
    };
    expect(shown('rate', [0.02, 0.025, -0.2])).toBe('| 2.0% | 2.5% | −0.5 pp |');
    expect(shown('money', [80, 100, -0.2])).toBe('| €80 | €100 | −20.0% |');
  });

  it('says why a section has no rows', () => {
    const none = section(columns({ posts: 'count' }), [], { empty: 'No date range is open.' });
    const report = documentOf([none]);
    expect(renderMarkdownSection(none, report)).toContain('\n\nNo date range is open.\n\n');
    expect(renderMarkdownSection({ ...none, rows: [[1]] }, report)).not.toContain('No date range');
  });

  it('writes a section with its finding, description, table, total and notes, and the source of the report', () => {
    const months = section(
      columns({ month: 'month', posts: 'count', emv: 'money' }),
      [
        ['2025-01-01', 1_204, -12.5],
        ['2025-02-01', 0, null],
      ],
      {
        finding: 'January led',
        basis: 'n = 4 posts',
        total: { label: 'Total', cells: [null, 1_204, null] },
        notes: ['1. Not final.', '- a_b *c*'],
      },
    );
    const report = documentOf([months], { coverage: ['4 posts', '1 removed'] });
    expect(renderMarkdownSection(months, report)).toBe(
      `## January led

EMV by thing, in euro.  
n = 4 posts

| Month | Posts | Emv |
| --- | --: | --: |
| Jan 2025 | 1,204 | −€13 |
| Feb 2025 | 0 | – |
| Total | 1,204 |  |

1\\. Not final.

\\- a_b \\*c\\*

Coverage: 4 posts · 1 removed

Data as of 4 January 2026, 06:00 · Run 20260104T050000Z-4f1c2a (daily), finished 4 January 2026, 06:02 · SQL 0123456789ab
`,
    );
  });

  it('draws trends, and writes changes with a sign', () => {
    const table = {
      columns: columns({ course: 'trend', by: 'change', points: 'pp' }),
      rows: [
        [[1, null, 8], 0.345, -0.0121],
        [null, -0.002, null],
      ],
    };
    expect(renderMarkdown(table, options)).toBe(
      `| Course | By | Points |
| --- | --: | --: |
| ▂·█ | +34.5% | −1.2 pp |
| – | −0.2% | – |
`,
    );
  });

  it('writes plain rows as a table only, and heads even without rows', () => {
    const table = { columns: columns({ 'a|b': 'text', n: 'count' }), rows: [] };
    expect(renderMarkdown(table, options)).toBe('| A\\|b | N |\n| --- | --: |\n');
  });

  it.each([
    ['a | b', String.raw`a \| b`],
    ['one\ntwo\r\nthree', 'one<br>two<br>three'],
    ['`code`', '\\`code\\`'],
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['&lt;', '&amp;lt;'],
    ['[a](javascript:x)', String.raw`\[a\](javascript:x)`],
    ['**bold** ~~gone~~', String.raw`\*\*bold\*\* \~\~gone\~\~`],
    ['_em_ snake_case', String.raw`\_em\_ snake_case`],
    ['back\\slash', String.raw`back\\slash`],
    ['\u001b[31mred', '␛\\[31mred'],
    ['https://example.com/a_b?c=1&d=2', '<https://example.com/a_b?c=1&d=2>'],
    ['https://example.com/a|b', String.raw`https://example.com/a\|b`],
    ['https://example.com/ <b>', 'https://example.com/ &lt;b&gt;'],
    ['https://example.com/#\x1b[31m', String.raw`https://example.com/#␛\[31m`],
    ['https://example.com/#\u202e', 'https://example.com/#\ufffd'],
  ])('writes %j as %j, which renders as the same text', (text, written) => {
    expect(cellOf(text)).toBe(written);
  });
});
