import { describe, expect, it } from 'vitest';
import { renderJson } from '../../src/render/json.ts';
import { columns } from '../support/document-parts.ts';

describe('rows as JSON', () => {
  it('are objects by column name, one a line, with exact and typed values', () => {
    const table = [
      ...columns({ post_id: 'text', posts: 'count', emv: 'money', labels: 'list' }),
      ...columns({ published_at: 'datetime', is_removed: 'boolean' }),
    ];
    const rows = [
      ['a"\n\u2028', 9_007_199_254_740_991n, 0.1 + 0.2, ['x', 'y'], '2025-01-01T08:00:00Z', false],
      [null, 9_007_199_254_740_993n, null, [], null, null],
    ];
    expect(renderJson({ columns: table, rows })).toBe(
      [
        '[',
        '{"post_id":"a\\"\\n\u2028","posts":9007199254740991,"emv":0.30000000000000004,"labels":["x","y"],"published_at":"2025-01-01T08:00:00Z","is_removed":false},',
        '{"post_id":null,"posts":"9007199254740993","emv":null,"labels":[],"published_at":null,"is_removed":null}',
        ']',
        '',
      ].join('\n'),
    );
    expect(renderJson({ columns: table, rows: [] })).toBe('[]\n');
  });

  it('have decimals with all their digits, and lists with their gaps', () => {
    const table = {
      columns: columns({ amount: 'decimal', course: 'trend' }),
      rows: [[12345678901234567890.12, [1.5, null]]],
      exactRows: [['12345678901234567890.12', [1.5, null]]],
    };
    expect(renderJson(table)).toBe(
      '[\n{"amount":"12345678901234567890.12","course":[1.5,null]}\n]\n',
    );
  });

  it('are valid JSON for every text', () => {
    const texts = ['\ud800', '\u0000', '</script>', '\\', '"', '\ufeff', '💥'];
    const table = {
      columns: columns({ ['__proto__']: 'text' }),
      rows: texts.map((text) => [text]),
    };
    const read = JSON.parse(renderJson(table)) as Record<string, string>[];
    expect(read.map((row) => Object.values(row)[0])).toEqual(texts);
  });
});
