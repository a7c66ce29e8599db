import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../../src/render/html/render-html.ts';
import type {
  Cell,
  ColumnFormat,
  ReportColumn,
  ReportSection,
} from '../../../src/report/report-document.ts';
import { documentOf, section } from '../../support/document-parts.ts';
import { titled } from '../../support/sample-document.ts';

function column(name: string, format: ColumnFormat, more: Partial<ReportColumn> = {}) {
  return titled(name, name, format, more);
}

/** Columns of which only the names and formats matter. */
function columnsOf(formats: Readonly<Record<string, ColumnFormat>>): ReportColumn[] {
  return Object.entries(formats).map(([name, format]) => column(name, format));
}

/** A page of one table. */
function render(
  columns: readonly ReportColumn[],
  rows: readonly (readonly Cell[])[],
  parts: Partial<ReportSection> = {},
): string {
  const table = section(columns, rows, { sortedBy: 'b', ...parts });
  return renderHtml(documentOf([table]), { logo: null });
}

function bodyOf(page: string): string {
  return /<tbody>\n([^]*?)<\/tbody>/u.exec(page)?.[1] ?? '';
}

test('a section has its finding as the heading, or the first sentence of its description', () => {
  const description = 'EMV by label, in euro. A post counts under each label.';
  const page = (finding: string | null) =>
    render([column('a', 'text')], [['x']], { finding, description });
  expect(page('Events lead')).toContain(
    '<h3>Events lead</h3>\n<p class="drawn">EMV by label, in euro. A post counts under each label.</p>',
  );
  expect(page(null)).toContain(
    '<h3>EMV by label, in euro</h3>\n<p class="drawn">A post counts under each label.</p>',
  );
});

describe('a table', () => {
  test('writes every column in its format', () => {
    const columns = [
      ...columnsOf({ a: 'text', b: 'count', c: 'money_exact', d: 'duration', e: 'pp', f: 'list' }),
      ...columnsOf({ g: 'boolean', h: 'url' }),
    ];
    const figures = [9_007_199_254_740_993n, 8_833.06, 4_980, -0.012];
    const rows = [['x', ...figures, ['p', 'q'], true, 'https://www.example.com/a']];
    expect(bodyOf(render(columns, rows))).toBe(
      '<tr><th scope="row"><bdi>x</bdi></th><td>9,<wbr>007,<wbr>199,<wbr>254,<wbr>740,<wbr>993</td><td>€8,833.06</td><td data-v="4980">1 h 23 min</td><td><span class="change">−1.2 pp</span></td><td><bdi>p, q</bdi></td><td>yes</td><td><a href="https://www.example.com/a" target="_blank"><bdi>example.com/a</bdi></a></td></tr>\n',
    );
  });

  test('stays on one printed sheet with up to twelve rows', () => {
    const classes = (rows: number, layout: ReportSection['layout']) => {
      const columns = columnsOf({ a: 'text', b: 'longtext' });
      const page = render(columns, Array<Cell[]>(rows).fill(['x', 'y']), { layout });
      return /<table class="([^"]*)"/u.exec(page)?.[1]?.split(' ');
    };
    expect(classes(12, 'table')).toContain('short');
    expect(classes(13, 'table')).not.toContain('short');
    expect(classes(12, 'sentences')).toEqual(expect.arrayContaining(['sentences', 'short']));
    expect(classes(13, 'sentences')).not.toContain('short');
  });

  test('names columns by position: words, the key figure, and those that narrow pages hide', () => {
    const columns = [
      column('a', 'text', { isPrimary: true }),
      column('x', 'text', { isInHtml: false }),
      column('b', 'count', { isPrimary: true }),
      column('c', 'list'),
    ];
    const page = render(columns, [['x', 'hidden', 2, ['p']]]);
    expect(page).toContain('<table class="short t1 k2 t3 m3">');
    const [first, , key, last] = columns;
    if (!first || !key || !last) throw new Error('no columns');
    expect(render([first, { ...key, isPrimary: false }, last], [['x', 2, ['p']]])).toContain(
      '<table class="short t1 k2 t3 m3">',
    );
    expect(page).toContain('<th scope="col" data-sort="number" aria-sort="descending">b</th>');
    expect(page).not.toContain('hidden</');
    expect(page).toContain('.js .m3:not(.all) tr>:nth-child(3)');
  });

  test('keeps the columns by which its rows differ on a narrow page, but not ids', () => {
    const columns = columnsOf({ profile: 'text', workspace: 'text', run_id: 'text', n: 'count' });
    const classesOf = (other: string) =>
      /<table class="([^"]*)"/u.exec(
        render(
          columns,
          [
            ['x', 'acme', 'r1', 1],
            ['x', other, 'r2', 2],
          ],
          { key: ['profile', 'workspace', 'run_id'], sortedBy: null },
        ),
      )?.[1];
    expect(classesOf('globex')).toBe('short t1 t2 t3 m3 m4');
    expect(classesOf('acme')).toBe('short t1 t2 m2 t3 m3 m4');
  });

  test('gives each note about unknown values one letter', () => {
    const columns = [
      column('a', 'text'),
      column('b', 'count', { nullNote: 'No views.' }),
      column('c', 'count', { nullNote: 'No clicks.' }),
      column('d', 'count', { nullNote: 'No views.' }),
      column('e', 'count'),
    ];
    const page = render(columns, [
      ['x', null, null, null, null],
      ['y', 1, 2, 3, 4],
    ]);
    expect([...bodyOf(page).matchAll(/<sup>(.)<\/sup>/gu)].map(([, letter]) => letter)).toEqual([
      'a',
      'b',
      'a',
    ]);
    expect(page).toContain(
      // a narrow page has neither a column that is not primary nor its note
      '<p class="note"><sup>a</sup> No views.</p>\n<p class="note wide"><sup>b</sup> No clicks.</p>',
    );
    expect(page).toContain('<td><span class="null" title="No value">–</span></td></tr>');
  });

  test('has no column that is unknown in every row', () => {
    const columns = [column('a', 'text'), column('views', 'count', { nullNote: 'No views.' })];
    const page = render(columns, [
      ['x', null],
      ['y', null],
    ]);
    expect(page).not.toContain('>views</th>');
    expect(page).not.toContain('No views.');
  });

  test('draws shares as bars from 0, scaled to the largest row', () => {
    const page = render(columnsOf({ a: 'text', b: 'share' }), [
      ['x', 0.5],
      ['y', 0.25],
      ['z', null],
    ]);
    expect(
      [...page.matchAll(/<rect width="(\d+)" height="8"\/>/gu)].map(([, width]) => width),
    ).toEqual(['74', '37']);
  });

  test('draws changes with an arrow, a colour and a spoken word, and sorts them by value', () => {
    const rows = [
      ['x', 0.345],
      ['y', -0.017],
      ['z', 0.0001],
    ];
    expect(bodyOf(render(columnsOf({ a: 'text', b: 'change' }), rows))).toBe(
      [
        '<tr><th scope="row"><bdi>x</bdi></th><td data-v="0.345"><span class="change up"><span aria-hidden="true">▲ </span><span class="spoken">up </span>34.5%</span></td></tr>',
        '<tr><th scope="row"><bdi>y</bdi></th><td data-v="-0.017"><span class="change down"><span aria-hidden="true">▼ </span><span class="spoken">down </span>1.7%</span></td></tr>',
        '<tr><th scope="row"><bdi>z</bdi></th><td data-v="0.0001"><span class="change">0.0%</span></td></tr>',
        '',
      ].join('\n'),
    );
  });

  test('draws trends as lines with gaps, and does not sort by them', () => {
    const rows = [
      ['x', [1, 2, null, 4, 3]],
      ['y', [null, 3, null]],
      ['z', null],
    ] satisfies Cell[][];
    const page = render([column('a', 'text'), column('b', 'trend', { title: 'Jan–May' })], rows);
    expect(page).toContain('<th scope="col" aria-sort="descending">Jan–May</th>');
    expect(bodyOf(page)).toContain(
      '<td><svg class="spark" width="84" height="20" viewBox="0 0 84 20" role="img" aria-label="Jan–May: highest at 4 of 5"><path class="trend" d="M3,13.9L22.5,10.3M61.5,3L81,6.6"/><circle class="peak" cx="61.5" cy="3" r="2.2"/></svg></td>',
    );
    expect(bodyOf(page).match(/<svg/gu)).toHaveLength(1);
    expect(bodyOf(page).match(/class="null"/gu)).toHaveLength(2);
  });

  test('folds all but the first rows of a long table, and makes it searchable', () => {
    const rows = Array.from({ length: 101 }, (_, index): Cell[] => [`row ${index}`, index]);
    const columns = columnsOf({ a: 'text', b: 'count' });
    const unsorted = { sortedBy: null };
    const page = render(columns, rows, unsorted);
    expect(bodyOf(page).match(/<tr>/gu)).toHaveLength(25);
    expect(page).toContain(
      '<tbody class="gap"><tr><td colspan="2">76 rows more<span class="elsewhere">: not on this page</span></td></tr></tbody>\n<tbody class="folded">\n<tr><th scope="row"><bdi>row 25</bdi></th>',
    );
    expect(page).toContain('<tr><th scope="row"><bdi>row 100</bdi></th><td>100</td></tr>');
    expect(page).toContain('<p class="find" hidden>');
    expect(page).not.toContain('in the first 200 characters');
    expect(render(columns, [...rows, ['long '.repeat(41), 7]], unsorted)).toContain(
      '<span>in the first 200 characters of each text</span> <output></output></p>',
    );
    expect(render(columns, rows.slice(0, 100), unsorted)).not.toContain('class="gap"');
    expect(render(columns, rows.slice(0, 12), unsorted)).not.toContain('class="find"');
  });

  test('gives the first letters to rows that all see, and hides those of folded rows with them', () => {
    const columns = [
      column('a', 'text'),
      column('b', 'count', { nullNote: 'Folded only.' }),
      column('c', 'count', { nullNote: 'Seen.' }),
    ];
    const row = (index: number): Cell[] => [`row ${index}`, 1, index || null];
    const seen = Array.from({ length: 40 }, (_, index) => row(index));
    const rows = [...seen, ...Array.from({ length: 70 }, (): Cell[] => ['more', null, 1])];
    const notes = (page: string) => page.match(/<p class="note[^]*?<\/p>/gu);
    expect(notes(render(columns, rows, { sortedBy: null }))).toEqual([
      '<p class="note wide"><sup>a</sup> Seen.</p>',
      '<p class="note folded wide"><sup>b</sup> Folded only.</p>',
    ]);
    expect(notes(render(columns, rows.slice(0, 60), { sortedBy: null }))).toEqual([
      '<p class="note wide"><sup>a</sup> Seen.</p>',
      '<p class="note screen wide"><sup>b</sup> Folded only.</p>',
    ]);
  });

  test('says of its row why a figure is missing, before what is true of its column', () => {
    const given = (name: string) => column(name, 'count', { nullNote: 'Not given.' });
    const columns = [
      ...columnsOf({ a: 'text', part: 'text', posts: 'count', videos: 'count' }),
      given('views'),
      given('likes'),
    ];
    const page = render(columns, [
      ['unread', 'not read', null, null, null, null],
      ['empty', 'all', 0, 0, null, null],
      ['of texts', 'all', 2, 0, null, null],
      ['of both', 'all', 2, 1, 5, 5],
    ]);
    const titles = [...page.matchAll(/title="([^"]+)">–/g)].map(([, title]) => title);
    expect(titles).toEqual([
      'Not read.',
      'Not read.',
      'Not read.',
      'Not read.',
      'No post.',
      'No post.',
      'No video.',
      'Not given.',
    ]);
  });

  test('gives what follows from a missing figure the reason of that figure, in one note', () => {
    const given = (name: string, note: string, calculation: ReportColumn['calculation'] = null) =>
      column(name, 'count', { nullNote: note, calculation });
    const columns = [
      ...columnsOf({ a: 'text' }),
      given('impressions', 'No impressions.'),
      given('emv', 'No EMV.'),
      given('cpm', 'No EMV or no impressions.', {
        kind: 'ratio',
        of: 'emv',
        to: 'impressions',
        times: 1000,
      }),
      given('share', 'No EMV, or 0.', { kind: 'share', of: 'emv' }),
      given('before', 'No EMV before.'),
      given('change', 'No EMV before, or 0.', { kind: 'change', of: 'emv', from: 'before' }),
    ];
    const known = ['known', 1, 1, 1, 1, 1, 1];
    const titlesOf = (...row: Cell[]) =>
      [...render(columns, [['row', ...row], known]).matchAll(/title="([^"]+)">–/g)].map(
        ([, title]) => title,
      );
    expect(titlesOf(null, null, null, null, null, null)).toEqual([
      'No impressions.',
      'No EMV.',
      'No impressions.',
      'No EMV.',
      'No EMV before.',
      'No EMV before.',
    ]);
    expect(titlesOf(1, 1, 1, 1, 0, null)).toEqual(['No EMV before, or 0.']);
  });

  test('says that there was no video where videos are what its rows count', () => {
    const columns = [
      ...columnsOf({ week: 'text', videos: 'count' }),
      column('impressions', 'count', { nullNote: 'Not given.' }),
    ];
    expect(
      render(columns, [
        ['empty', 0, null],
        ['known', 1, 1],
      ]),
    ).toContain('title="No video.">–');
  });

  describe('of many groups', () => {
    const ratio = { kind: 'ratio', of: 'emv', to: 'impressions', times: 1000 } as const;
    const columns = [
      ...columnsOf({ profile: 'text', posts: 'count', impressions: 'count', emv: 'money' }),
      column('cpm', 'cpm', { calculation: ratio }),
      column('median', 'money'),
    ];
    const rows = Array.from({ length: 21 }, (_, index): Cell[] => {
      const emv = 2100 - index * 100;
      const seen = index === 20 ? [null, emv, null] : [10_000, emv, emv / 10];
      return [`profile ${index}`, 2, ...seen, emv];
    });
    const total = { label: 'Total', cells: ['Total', 42, 200_000, 23_100, 115, 1000] };
    const othersOf = (page: string) => /<tbody class="gap[^]*?<\/tbody>/u.exec(page)?.[0];

    test('shows twenty whole; of more, the largest, and folds the others under their sums and ratios', () => {
      const twenty = render(columns, rows.slice(0, 20), { sortedBy: 'emv', total });
      expect(twenty).not.toContain('class="gap"');
      const page = render(columns, rows, { sortedBy: 'emv', total });
      expect(bodyOf(page).match(/<tr>/gu)).toHaveLength(15);
      // the last row has no impressions, so the ratio is of the five others
      expect(othersOf(page)).toBe(
        '<tbody class="gap"><tr><td colspan="1">others (6)<span class="elsewhere">: not on this page</span></td><td class="sum">12</td><td class="sum">50,000</td><td class="sum">€2,100</td><td class="sum">40.00</td><td class="sum"></td></tr></tbody>',
      );
      expect(page).toContain('<bdi>profile 20</bdi>');
    });

    test('has no sums where rows overlap, and keeps those without a name', () => {
      const page = render(columns, [...rows, ['(none)', 1, 0, 0, null, 0]], {
        sortedBy: 'emv',
        total: { label: 'Total', cells: ['Total', 30, 200_000, 23_100, 115, 1000] },
      });
      expect(othersOf(page)).toContain('<td colspan="6">6 rows more<span');
      expect(page).toContain('<th scope="row" class="plain"><bdi>(none)</bdi></th>');
    });
  });
});
