import { HtmlValidate } from 'html-validate';
import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../../src/render/html/render-html.ts';
import type { Cell, ReportDocument, ReportSection } from '../../../src/report/report-document.ts';
import { comparisonDocument } from '../../support/comparison-document.ts';

const document = comparisonDocument();
const page = renderHtml(document, { logo: null });

/** The markup of the section that has this name in the rail. */
function sectionOf(html: string, title: string): string {
  const found = html.split('<section ').find((part) => part.includes(`<bdi>${title}</bdi>`));
  if (found === undefined) throw new Error(`the page has no section ${title}`);
  return found;
}

/** The document with one section changed. */
function withSection(
  name: string,
  change: (section: ReportSection) => Partial<ReportSection>,
): ReportDocument {
  const sections = document.sections.map((section) =>
    section.name === name ? { ...section, ...change(section) } : section,
  );
  return { ...document, sections };
}

function texts(markup: string): string[] {
  return [...markup.matchAll(/<text[^>]*>([^<]*)/gu)].map((match) => match[1] ?? '');
}

function wide(html: string, title: string): string {
  return /<svg class="wide"[^]*?<\/svg>/u.exec(sectionOf(html, title))?.[0] ?? '';
}

function narrow(html: string, title: string): string {
  return /<svg class="narrow"[^]*?<\/svg>/u.exec(sectionOf(html, title))?.[0] ?? '';
}

test('a page of comparisons is valid HTML', async () => {
  const validator = new HtmlValidate({ extends: ['html-validate:standard'] });
  const report = await validator.validateString(page);
  expect(report.results.flatMap(({ messages }) => messages)).toEqual([]);
});

describe('quartiles', () => {
  const section = sectionOf(page, 'By type');

  test('are drawn in a column of the table, before their figures', () => {
    const heads = [...section.matchAll(/<th scope="col"[^>]*>([^<]*)/gu)].map(([, head]) => head);
    expect(heads).toEqual([
      'Type',
      'Posts',
      'Rate',
      'Half of the posts lie in the band',
      'p25',
      'p50',
      'p75',
      'Against 2024',
      'Jan–Dec',
    ]);
  });

  test('are drawn as a band from p25 to p75 with a tick, a diamond and a line for all posts, on a scale from 0', () => {
    expect(section).toContain(
      'aria-label="p25 3.4%, p50 5.2%, p75 6.9%, of the whole 6.1%, of all 4.2%"><path class="grid" d="M0 27H200"/><path class="s2" d="M91.3 31V23H185.2V31z"/><path class="all" d="M112.7 9V45"/><path class="used" d="M139.6 19V35"/><path class="ratio" d="M163.7 21.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z"/>',
    );
  });

  test('have their names on the first row only, and nothing for rows with too few posts', () => {
    expect(section.match(/class="spread"/gu)).toHaveLength(4);
    expect(texts(section)).toEqual(['p25', 'p50', 'p75']);
    expect(section).toContain('<bdi>Job</bdi></th><td>2</td><td>1.1%</td><td></td>');
  });

  test('have no column when no row has any', () => {
    const none = withSection('by_type', ({ rows }) => ({
      rows: rows.map((row) => row.map((cell, index) => (index >= 3 && index <= 5 ? null : cell))),
    }));
    expect(renderHtml(none, { logo: null })).not.toContain('lie in the band');
  });
});

describe('lift', () => {
  test('is a hollow dot without and a full dot with the label, in the colour of its direction', () => {
    const drawn = wide(page, 'By label');
    expect(drawn).toContain(
      '<path class="span rise" d="M413.3 24H659"/><circle class="hollow" cx="413.3" cy="24" r="4.5"/><circle class="dot rise" cx="659" cy="24" r="4.5"/>',
    );
    expect(drawn.match(/class="span fall"/gu)).toHaveLength(1);
    expect(texts(drawn).slice(0, 11)).toEqual([
      '3.0%',
      '3.5%',
      '4.0%',
      '4.5%',
      '5.0%',
      '5.5%',
      'Behind the scenes',
      '+1.2 pp',
      '× 1.29',
      '35',
      'Event',
    ]);
    expect(sectionOf(page, 'By label')).toMatch(/class="key">[^]*posts without<[^]*posts with</u);
  });

  test('names labels with too few posts, and shortens long names', () => {
    for (const drawn of [wide(page, 'By label'), narrow(page, 'By label')]) {
      expect(texts(drawn)).toContain('not enough posts (8)');
      expect(texts(drawn).some((text) => /^A label whose n[a-z ]*…$/u.test(text))).toBe(true);
    }
  });

  test('is sorted from high to low, with labels that are not compared last and no colour for 0.0 pp', () => {
    const mixed = withSection('by_label', ({ rows }) => ({
      rows: [...rows.toReversed(), ['Even', 20, 0.04203, 0.042, 0.00003, 1, true]],
    }));
    const drawn = wide(renderHtml(mixed, { logo: null }), 'By label');
    const lifts = texts(drawn).filter((text) => text.endsWith(' pp'));
    expect(lifts).toEqual(['+1.2 pp', '+1.0 pp', '0.0 pp', '−0.1 pp', '−0.2 pp', '−1.2 pp']);
    expect([...drawn.matchAll(/class="dot (\w+)"/gu)].map(([, way]) => way)).toEqual([
      'rise',
      'rise',
      'even',
      'even',
      'even',
      'fall',
    ]);
    expect(texts(drawn).indexOf('Award')).toBeGreaterThan(texts(drawn).indexOf('Product'));
  });

  test('has a colour only where the difference is clear, in the table too', () => {
    const html = sectionOf(page, 'By label');
    expect(html).toMatch(/class="key">[^]*posts with, no clear difference</u);
    expect(html).toContain('<span class="change up">+1.0 pp</span>');
    expect(html).toContain('<span class="change">−0.2 pp</span>');
    expect(html).toContain('<span class="change down">−1.2 pp</span>');
  });

  test('draws only as many rows as can be read, and says where the others are', () => {
    const many = withSection('by_label', ({ rows }) => ({
      rows: Array.from({ length: 30 }, (_, index): readonly Cell[] => rows[index % 6] ?? []),
    }));
    const html = renderHtml(many, { logo: null });
    expect(wide(html, 'By label').match(/class="hollow"/gu)).toHaveLength(24);
    expect(sectionOf(html, 'By label')).toContain('6 of 30 rows are in the table alone.');
  });

  test('leaves only the table when nothing can be compared', () => {
    const none = withSection('by_label', ({ rows }) => ({ rows: rows.slice(-1) }));
    expect(sectionOf(renderHtml(none, { logo: null }), 'By label')).not.toContain('<figure>');
  });
});

describe('shares of groups', () => {
  test('name parts in the bar if they fit, otherwise below it, and name the parts that a group lacks', () => {
    expect(texts(wide(page, 'Mix'))).toEqual([
      ...['Pages', '37,413 interactions · saves, sends: – members only'],
      ...['Likes 46.0%', 'Comments 5.0%', 'Shares 4.0%', 'Clicks 45.0%'],
      ...['Members', '52,353 interactions · clicks: – pages only'],
      ...['Likes 63.0%', 'Comments 11.0%', 'Shares 5.0%', 'Saves 14.0%', 'Sends 7.0%'],
    ]);
  });

  test('give a part the same colour in every group', () => {
    const parts = wide(page, 'Mix').matchAll(/<path class="(\w+) part" d="M\S+ (\S+)V(\d+)H/gu);
    const looks = [...parts].flatMap(([, hue, bottom, top]) =>
      Number(bottom) - Number(top) > 20 ? [hue] : [],
    );
    expect(looks).toEqual(['s5', 's4', 's3', 's2', 's5', 's4', 's3', 's1', 's0']);
  });

  test('name parts that do not fit below the bar, in their colour', () => {
    const drawn = narrow(page, 'Mix');
    const below = texts(drawn).filter((text) => /^(?:Comments|Shares|Saves|Sends) /u.test(text));
    expect(below.length).toBeGreaterThan(3);
    expect(drawn.match(/<path class="s\d part" d="M\S+ \S+V\S+H\S+V/gu)?.length).toBeGreaterThan(9);
  });

  test('draw at most twelve groups, and of more than six parts the five largest and the rest as one', () => {
    const many = withSection('mix', () => ({
      rows: Array.from({ length: 14 * 45 }, (_, index): readonly Cell[] => {
        const part = index % 45;
        const group = Math.floor(index / 45) + 1;
        return [
          `Group ${group}`,
          `Profile ${part + group}`,
          part < 5 ? 100 : 1,
          part < 5 ? 100 / 540 : 1 / 540,
        ];
      }),
    }));
    const html = renderHtml(many, { logo: null });
    const drawn = wide(html, 'Mix');
    expect(drawn.match(/ part"/gu)).toHaveLength(12 * 7);
    expect(texts(drawn).filter((text) => text === 'other 7.4%')).toHaveLength(12);
    expect(texts(drawn).filter((text) => text === 'Profile 12 18.5%')).toHaveLength(5);
    expect(sectionOf(html, 'Mix')).toContain('2 of 14 groups are in the table alone.');
    expect(sectionOf(html, 'Mix')).toContain(
      'Each bar has its five largest parts, from dark to light;',
    );
  });

  test('are never wider than the drawing, whatever the shares add up to', () => {
    const wild = withSection('mix', ({ rows }) => ({
      rows: rows.map(([kind = null, part = null, value = null]) => [
        kind,
        part,
        value,
        part === 'Comments' ? -0.2 : 0.9,
      ]),
    }));
    const drawn = wide(renderHtml(wild, { logo: null }), 'Mix');
    for (const [, right] of drawn.matchAll(/part" d="M\S+ \S+V\S+H([\d.]+)V/gu)) {
      expect(Number(right)).toBeLessThanOrEqual(928.1);
    }
  });
});

describe('stages', () => {
  test('are bars from 0, each with its rate of the one before', () => {
    const drawn = wide(page, 'From impression to viewer');
    expect(texts(drawn)).toEqual([
      'Impressions',
      'Views',
      '33.4% of impressions',
      'Viewers',
      '74.9% of views',
      '1,203,455',
      '402,118',
      '301,002',
    ]);
    const path = /<path class="bar" d="([^"]*)"/u.exec(drawn)?.[1] ?? '';
    const widths = [...path.matchAll(/M(\S+) \S+V\S+H([\d.]+)V/gu)].map(
      ([, left, right]) => Number(right) - Number(left),
    );
    expect((widths[1] ?? 0) / (widths[0] ?? 1)).toBeCloseTo(402_118 / 1_203_455, 3);
  });

  test('show an unknown value as a dash without a rate', () => {
    const unknown = withSection('stages', ({ rows }) => ({
      rows: rows.map((row, index) => (index === 1 ? ['Views', null, null] : row)),
    }));
    expect(texts(wide(renderHtml(unknown, { logo: null }), 'From impression to viewer'))).toEqual([
      'Impressions',
      'Views',
      'Viewers',
      '74.9% of views',
      '1,203,455',
      '–',
      '301,002',
    ]);
  });
});

describe('rows of a chart', () => {
  const section = sectionOf(page, 'Mix');

  test('are folded under it with their notes, and appear nowhere else', () => {
    expect(section).toMatch(
      /<\/figure>\n<details><summary>Table, 12 rows<\/summary>\n[^]*Mix, by kind[^]*<p class="note" dir="ltr">Saves and sends are known of members only.<\/p>\n<\/details>/u,
    );
    expect(page.split('<caption class="spoken">Mix, by kind</caption>')).toHaveLength(2);
    expect(page).not.toContain('<bdi>Mix, by kind</bdi></h2>');
  });

  test('are folded under the first of two charts that draw them', () => {
    const again = document.sections
      .filter(({ name }) => name === 'by_kind')
      .map((drawn) => ({ ...drawn, title: 'Mix again' }));
    const twice = { ...document, sections: [...document.sections, ...again] };
    const html = renderHtml(twice, { logo: null });
    expect(sectionOf(html, 'Mix again')).toContain('<figure>');
    expect(html.split('<caption class="spoken">Mix, by kind</caption>')).toHaveLength(2);
  });

  test('are named on paper when there are too many to print', () => {
    const many = withSection('mix', ({ rows }) => ({
      rows: Array.from({ length: 120 }, (_, index): readonly Cell[] => rows[index % 12] ?? []),
    }));
    const silent = sectionOf(renderHtml(many, { logo: null, formats: ['csv'] }), 'Mix');
    expect(silent).not.toContain('class="printed"');
    expect(silent).not.toContain('paper');
    const sections = many.sections.map((section) =>
      section.chart?.kind === 'stacked'
        ? {
            ...section,
            chart: { kind: 'distribution', value: 'interactions', rows: 'mix' } as const,
          }
        : section,
    );
    const named = renderHtml({ ...many, sections }, { logo: null, formats: ['csv'] });
    expect(sectionOf(named, 'Mix')).toMatch(
      /<\/details>\n<p class="note paper">Table, [^<]*: in the CSV file\.<\/p>/u,
    );
  });

  test('stay on the page when nothing can be drawn', () => {
    const none = withSection('mix', ({ rows }) => ({
      rows: rows.map(([kind = null, part = null]) => [kind, part, null, null]),
    }));
    const html = sectionOf(renderHtml(none, { logo: null }), 'Mix');
    expect(html).not.toContain('<figure>');
    expect(html).toContain('<details class="printed"><summary>Table, 12 rows</summary>');
  });
});
