import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { HtmlValidate } from 'html-validate';
import { describe, expect, test } from 'vitest';
import { type HtmlOptions, renderHtml, renderPrint } from '../../../src/render/html/render-html.ts';
import type { ReportDocument } from '../../../src/report/report-document.ts';
import { comparisonDocument } from '../../support/comparison-document.ts';
import {
  emptySampleDocument,
  sampleDocument,
  sampleEngagementDocument,
} from '../../support/sample-document.ts';

/** The sample's page with these changes, without a logo of its own. */
function render(changes: Partial<ReportDocument> = {}, options: Partial<HtmlOptions> = {}): string {
  return renderHtml(sampleDocument(changes), { logo: null, ...options });
}

const emv = render();
const engagement = renderHtml(sampleEngagementDocument(), { logo: null });
const comparisons = renderHtml(comparisonDocument(), { logo: null });
const empty = renderHtml(emptySampleDocument(), { logo: null });

/** The first group of every match in the page. */
function all(page: string, pattern: RegExp): string[] {
  return [...page.matchAll(pattern)].map((match) => match[1] ?? '');
}

describe('the page as a whole', () => {
  test('is valid HTML, with and without rows, and with hostile texts', async () => {
    const validator = new HtmlValidate({ extends: ['html-validate:standard'] });
    const hostile = renderHtml(poisoned(sampleEngagementDocument()), { logo: null });
    for (const page of [render(briefSample()), comparisons, empty, hostile]) {
      const report = await validator.validateString(page);
      expect(report.results.flatMap(({ messages }) => messages)).toEqual([]);
    }
  });

  test('loads nothing: every address in it is a link to a post', () => {
    const links = new Set(all(emv, /<a dir="auto" href="([^"]+)" target="_blank">/gu));
    const addresses = new Set(all(emv, /(https?:\/\/[^"'<\s]+)/gu));
    expect(addresses).toEqual(links);
    expect(links.size).toBe(412);
    expect(emv).not.toMatch(/<(?:link|iframe|object|embed|form|base)\b|\bsrc=|@import|url\((?!#)/u);
  });

  test('allows only its own style sheet and script', () => {
    const policy = /Content-Security-Policy" content="([^"]+)"/u.exec(emv)?.[1];
    const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const style = hash(all(emv, /<style>([^]*?)<\/style>/gu)[0]);
    const script = hash(all(emv, /<script>([^]*?)<\/script>/gu)[0]);
    expect(policy).toBe(
      `default-src 'none'; style-src ${style}; script-src ${script}; img-src data:; base-uri 'none'; form-action 'none'`,
    );
    expect(emv).not.toMatch(/\s(?:style|on[a-z]+)="/u);
  });

  test('has on paper no script, no pointer to what paper lacks, and the figures of each chart in words', () => {
    const documents = [sampleDocument(), sampleEngagementDocument()] as const;
    const paper = renderPrint(documents, { logo: null });
    expect(paper).not.toMatch(/<script|script-src|The table holds|not on this page|<figure>/u);
    const pictures = all(paper, /role="img" aria-label="([^"]*)"/gu);
    expect(pictures).toContainEqual(
      expect.stringMatching(/ Jan 2025: EMV €13,361, [^;]* €2,900; Feb 2025: /u),
    );
    const ids = all(paper, /\bid="([^"]*)"/gu);
    expect(new Set(ids).size).toBe(ids.length);
    expect(all(paper, /<a href="#([^"]*)"/gu)).toEqual(['r2-report']);
  });

  test('holds a script that parses', () => {
    expect(() => new Script(all(emv, /<script>([^]*?)<\/script>/gu)[0] ?? '(')).not.toThrow();
  });

  test('has one h1, the names of sections as h2, and their findings as h3', () => {
    expect(all(emv, /<h1[^>]*>([^<]*)/gu)).toEqual(['Earned media value']);
    expect(all(emv, /<h2[^>]*>(?:<bdi>)?([^<]*)/gu).join(', ')).toBe(
      'Summary, By month, By profile, By campaign, By type, By label, Posts, Appendix, Definitions, Source',
    );
    expect(all(emv, /<h3[^>]*>([^<]*)/gu)).toHaveLength(9);
  });

  test('writes its sentences in English, whatever the locale of its figures', () => {
    const german = render({ locale: 'de-DE' });
    expect(german).toContain(
      '<html lang="en" data-locale="de-DE" data-decimal="," data-digits="0123456789">',
    );
    expect(german).toContain('119.167\u00a0€');
  });
});

describe('the head of the page', () => {
  test('sets the figure of the lede in bold and leaves further asterisks alone', () => {
    const page = render({ lede: 'A **12%** b **c** <i>' });
    expect(page).toContain('A <strong>12%</strong> b **c** &lt;i&gt;');
  });

  test('names the period, the filters and the previous period', () => {
    const page = render({
      period: { from: '2025-10-01', to: '2025-10-31' },
      previousPeriod: { from: '2025-08-31', to: '2025-09-30' },
      filters: ['campaign: Spring'],
    });
    expect(page).toContain(
      '<p class="period"><bdi>LinkedIn</bdi> · <bdi>1 October to 31 October 2025</bdi> · <bdi>campaign: Spring</bdi></p>',
    );
    expect(page).toContain('<dd><bdi>31 Aug to 30 Sep 2025</bdi></dd>');
    expect(page).toContain('<p class="previous">€92,134 <span>(31 Aug to 30 Sep 2025)</span></p>');
  });

  test.each([
    [{ from: null, to: null }, 'All dates', 'All dates'],
    [{ from: '2025-02-01', to: null }, 'From 1 February 2025', 'From 1 Feb 2025'],
    [{ from: null, to: '2025-02-01' }, 'Until 1 February 2025', 'Until 1 Feb 2025'],
    [{ from: '2025-02-01', to: '2025-02-01' }, '1 February 2025', '1 Feb 2025'],
    [
      { from: '2024-12-01', to: '2025-02-01' },
      '1 December 2024 to 1 February 2025',
      '1 Dec 2024 to 1 Feb 2025',
    ],
  ])(
    'names the period %j in full in the head, and briefly in the title and the foot',
    (period, words, short) => {
      const page = render({ period, previousPeriod: null });
      expect(page).toContain(`<bdi>LinkedIn</bdi> · <bdi>${words}</bdi>`);
      expect(page).toContain(`<title>Earned media value · ${short} · Fjord &amp; Pine</title>`);
      expect(page).toContain(`<bdi>postledger · report emv · ${short}</bdi></p>`);
    },
  );

  test('embeds the logo, next to the name or in its place', () => {
    const logo = { mime: 'image/svg+xml', bytes: Buffer.from('<svg/>') };
    expect(render({}, { logo })).toContain(
      '<img alt="" src="data:image/svg+xml;base64,PHN2Zy8+"><bdi>Fjord &amp; Pine</bdi>',
    );
    const brand = { name: null, logo: '/logo.svg', color: null, productMark: true };
    expect(render({ brand }, { logo })).toContain(
      '<img alt="Logo" src="data:image/svg+xml;base64,PHN2Zy8+"></p>',
    );
    expect(render({ brand: null })).toContain('<bdi>postledger</bdi>');
  });

  test('uses the colour of the brand on light ground where it is legible, and a tone of it on dark ground', () => {
    const page = (color: string) => {
      return render({ brand: { name: 'Fjord & Pine', logo: null, color, productMark: true } });
    };
    expect(all(page('#064f2b'), /--accent:([^;}]+)/gu)).toEqual(['#064f2b', '#6a9580', 'LinkText']);
    expect(all(page('#ffd400'), /--accent:([^;}]+)/gu)).toEqual(['#0b5fa5', '#ffd400', 'LinkText']);
    expect(all(page('#064f2b'), /--(?:bar|c1):([^;}]+)/gu)).toEqual([
      ...['#064f2b', '#064f2b', '#6a9580', '#6a9580', 'GrayText', 'CanvasText'],
    ]);
    expect(all(page('#064f2b'), /--up:([^;}]+)/gu)).toEqual(['#0b5fa5', '#6cb4ee', 'CanvasText']);
    expect(page('red;}body{display:none')).not.toContain('display:none}body');
  });

  test('shows the change of each card, with a spoken word for the arrow', () => {
    expect(emv).toContain(
      '<p class="label">EMV</p><p class="value">€119,167</p><p class="change up"><span aria-hidden="true">▲ </span><span class="spoken">up </span>29.3%</p><p class="previous">€92,134 in 2024</p>',
    );
    expect(engagement).toContain('▲ </span><span class="spoken">up </span>0.3 pp');
    expect(engagement).toContain('▼ </span><span class="spoken">down </span>6.0%');
    expect(engagement).toContain('<p class="change">new</p><p class="previous">0 in 2024</p>');
    const cards = sampleDocument().cards.map((card, index) =>
      index === 0 ? { ...card, previous: null } : card,
    );
    expect(render({ cards })).toContain(
      '<p class="change">–</p><p class="previous">no figure in 2024</p>',
    );
  });

  test('highlights a note that casts doubt on a figure, but no other notes', () => {
    const noted = (note: string) => {
      const cards = sampleDocument().cards.map((card) => ({ ...card, note }));
      return render({ cards });
    };
    expect(noted('not final')).toContain('<p class="doubt">not final</p>');
    expect(noted('of 3 profiles')).toContain('<p class="previous">of 3 profiles</p>');
    expect(noted('of 3 profiles')).not.toContain('class="doubt"');
  });

  test('says with what cards are compared: a period, at equal age or not, or nothing', () => {
    expect(emv).toContain('<dd><bdi>2024</bdi></dd>');
    expect(render({ isAtEqualAge: true })).toContain('<dd><bdi>2024, at equal age</bdi></dd>');
    const page = render({ previousPeriod: null });
    expect(page).not.toContain('Compared with');
    expect(page).not.toContain('class="previous"');
  });
});

describe('an empty report', () => {
  test('says once that there are no posts, and has no empty tables or charts', () => {
    expect(all(empty, /(No posts in this period)/gu)).toHaveLength(1);
    expect(empty).not.toMatch(/<table class|<figure>|<p class="lede"/u);
    expect(empty).toContain('<p><bdi>No data yet</bdi></p>');
  });

  test('leaves out only its empty sections when others have rows', () => {
    const sections = sampleDocument().sections.map((section) =>
      section.name === 'by_label' ? { ...section, rows: [] } : section,
    );
    const page = render({ sections });
    expect(page).not.toContain('<bdi>By label</bdi>');
    expect(page).toContain('<bdi>By type</bdi>');
    expect(page).not.toContain('No posts in this period');
  });
});

describe('the appendix', () => {
  const sections = sampleDocument().sections.map((section) => ({
    ...section,
    isAppendix: ['by_type', 'by_month'].includes(section.name),
  }));
  const page = render({ sections });
  const at = page.indexOf('<details class="appendix"');

  test('holds the marked sections, the definitions and the source of the data', () => {
    expect(page.slice(at)).toContain(
      '<summary><h2>Appendix</h2> <bdi>By month, By type, Definitions, Source</bdi></summary>',
    );
    expect(page.indexOf('<bdi>By type</bdi>')).toBeGreaterThan(at);
    expect(page.indexOf('<bdi>Posts</bdi>')).toBeLessThan(at);
    expect(page.slice(at)).toContain(
      '<p><bdi>Run 20260104T050000Z-4f1c2a (daily), finished 4 January 2026, 06:02</bdi></p>\n<p><bdi>SQL 0123456789ab</bdi></p>',
    );
  });

  test('is the only place with the hash of the SQL, and is printed on request', () => {
    expect(page.slice(0, at)).not.toContain('0123456789ab');
    expect(/<footer>.*<\/footer>/u.exec(page)?.[0]).not.toContain('0123456789ab');
    const printed = render({ sections, copy: { appendix: true } });
    expect(printed).toContain('<details class="appendix printed"');
  });
});

test('a page without the product mark does not name the program', () => {
  const brand = { name: 'Fjord & Pine', logo: null, color: null };
  const page = (productMark: boolean) => render({ brand: { ...brand, productMark } });
  expect(page(true)).toContain('content="postledger"');
  expect(page(false)).not.toMatch(/postledger/iu);
  const nameless = { ...brand, name: null, productMark: false };
  expect(render({ brand: nameless })).not.toMatch(/postledger|class="brand"/iu);
});

describe('hostile texts', () => {
  const escaped =
    '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;img src=x onerror=alert(1)&gt;&amp;amp;';

  test('appear in the page as text, wherever they come from', () => {
    const page = renderHtml(poisoned(sampleDocument()), { logo: null });
    expect(all(page, /<(script[^>]*|img)/gu)).toEqual(['script']);
    expect(all(page, /(onerror=)/gu).length).toBeGreaterThan(20);
    expect(page.split(escaped).length).toBeGreaterThan(20);
    expect(page).not.toMatch(/[^\P{Cc}\t\n]|\p{Cs}/u);
    expect(page).not.toMatch(/"[^"<>]*\u202e[^"<>]*"/u);
  });

  test('never end the string in the style sheet', () => {
    const page = render({ dataAsOf: '2026-01-04T05:00:00Z', locale: 'ar-EG' });
    const style = all(page, /<style>([^]*?)<\/style>/gu)[0] ?? '';
    expect(style).toMatch(/@bottom-left\{content:"[A-Za-z0-9 \\,:]*";/u);
  });
});

/** The sample with just enough posts to be folded. */
function briefSample(): Partial<ReportDocument> {
  const { sections } = sampleDocument();
  return { sections: sections.map((section) => ({ ...section, rows: section.rows.slice(0, 40) })) };
}

/** The report with a hostile text in place of every other text. */
function poisoned(document: ReportDocument): ReportDocument {
  const text = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>&amp;\u0000\u0007\ud800\u202e`;
  const columns = document.sections.map((section) => section.columns);
  return {
    ...document,
    name: text,
    title: text,
    lede: text,
    brand: { name: text, logo: null, color: text, productMark: true },
    profiles: [text],
    filters: [text],
    coverage: [text],
    caveats: [text],
    cards: document.cards.map((card) => ({ ...card, label: text, basis: text, note: text })),
    definitions: [{ term: text, text }],
    sections: document.sections.map((section, index) => ({
      ...section,
      title: text,
      finding: text,
      description: text,
      basis: text,
      notes: [text],
      columns: section.columns.map((column) => ({ ...column, title: text, nullNote: text })),
      total: section.total && { ...section.total, label: text },
      rows: section.rows.slice(0, 30).map((row) =>
        row.map((cell, columnIndex) => {
          const format = columns[index]?.[columnIndex]?.format;
          return format === 'text' || format === 'longtext' || format === 'url' ? text : cell;
        }),
      ),
    })),
  };
}
