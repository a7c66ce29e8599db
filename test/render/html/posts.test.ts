import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../../src/render/html/render-html.ts';
import type { Cell, ReportDocument } from '../../../src/report/report-document.ts';
import { sampleDocument } from '../../support/sample-document.ts';

type Row = readonly Cell[];

/** The sample's section of posts with other rows, as a report of its own. */
function postsDocument(change: (rows: readonly Row[]) => readonly Row[]): ReportDocument {
  const document = sampleDocument();
  const posts = document.sections.filter(({ layout }) => layout === 'posts');
  return {
    ...document,
    sections: posts.map((section) => ({ ...section, rows: change(section.rows) })),
  };
}

function render(change: (rows: readonly Row[]) => readonly Row[]): string {
  return renderHtml(postsDocument(change), { logo: null });
}

/** Rows with another cell in the named column. */
function withCell(name: string, cell: Cell): (rows: readonly Row[]) => readonly Row[] {
  const section = sampleDocument().sections.find(({ layout }) => layout === 'posts');
  const index = section?.columns.findIndex((column) => column.name === name) ?? -1;
  return (rows) => rows.slice(0, 1).map((row) => row.with(index, cell));
}

function repeated(count: number): (rows: readonly Row[]) => readonly Row[] {
  return (rows) => Array.from({ length: count }, (_, index) => rows[index % 400] ?? []);
}

function countRows(page: string): number {
  return page.split('<th scope="row">').length - 1;
}

describe('a table of posts', () => {
  test('starts with the text, the day in the time zone of the report, the profile and the type', () => {
    const page = render(withCell('published_at', '2025-09-17T22:30:00Z'));
    expect(page).toMatch(
      /<tr><td>1<\/td><th scope="row"><a dir="auto" href="[^"]+" target="_blank">We buried 41 km of cable[^<]*<\/a><small>18 Sep · <bdi>Anna Lindqvist<\/bdi> · <bdi>Video<\/bdi><\/small><\/th><td>276,033<\/td><td>€8,833\.06<\/td><td>7\.4%<\/td><td>32\.00<\/td><\/tr>/u,
    );
  });

  test.each([
    ['javascript:alert(1)', []],
    ['data:text/html,x', []],
    ['not an address', []],
    ['//example.com', []],
    ['HTTPS://Example.com/"x', ['https://example.com/%22x']],
    ['http://example.com/?a=1&b=2', ['http://example.com/?a=1&amp;b=2']],
  ])('makes %s a link only when it is http or https', (url, links) => {
    const found = render(withCell('url', url)).matchAll(/<a dir="auto" href="([^"]*)"/gu);
    expect([...found].map(([, href]) => href)).toEqual(links);
  });

  test('marks removed posts', () => {
    const removed = withCell('is_removed', true);
    expect(render(removed)).toContain('<bdi>Video</bdi> · <b>removed</b></small>');
    expect(render(withCell('is_removed', false))).not.toContain('<b>removed</b>');
  });

  test('shows the first 200 characters of a text, as people count them', () => {
    const thumb = '👍🏽';
    const page = render(withCell('commentary', thumb.repeat(250)));
    expect(page).toContain(`>${thumb.repeat(200)}…</a>`);
  });

  test('shows the title of a post without text, and a phrase when there is no title', () => {
    const title = (rows: readonly Row[]) =>
      withCell('commentary', '  ')(withCell('title', 'Draft 7')(rows));
    expect(render(title)).toContain('>Draft 7</a>');
    expect(render(withCell('commentary', null))).toContain('>Post without text</a>');
  });

  test('shows the first and the last posts, and folds those in between and those without a figure', () => {
    const page = render((rows) => rows);
    expect(page).toContain(
      '<tbody class="gap"><tr><td></td><td colspan="5">395 posts in between, EMV €90,330<span class="elsewhere">: not on this page</span></td></tr></tbody>',
    );
    expect(page).toContain('6 posts without a figure');
    expect(countRows(page)).toBe(412);
    expect(page).toMatch(/<tbody class="folded">\n<tr><td>9<\/td>[^]*<tr><td>403<\/td>/u);
    expect(page).toMatch(/<tbody>\n<tr><td>404<\/td>[^]*<tr><td>406<\/td>/u);
    expect(page).toMatch(/<tbody class="folded">\n<tr><td>–<\/td>/u);
  });

  test('stays on one printed sheet with up to twelve posts', () => {
    expect(render(repeated(12))).toContain('class="posts short');
    expect(render(repeated(13))).not.toContain('class="posts short');
  });

  test('writes ranks in the digits of the locale', () => {
    const document = { ...postsDocument(repeated(1100)), locale: 'de-DE' };
    const page = renderHtml(document, { logo: null });
    expect(page).toContain('<tr><td>1.000</td><th scope="row">');
    expect(page).not.toContain('<tr><td>1000</td>');
  });

  test('names the files with the folded posts by the formats that were written', () => {
    const document = postsDocument((rows) => rows);
    const page = (formats: string[]) => renderHtml(document, { logo: null, formats });
    expect(page(['html', 'csv'])).toContain('<span class="elsewhere">: in the CSV file</span>');
    expect(page(['csv', 'xlsx', 'html', 'json'])).toContain(
      '<span class="elsewhere">: in the CSV, XLSX and JSON files</span>',
    );
  });
});

describe('the posts behind rows', () => {
  /** The indexes of the posts behind each row of the types. */
  const typesOf = (document: ReportDocument) => {
    const page = renderHtml(document, { logo: null });
    const [, table = ''] = page.split('<caption class="spoken">By type</caption>');
    const rows = table.slice(0, table.indexOf('</table>')).matchAll(/<tr data-posts="([\d ]*)">/gu);
    return [...rows].map(([, indexes = '']) => indexes.split(' ').map(Number));
  };

  test('are indexes into the list of posts, the first ones first, and each in one type', () => {
    const rows = typesOf(sampleDocument());
    expect(rows.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 412 }, (_, at) => at));
    for (const indexes of rows) expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
  });

  test('are not in a page that does not list them', () => {
    const document = sampleDocument();
    const sections = document.sections.filter(({ layout }) => layout !== 'posts');
    expect(typesOf({ ...document, sections })).toEqual([]);
  });

  test('leave out a row with a post that the list has not', () => {
    const document = sampleDocument();
    const sections = document.sections.map((section) =>
      section.layout === 'posts' ? { ...section, rows: section.rows.slice(1) } : section,
    );
    expect(typesOf({ ...document, sections })).toHaveLength(typesOf(document).length - 1);
  });
});

test('a page holds a thousand posts and says how many more are in the CSV file', () => {
  const page = renderHtml(postsDocument(repeated(1001)), { logo: null, formats: ['csv'] });
  expect(countRows(page)).toBe(1000);
  expect(page).toMatch(
    /<tbody class="gap"><tr><td><\/td><td colspan="5">1 post more<span class="elsewhere">: in the CSV file<\/span>/u,
  );
});
