import { describe, expect, test } from 'vitest';
import { drawChart } from '../../../src/render/html/chart.ts';
import { createPageContext } from '../../../src/render/html/page-context.ts';
import { renderHtml } from '../../../src/render/html/render-html.ts';
import type { Cell, ReportDocument } from '../../../src/report/report-document.ts';
import { chartOf, chartSection } from '../../support/document-parts.ts';
import { drawnSection } from '../../support/drawn-section.ts';
import { sampleDocument, sampleEngagementDocument } from '../../support/sample-document.ts';

type Month = readonly [month: string | null, emv: number | null, previous: number | null];

/** The sample's section by month with these rows, as a page of its own. */
function renderMonths(months: readonly Month[]): string {
  const document = sampleDocument();
  const section = document.sections.filter(({ name }) => name === 'by_month');
  const rows = months.map(([month, emv, previous]): Cell[] => [
    month,
    3,
    100,
    emv,
    30,
    0.1,
    previous,
  ]);
  return render(
    document,
    section.map((each) => ({ ...each, rows, total: null })),
  );
}

function renderSlots(slots: readonly (readonly Cell[])[]): string {
  const document = sampleEngagementDocument();
  return render(
    document,
    document.sections.map((section) => ({ ...section, rows: slots })),
  );
}

function render(document: ReportDocument, sections: ReportDocument['sections']): string {
  return renderHtml({ ...document, cards: [], sections }, { logo: null });
}

function drawing(page: string, width: 'wide' | 'narrow'): string {
  return new RegExp(`<svg class="${width}"[^]*?</svg>`, 'u').exec(page)?.[0] ?? '';
}

function texts(drawn: string): string[] {
  return [...drawn.matchAll(/<text[^>]*>([^<]*)/gu)].map((match) => match[1] ?? '');
}

/** The names of the columns of a heatmap. */
function headsOf(drawn: string): string[] {
  return [...drawn.matchAll(/y="14" class="bold mid">([^<]*)/gu)].map((match) => match[1] ?? '');
}

/** The left edge, base and end of each bar in px; the base is on the axis. */
function bars(drawn: string): number[][] {
  const path = /<path class="bar" d="([^"]*)"/u.exec(drawn)?.[1] ?? '';
  const axis = Number(/<path class="axis" d="M0 ([\d.]+)H/u.exec(drawn)?.[1]);
  return [...path.matchAll(/M(\S+) (\S+)V([\d.]+)H/gu)].map((match) => {
    const [left = NaN, bottom = NaN, top = NaN] = match.slice(1).map(Number);
    return [left, axis, top < axis ? top : bottom];
  });
}

describe('bars by month', () => {
  test('start at 0 and have the figure on top, in bold for the largest, and the month below', () => {
    const drawn = drawing(
      renderMonths([
        ['2025-01-01', 9_500, null],
        ['2025-02-01', 4_750, null],
      ]),
      'wide',
    );
    expect(texts(drawn)).toEqual(['€9.5k', '€4.8k', 'Jan', 'Feb']);
    expect(drawn).toContain('class="bold mid">€9.5k<');
    const [january, february] = bars(drawn);
    expect(january?.slice(1)).toEqual([196, 26]);
    expect(february?.slice(1)).toEqual([196, 111]);
  });

  test('name their year when it differs from the year of the report', () => {
    const later = [
      ['2026-02-01', 9_500, null],
      ['2026-03-01', 4_750, null],
    ] as const;
    const drawn = drawing(renderMonths(later), 'wide');
    expect(texts(drawn)).toEqual(['€9.5k', '€4.8k', 'Feb', '2026', 'Mar']);
    const document = sampleDocument({ period: { from: null, to: null } });
    const byMonth = document.sections.filter(({ name }) => name === 'by_month');
    const undated = texts(drawing(render(document, byMonth), 'wide'));
    expect(undated.slice(undated.indexOf('Jan'))).toEqual([
      ...[
        'Jan',
        '2025',
        'Feb',
        'Mar',
        'Apr',
        'May',
        'Jun',
        'Jul',
        'Aug',
        'Sep',
        'Oct',
        'Nov',
        'Dec',
      ],
    ]);
  });

  test('leave a gap for a month without a value and one without a row', () => {
    const drawn = drawing(
      renderMonths([
        ['2025-01-01', 9_500, null],
        ['2025-02-01', null, null],
        ['2025-04-01', 4_750, null],
      ]),
      'wide',
    );
    expect(texts(drawn)).toEqual(['€9.5k', '–', '€4.8k', 'Jan', 'Feb', 'Mar', 'Apr']);
    expect(bars(drawn)).toHaveLength(2);
  });

  test('have a tick for the previous period, which the key names', () => {
    const page = renderMonths([
      ['2025-01-01', 9_500, 9_000],
      ['2025-02-01', 100, null],
    ]);
    expect(drawing(page, 'wide')).toContain('<path class="tick" d="');
    expect(page).toMatch(/<p class="key">[^]*2024<\/span>[^]*2025<\/span><\/p>/u);
    expect(
      renderMonths([
        ['2025-01-01', 9_500, null],
        ['2025-02-01', 100, null],
      ]),
    ).not.toContain('class="key"');
  });

  test('are below the base line when negative', () => {
    const drawn = drawing(
      renderMonths([
        ['2025-01-01', 300, null],
        ['2025-02-01', -100, null],
      ]),
      'wide',
    );
    const [january, february] = bars(drawn);
    expect(january?.[1]).toBe(february?.[1]);
    expect(february?.[2]).toBeGreaterThan(february?.[1] ?? Infinity);
    expect(texts(drawn)[1]).toBe('−€100');
  });

  test('have an axis when their figures would touch', () => {
    const narrow = texts(drawing(renderHtml(sampleDocument(), { logo: null }), 'narrow'));
    expect(narrow).not.toContain('18.1');
    expect(narrow.slice(0, 3)).toEqual(['5k', '10k', '€15k']);
  });

  test('are left out for a single month, and empty months at both ends are not drawn', () => {
    expect(renderMonths([['2025-01-01', 9_500, 9_000]])).not.toContain('<figure>');
    const padded = [
      ['2025-01-01', null, null],
      ['2025-02-01', 9_500, null],
      ['2025-03-01', 400, null],
      ['2025-04-01', null, null],
    ] as const;
    expect(texts(drawing(renderMonths(padded), 'wide'))).toEqual(['€9.5k', '€400', 'Feb', 'Mar']);
    const one = [padded[0], padded[1], padded[3]] as const;
    expect(renderMonths(one)).not.toContain('<figure>');
  });

  test('leave out posts without a date, which the table counts', () => {
    const page = renderMonths([
      [null, 120, null],
      ['2025-02-01', 80, null],
      ['2025-03-01', 40, null],
    ]);
    expect(texts(drawing(page, 'wide'))).toEqual(['€80', '€40', 'Feb', 'Mar']);
    expect(page).toContain('<td>€120</td>');
  });
});

describe('a heatmap', () => {
  // weekday, hour, posts, impressions, rate
  const page = renderSlots([
    [1, 8, 5, 100, 0.01],
    [1, 9, 6, 100, 0.02],
    [2, 8, 7, 100, 0.03],
    [2, 9, 8, 100, 0.04],
    [3, 11, 4, 100, 0.9],
    [4, 11, 9, 0, null],
  ]);

  test('writes the figure in each cell, and colours the cells in steps', () => {
    const drawn = drawing(page, 'wide');
    expect(drawn).toMatch(/class="low mid">1\.0</u);
    expect(drawn).toMatch(/class="low mid">2\.0</u);
    expect(drawn).toMatch(/class="high mid">3\.0</u);
    expect(drawn).toMatch(/class="high mid">4\.0</u);
    expect([...drawn.matchAll(/<path class="(s\d)"/gu)].map(([, name]) => name)).toEqual([
      's0',
      's2',
      's4',
      's6',
    ]);
  });

  test('hatches cells with too few posts and shows their number instead of a colour', () => {
    const drawn = drawing(page, 'wide');
    expect(drawn).toContain('fill="url(#s1-wide-hatch)"');
    expect(drawn).not.toContain('90.0');
    expect(page).toContain('fewer than 5 posts: how many');
  });

  test('counts posts by hour above and by weekday at the right', () => {
    const counts = texts(drawing(page, 'wide')).filter((words) => /^\d+$/u.test(words));
    expect(counts.slice(2)).toEqual([
      '08',
      '12',
      '09',
      '14',
      '10',
      '0',
      '11',
      '13',
      '11',
      '15',
      '4',
      '9',
      '0',
      '0',
      '0',
    ]);
  });

  test('has weekdays across and hours down on a narrow page', () => {
    expect(headsOf(drawing(page, 'narrow'))).toEqual([
      'Mon',
      'Tue',
      'Wed',
      'Thu',
      'Fri',
      'Sat',
      'Sun',
    ]);
  });

  test('has the groups of any other dimension by their posts, down where their names are long', () => {
    const document = sampleEngagementDocument();
    const names = Array.from({ length: 30 }, (_, at) => `Campaign of the season ${at}`);
    const sections = document.sections.map((section) => ({
      ...section,
      columns: section.columns.map((column) =>
        column.name === 'hour' ? { ...column, format: 'text' as const } : column,
      ),
      rows: names.map((name, at): Cell[] => [2, name, at + 5, 100, 0.01]),
    }));
    const drawn = drawing(render(document, sections), 'wide');
    expect(headsOf(drawn)).toContain('Tue');
    const shown = texts(drawn).filter((words) => words.startsWith('Campaign'));
    expect(shown).toHaveLength(24);
    expect(shown[0]).toMatch(/^Campaign of the .*…$/u);
  });
});

test('the last 91 days of a calendar differ in shape by their state, which its key names', () => {
  const chart = chartOf('calendar', {
    row: 'of',
    x: 'from',
    to: 'to',
    part: 'state',
    level: 'level',
  });
  const columns = { of: 'text', from: 'date', to: 'date', state: 'text', level: 'count' } as const;
  const rows = [
    ['Acme', '2025-01-01', '2025-12-27', 'read', 3],
    ['Acme', '2025-12-28', '2025-12-28', 'too early', 2],
    ['Acme', '2025-12-29', '2025-12-30', 'failed', 1],
    ['Beta', '2025-12-31', '2025-12-31', 'not read', 0],
  ];
  const days = chartSection('days', { chart, columns, rows });
  const drawn = drawnSection(days);
  expect(drawn?.notes).toEqual(['The last 13 weeks are drawn.']);
  expect(drawnSection({ ...days, rows: days.rows.slice(1) })?.notes).toEqual([]);
  expect(drawn?.figure.match(/<\/svg>[^<]+(?=<\/span>)/gu)).toEqual(
    ['read', 'too early', 'failed', 'not read'].map((state) => `</svg>${state}`),
  );
  const box = /<path class="([^"]+)"[^>]* d="M(\S+) (\S+)V([\d.]+)H([\d.]+)/gu;
  expect(
    [...(drawn?.narrow.matchAll(box) ?? [])].map(([, look, ...places]) => {
      const [left = NaN, bottom = NaN, top = NaN, right = NaN] = places.map(Number);
      return [look, bottom - top, Math.round(((right - left) * 91) / 341)];
    }),
  ).toEqual([
    ['frame missing', 16, 1],
    ['missing', 16, 2],
    ['s2', 8, 1],
    ['s4', 16, 87],
  ]);
  const paper = createPageContext(sampleDocument(), [], { ids: '', isPaper: true });
  expect(drawChart(days, 's1', paper)?.figure.toString()).toContain(
    'Beta, 31 Dec 2025, 31 Dec 2025, not read"',
  );
});
