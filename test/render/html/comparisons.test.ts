import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../../src/render/html/render-html.ts';
import type { Cell, ReportDocument, ReportSection } from '../../../src/report/report-document.ts';
import { chartOf } from '../../support/document-parts.ts';
import { comparisonDocument } from '../../support/comparison-document.ts';

const document = comparisonDocument();
const page = renderHtml(document, { logo: null });

/** The markup of the section that has this name in the rail. */
function sectionOf(html: string, title: string): string {
  const found = html.split('<section ').find((part) => part.includes(`<bdi>${title}</bdi>`));
  if (found === undefined) throw new Error(`the page has no section ${title}`);
  return found;
}

/** The document with the parts of `Mix` as other rows. */
function withParts(
  change: (rows: ReportSection['rows']) => readonly (readonly Cell[])[],
): ReportDocument {
  const sections = document.sections.map((section) =>
    section.name === 'mix' ? { ...section, rows: change(section.rows) } : section,
  );
  return { ...document, sections };
}

function texts(markup: string): string[] {
  return [...markup.matchAll(/<text[^>]*>([^<]*)/gu)].map((match) => match[1] ?? '');
}

function wide(html: string, title: string): string {
  return /<svg class="wide"[^]*?<\/svg>/u.exec(sectionOf(html, title))?.[0] ?? '';
}

describe('quartiles', () => {
  const section = sectionOf(page, 'By type');

  test('are drawn in a column of the table, before their figures', () => {
    const heads = [...section.matchAll(/<th scope="col"[^>]*>([^<]*)/gu)].map(([, head]) => head);
    const figures = ['Half of the posts lie in the band', 'p25', 'p50', 'p75', 'Against 2024'];
    expect(heads).toEqual(['Type', 'Posts', 'Rate', ...figures, 'Jan–Dec']);
  });

  test('are drawn as a band from p25 to p75 with a tick, a diamond and a line for all posts, on a scale from 0', () => {
    expect(section).toContain(
      'aria-label="25th percentile 3.4%, Median 5.2%, 75th percentile 6.9%, of the whole 6.1%, of all 4.2%"><path class="grid" d="M0 27H200"/><path class="s2" d="M91.3 31V23H185.2V31z"/><path class="all" d="M112.7 9V45"/><path class="used" d="M139.6 19V35"/><path class="ratio" d="M163.7 21.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z"/>',
    );
  });

  test('have their names on the first row only, and nothing for rows with too few posts', () => {
    expect(section.match(/class="spread"/gu)).toHaveLength(4);
    expect(texts(section)).toEqual(['25%', '50%', '75%']);
    expect(section).toContain('<bdi>Job</bdi></th><td>2</td><td>1.1%</td><td></td>');
  });
});

test('a difference has a colour only where it is clear', () => {
  const html = sectionOf(page, 'By label');
  expect(html).toContain('<span class="change up">+1.0 pp</span>');
  expect(html).toContain('<span class="change">−0.2 pp</span>');
  expect(html).toContain('<span class="change down">−1.2 pp</span>');
});

describe('shares of groups', () => {
  test('name parts in the bar if they fit, otherwise below it', () => {
    expect(texts(wide(page, 'Mix'))).toEqual([
      ...['Pages', '37,413 interactions'],
      ...['Likes 46.0%', 'Comments 5.0%', 'Shares 4.0%', 'Clicks 45.0%'],
      ...['Members', '52,353 interactions'],
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

  test('draw at most twelve groups, and of more than six parts the five largest and the rest as one', () => {
    const many = withParts(() =>
      Array.from({ length: 14 * 45 }, (_, index): readonly Cell[] => {
        const part = index % 45;
        const group = Math.floor(index / 45) + 1;
        const value = part < 5 ? 100 : 1;
        return [`Group ${group}`, `Profile ${part + group}`, value, value / 540];
      }),
    );
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
});

describe('rows of a chart', () => {
  const section = sectionOf(page, 'Mix');

  test('are folded under it with their notes, and appear nowhere else', () => {
    expect(section).toMatch(
      /<\/figure>\n<details><summary>Table, 12 rows<\/summary>\n[^]*Mix, by kind[^]*<p class="note">Saves and sends are known of members only.<\/p>\n<\/details>/u,
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
    const many = withParts((rows) => Array.from({ length: 10 }, () => rows).flat());
    const silent = sectionOf(renderHtml(many, { logo: null, formats: ['csv'] }), 'Mix');
    expect(silent).not.toContain('class="printed"');
    expect(silent).not.toContain('paper');
    const parts = { facet: 'kind', x: 'interaction', y: 'interactions', rows: 'mix' };
    const multiples = chartOf('multiples', parts);
    const sections = many.sections.map((section) =>
      section.chart?.kind === 'stacked' ? { ...section, chart: multiples } : section,
    );
    const named = renderHtml({ ...many, sections }, { logo: null, formats: ['csv'] });
    expect(sectionOf(named, 'Mix')).toMatch(
      /<\/details>\n<p class="note paper">Table, [^<]*: in the CSV file\.<\/p>/u,
    );
  });

  test('stay on the page when nothing can be drawn', () => {
    const none = withParts((rows) => rows.map((row) => [...row.slice(0, 2), null, null]));
    const html = sectionOf(renderHtml(none, { logo: null }), 'Mix');
    expect(html).not.toContain('<figure>');
    expect(html).toContain('<details class="printed"><summary>Table, 12 rows</summary>');
  });
});
