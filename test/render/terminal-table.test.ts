import { describe, expect, it } from 'vitest';
import type { Cell } from '../../src/report/report-document.ts';
import { renderTerminalTable } from '../../src/render/terminal-table.ts';
import { column, columns as columnsOf, secondary, section } from '../support/document-parts.ts';

const options = {
  width: 60,
  hasColor: false,
  locale: 'en-GB',
  currency: 'EUR',
  timezone: 'Europe/Berlin',
};

const columns = columnsOf({ profile: 'text', posts: 'count', emv: 'money' });

function draw(rows: readonly (readonly Cell[])[], changes: Partial<typeof options> = {}): string {
  return renderTerminalTable({ columns, rows }, { ...options, ...changes });
}

describe('a table on a terminal', () => {
  it('has a rule under its heads, words on the left and figures on the right', () => {
    const rows = [
      ['Anna Lindqvist', 1_204, 8_833.06],
      ['漢字 🧗🏽‍♀️', 7, null],
    ];
    expect(draw(rows)).toBe(
      [
        'Profile         Posts     Emv',
        '──────────────  ─────  ──────',
        'Anna Lindqvist  1,204  €8,833',
        '漢字 🧗🏽‍♀️             7       –',
      ].join('\n'),
    );
  });

  it('ends with the total of a section', () => {
    const total = { label: 'Total', cells: [null, 3] };
    const own = columnsOf({ month: 'month', posts: 'count' });
    const months = section(own, [['2025-01-01', 3]], { total });
    expect(renderTerminalTable(months, options)).toBe(
      ['Month     Posts', '────────  ─────', 'Jan 2025      3', 'Total         3'].join('\n'),
    );
  });

  it('draws trends with a mark for each value, and writes changes with a sign', () => {
    const formats = ['text', 'trend', 'change', 'pp', 'share'] as const;
    const columns = formats.map((format) => column(format, format));
    const rows = [
      ['a', [null, 1, 8], 0.345, 0.0121, 0.0002],
      ['b', [4, null, 0], -0.1, -0.2, null],
    ];
    expect(renderTerminalTable({ columns, rows }, options)).toBe(
      [
        'Text  Trend  Change        Pp  Share',
        '────  ─────  ──────  ────────  ─────',
        'a     ·▂█    +34.5%   +1.2 pp  <0.1%',
        'b     █·▁    −10.0%  −20.0 pp      –',
      ].join('\n'),
    );
  });

  it('cuts words to the width of the terminal, the longest first, but never figures or times', () => {
    const rows = [['short', 'x'.repeat(200), 123_456_789, '2026-01-09T09:45:00Z']];
    const own = columnsOf({ text: 'text', longtext: 'longtext', count: 'count', at: 'datetime' });
    const drawn = renderTerminalTable({ columns: own, rows }, options);
    expect(drawn.split('\n')[2]).toBe(
      `short  ${'x'.repeat(13)}…  123,456,789  9 Jan 2026, 10:45 +01:00`,
    );
  });

  it('leaves out and names columns that do not fit, addresses and texts first, key figures last', () => {
    const posts = section(
      [
        ...secondary({ type: 'text', url: 'url', text: 'longtext' }),
        column('id', 'text', { isPrimary: false, isInHtml: false }),
        ...secondary({ course: 'trend', posts: 'count' }),
        column('rate', 'rate'),
        ...secondary({ emv: 'money' }),
      ],
      [['Video', 'https://example.com', 'x'.repeat(90), 'y'.repeat(36), [1, 2], 3, 0.5, 7]],
      { sortedBy: 'emv' },
    );
    const heads = (width: number) =>
      renderTerminalTable(posts, { ...options, width })
        .split('\n')[0]
        ?.split(/ +/);
    expect(heads(60)).toEqual(['Type', 'Url', 'Text', 'Course', 'Posts', 'Rate', 'Emv']);
    expect(heads(40)).toEqual(['Type', 'Course', 'Posts', 'Rate', 'Emv']);
    expect(heads(28)).toEqual(['Type', 'Course', 'Rate', 'Emv']);
    expect(heads(20)).toEqual(['Type', 'Rate', 'Emv']);
    const lines = renderTerminalTable(posts, { ...options, width: 28 }).split('\n');
    expect(lines[3]).toBe('4 more columns: Url, Text,…');
  });

  it('leaves out empty columns before it cuts any text', () => {
    const posts = section(
      [
        ...secondary({ workspace: 'text', profile: 'text', campaign: 'text', removed: 'boolean' }),
        ...secondary({ clicks: 'count', read_on: 'text', emv: 'money' }),
      ],
      [
        ['globex', 'Globex Energy', null, false, 0, '2025-11-03', 12],
        ['globex', 'Globex Mobility', null, false, 0, '2025-11-04', 12],
      ],
      { sortedBy: 'emv', key: ['workspace', 'profile'] },
    );
    const draw = (width: number) => renderTerminalTable(posts, { ...options, width });
    expect(draw(80)).not.toContain('more column');
    expect(draw(60)).toBe(
      [
        'Workspace  Profile          Removed  Read_on     Emv',
        '─────────  ───────────────  ───────  ──────────  ───',
        'globex     Globex Energy    no       2025-11-03  €12',
        'globex     Globex Mobility  no       2025-11-04  €12',
        '2 more columns: Campaign, Clicks',
      ].join('\n'),
    );
  });

  it('is not cut without a terminal, but not padded to its longest text either', () => {
    const rows = [
      ['x'.repeat(500), 1, 1],
      ['Anna', 2, 3],
    ];
    const wide = renderTerminalTable({ columns, rows }, { ...options, width: null });
    const lines = wide.split('\n');
    expect(lines[2]).toContain('x'.repeat(500));
    expect([lines[0], lines[1], lines[3]].map((line) => line?.length)).toEqual([52, 52, 52]);
  });
});
