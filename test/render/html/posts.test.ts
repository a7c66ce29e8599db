import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../../src/render/html/render-html.ts';
import type { Cell, ReportDocument } from '../../../src/report/report-document.ts';
import { sampleDocument } from '../../support/sample-document.ts';
import { unpackedPage } from '../../support/unpacked-page.ts';

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
  const place = section?.columns.findIndex((column) => column.name === name) ?? -1;
  return (rows) => rows.slice(0, 1).map((row) => row.with(place, cell));
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
      /<tr><td>1<\/td><th scope="row"><a dir="auto" href="[^"]+" target="_blank">We buried 41 km of cable[^<]*<\/a><small>18 Sep · <bdi>Anna Lindqvist<\/bdi> · <bdi>Video<\/bdi><\/small><\/th><td>276,033<\/td><td>€8,833\.06<\/td><td>13\.8%<\/td><td>32\.00<\/td><\/tr>/u,
    );
  });

  test('marks removed posts, unless the page does not show the column', () => {
    const removed = withCell('is_removed', true);
    expect(render(removed)).toContain('<bdi>Video</bdi> · <b>removed</b></small>');
    expect(render(withCell('is_removed', false))).not.toContain('<b>removed</b>');
    const document = postsDocument(removed);
    const sections = document.sections.map((section) => ({
      ...section,
      columns: section.columns.map((column) => ({
        ...column,
        isInHtml: column.isInHtml && column.name !== 'is_removed',
      })),
    }));
    expect(renderHtml({ ...document, sections }, { logo: null })).not.toContain('<b>removed</b>');
  });

  test('shows the first 200 characters of a text, as people count them', () => {
    const thumb = '👍🏽';
    const page = render(withCell('commentary', thumb.repeat(250)));
    expect(page).toContain(`>${thumb.repeat(200)}…</a>`);
  });

  test('says how much of each cut text the search covers', () => {
    const words = '<span>in the first 200 characters of each text</span>';
    const texts = (text: string) =>
      render((rows) =>
        withCell('commentary', text)(rows).flatMap((row) => Array.from({ length: 13 }, () => row)),
      );
    expect(texts('x'.repeat(201))).toContain(words);
    expect(texts('x'.repeat(200))).not.toContain(words);
  });

  test('shows a short text in full, on one line', () => {
    const page = render(withCell('commentary', `One\n\ntwo \t three`));
    expect(page).toContain('>One two three</a>');
  });

  test('limits the size of stacked accents', () => {
    const page = render(withCell('commentary', `a${'\u0301'.repeat(3000)}`));
    expect(page).not.toContain('\u0301'.repeat(1700));
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
      '<tbody class="gap" data-rows="395"><tr><td></td><td colspan="5">395 posts in between, EMV €46,646<span class="elsewhere">: not on this page</span></td></tr></tbody>',
    );
    expect(page).toContain('6 posts without a figure');
    expect(countRows(page)).toBe(11);
    expect(countRows(unpackedPage(page))).toBe(412);
    expect(unpackedPage(page)).toMatch(/<tr><td>9<\/td>[^]*<tr><td>403<\/td>/u);
    expect(page).toContain('<tr><td>406</td>');
    expect(page).not.toContain('<tr><td>407</td>');
    expect(page).not.toContain('<tr><td>–</td>');
  });

  test('writes ranks in the digits of the locale', () => {
    const document = { ...postsDocument(repeated(1100)), locale: 'de-DE' };
    const page = unpackedPage(renderHtml(document, { logo: null }));
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

  test('shows short tables in full', () => {
    const page = render((rows) => rows.slice(0, 25));
    expect(page).not.toContain('class="gap"');
    expect(countRows(page)).toBe(25);
  });

  test('marks unknown figures with a letter that a note explains', () => {
    const page = render(withCell('emv', null));
    expect(page).toContain(
      '<td><span class="null" title="The service gave no impressions: no EMV, and not counted as zero.">–</span><sup>a</sup></td>',
    );
    expect(page).toContain(
      '<p class="note"><sup>a</sup> The service gave no impressions: no EMV, and not counted as zero.</p>',
    );
  });
});

describe('the posts behind rows', () => {
  const behind = (page: string) =>
    /<script type="text\/plain" class="behind">([^<]*)<\/script>/u.exec(page)?.[1] ?? null;
  const placesIn = (page: string) =>
    JSON.parse(inflateRawSync(Buffer.from(behind(page) ?? '', 'base64')).toString()) as {
      list: string;
      rows: Record<string, string>;
    };
  const withoutList = (document: ReportDocument) =>
    document.sections.filter(({ layout }) => layout !== 'posts');

  test('are places of rows for each post of the list, at a few bytes each', () => {
    const page = renderHtml(sampleDocument(), { logo: null });
    const { list, rows } = placesIn(page);
    expect(list).toBe('posts');
    expect(rows['by_type']).toMatch(/^(\d+,){411}\d+$/u);
    expect(behind(page)?.length).toBeLessThan(0.03 * page.length);
  });

  test('are not in a page that does not list them', () => {
    const document = sampleDocument();
    const page = renderHtml({ ...document, sections: withoutList(document) }, { logo: null });
    expect(behind(page)).toBeNull();
  });

  test('leave out a row with a post that the list has not', () => {
    const document = sampleDocument();
    const { rows } = placesIn(renderHtml(document, { logo: null }));
    const less = document.sections.map((section) =>
      section.layout === 'posts' ? { ...section, rows: section.rows.slice(1) } : section,
    );
    const left = placesIn(renderHtml({ ...document, sections: less }, { logo: null })).rows;
    const unfoldable = (of: Record<string, string>) => new Set(of['by_type']?.match(/\d+/gu)).size;
    expect(unfoldable(left)).toBe(unfoldable(rows) - 1);
  });

  test('are left out where they would be more than a tenth of the page', () => {
    const document = sampleDocument();
    const [group] = withoutList(document).filter(({ rowPosts }) => rowPosts);
    if (!group?.rowPosts) throw new Error('the sample has no groups');
    const posts = group.rowPosts.flat();
    const page = (count: number) => {
      // no two rows have the same posts
      const rowPosts = Array.from({ length: count }, (_, row) =>
        posts.filter((_post, at) => (at * at * row) % 101 < 30),
      );
      const large = { ...group, name: 'large', rows: rowPosts.map(() => group.rows[0] ?? []) };
      const sections = [...document.sections, { ...large, rowPosts }];
      return renderHtml({ ...document, sections }, { logo: null });
    };
    expect(behind(page(3))).not.toBeNull();
    expect(behind(page(300))).toBeNull();
  });
});
