import { describe, expect, test } from 'vitest';
import { renderMail } from '../../src/render/mail.ts';
import type {
  ReportColumn,
  ReportDocument,
  ReportSection,
} from '../../src/report/report-document.ts';
import { card, column } from '../support/document-parts.ts';
import { sampleDocument } from '../support/sample-document.ts';

function mailOf(changes: Partial<ReportDocument>) {
  const words = { notes: [], body: null, attached: [], leftOut: [] };
  return renderMail([sampleDocument(changes)], words);
}

/** The sample's section that has this name. */
function sampleSection(name: string): ReportSection {
  const found = sampleDocument().sections.find((section) => section.name === name);
  if (!found) throw new Error(`no section ${name}`);
  return found;
}

const byProfile = sampleSection('by_profile');
const [profile, ...figures] = byProfile.columns;
if (!profile) throw new Error('no column of profiles');

describe('a mail', () => {
  test('says beside a ratio which posts it is over', () => {
    const { cards } = sampleDocument();
    const { html, text } = mailOf({
      cards: cards.map((card) => ({
        ...card,
        basis: card.label === 'EMV per post' ? '31 posts with EMV' : null,
      })),
    });
    expect(html).toMatch(/>EMV per post<br><span [^>]*>31 posts with EMV<\/span><\/td>/);
    expect(text).toMatch(/^EMV per post: .*, 31 posts with EMV\)$/m);
  });

  test('describes its table only if no chart is meant', () => {
    const described = {
      ...sampleSection('by_month'),
      finding: 'May leads',
      description: 'One dot for each post.',
    };
    const withChart = mailOf({ sections: [described] });
    expect(withChart.html).toContain('>May leads</h2>');
    expect(withChart.html + withChart.text).not.toContain('One dot');
    expect(mailOf({ sections: [{ ...described, chart: null }] }).html).toContain('One dot');
  });

  test('leaves out the workspace where all rows have the same', () => {
    const workspace = { ...profile, name: 'workspace', title: 'Workspace' };
    const columns = [profile, workspace, ...figures];
    const sections = (second: string) => {
      const rows = byProfile.rows.map(([name = null, ...cells], index) => {
        return [name, index === 0 ? 'acme' : second, ...cells];
      });
      return [{ ...byProfile, key: ['profile', 'workspace'], columns, rows }];
    };
    expect(mailOf({ sections: sections('acme') }).text).not.toContain('Workspace');
    expect(mailOf({ sections: sections('beta') }).text).toContain('Workspace beta');
  });

  test('says a figure that its row names without the title of its column', () => {
    const figure = { ...profile, title: 'Value', format: 'money', isPrimary: true } as const;
    const format = { ...profile, name: 'format', isPrimary: false, isInHtml: false };
    const rows = [
      ['EMV', 6309, 'money'],
      ['Posts', 50, 'count'],
    ];
    const textOf = (own: ReportColumn) =>
      mailOf({ sections: [{ ...byProfile, columns: [profile, own, format], rows }] }).text;
    expect(textOf({ ...figure, name: 'value', formatIndex: 2 })).toContain(
      '\nEMV: €6,309\nPosts: 50\n',
    );
    expect(textOf({ ...figure, name: 'value' })).toContain('\nEMV: Value €6,309\n');
  });

  test('says beside a change what it is from', () => {
    const columns = [
      profile,
      column('emv', 'money', { isPrimary: true }),
      column('previous_emv', 'money'),
      column('emv_change', 'change', {
        isPrimary: true,
        change: { of: 1, from: 2, format: 'money', least: 0 },
      }),
    ];
    const rows = byProfile.rows.map(([name = null]) => [name, 300, 200, 0.5]);
    const { text, html } = mailOf({ sections: [{ ...byProfile, columns, rows, total: null }] });
    expect(text).toMatch(/^EMV: €119,167 \(▲ 29\.3%, €[\d,]+ in 2024\)$/m);
    expect(html).toMatch(/▲ 29\.3%<br><span [^>]*>€[\d,]+ in 2024</);
    expect(text).toContain('Emv €300, Previous_emv €200, Emv_change +50.0%');
  });

  test('lists a short ranking of posts with links, and no list of all posts', () => {
    const list = sampleSection('posts');
    const best = { ...list, title: 'Best posts', key: ['by', 'rank'], rows: list.rows.slice(0, 3) };
    const { html, text } = mailOf({ sections: [best] });
    expect(html.match(/<li [^>]*><a href="https:[^"]+">/g)).toHaveLength(3);
    expect(text).toMatch(/Best posts\n- .+\n {2}\d+ \w+ 2025 · .+\n {2}.*EMV: €.+\n {2}https:/);
    expect(mailOf({ sections: [list] }).html).not.toContain('<li');
  });

  test('has the first sentence of each other report, the logo, and lines that were ended early', () => {
    const other = sampleDocument({ title: 'Other', lede: 'Posts earned **€5** in 2025. And 20%.' });
    const next = sampleDocument({ title: 'Next', lede: '**€5** was earned. 20% of it by one.' });
    const body = {
      text: `Dear Zoë,\n${'long words '.repeat(6)}\nend.\n\nBest\nAnna`,
      fill: (text: string) => text,
    };
    const words = { notes: [], body, attached: [], leftOut: [], logo: 'cid:logo' };
    const { html, text } = renderMail([sampleDocument(), other, next], words);
    expect(text).toContain('Other\nPosts earned €5 in 2025. And 20%.\n');
    expect(text).toContain('Next\n€5 was earned.\n');
    expect(html).toContain('<img src="cid:logo" alt=""');
    expect(html.match(/<br>(Anna|end|long)/g)).toEqual(['<br>long', '<br>Anna']);
  });

  test('explains once what its figures are, and what the first sentences of the other reports name', () => {
    const explained = (figure: string, text: string) => ({ figure, text });
    const figure = (name: string) => card(name, 'count', 1, null, { figure: name });
    const [emv, rate, interactions] = [figure('emv'), figure('rate'), figure('interactions')];
    const documents = [
      sampleDocument({
        cards: [emv],
        terms: [explained('emv', 'EMV: a price'), explained('posts', 'Posts: all')],
      }),
      sampleDocument({ cards: [emv], terms: [explained('emv', 'EMV: another price')] }),
      sampleDocument({
        cards: [rate, interactions],
        terms: [explained('interactions', 'Interactions: all'), explained('rate', 'Rate: a part')],
      }),
    ] as const;
    const words = { notes: [], body: null, attached: [], leftOut: [] };
    const { html, text } = renderMail(documents, words);
    expect(html).toContain('>EMV: a price · Posts: all · Rate: a part</p>');
    expect(text).toContain('\nEMV: a price · Posts: all · Rate: a part\n');
  });

  test('has the coverage in one sentence, and each caveat on a line of its own', () => {
    const { html, text } = mailOf({
      coverage: ['42 posts', '7 of them without impressions'],
      caveats: ['Not read: 4 January 2026'],
    });
    expect(html).toMatch(
      />42 posts, 7 of them without impressions\.<\/p>\n?<p [^>]*>Not read: 4 January 2026<\/p>/,
    );
    expect(text).toContain(
      '\n42 posts, 7 of them without impressions.\nNot read: 4 January 2026\n',
    );
  });
});
