import { describe, expect, it } from 'vitest';
import { terminalWidth } from '../../src/core/terminal-width.ts';
import { renderTerminalReport } from '../../src/render/terminal-report.ts';
import type { ReportDocument } from '../../src/report/report-document.ts';
import { card, columns, documentOf, section } from '../support/document-parts.ts';

const plain = { width: null, hasColor: false };

const emv = card('EMV', 'money', 64_198, 47_748, { trend: [1, null, 8], note: 'not final' });

const types = section(columns({ type: 'text', emv: 'money' }), [['Video', 12]], {
  title: 'By type',
  finding: 'Video led.',
  basis: 'n = 3 posts',
  notes: ['One was removed.'],
});

const document = documentOf([types, { ...types, name: 'days', layout: 'data' }], {
  previousPeriod: { from: '2024-01-01', to: '2024-12-31' },
  isAtEqualAge: true,
  profiles: ['Acme', 'Mara Lind'],
  filters: ['label: Hiring'],
  lede: 'Your posts earned **€64,198** of media value.',
  coverage: ['3 posts', '1 removed'],
  cards: [
    emv,
    card('Rate', 'rate', 0.04, 0.05),
    card('Posts', 'count', 3, 0),
    card('Median', 'money', null, null),
  ],
});

describe('a report on a terminal', () => {
  it('prints no directional isolates around names', () => {
    const told = { ...types, finding: '\u2068מרים\u2069 led.', notes: ['Of \u2068מרים\u2069.'] };
    const text = renderTerminalReport({ ...document, sections: [told] }, plain);
    expect(text).toContain('By type: מרים led.\n');
    expect(text).toContain('Of מרים.\n');
  });

  it('prints the head, the cards and the sections with their basis, and names the data that it does not print', () => {
    expect(renderTerminalReport(document, plain)).toBe(
      `Earned media value
LinkedIn · 1 January to 31 December 2025 · label: Hiring
Your posts earned €64,198 of media value.
Profiles: Acme, Mara Lind · Compared with: 2024, at equal age · Time zone: Europe/Berlin · Currency: Euro (EUR) · Data as of: 4 January 2026, 06:00 +01:00
3 posts · 1 removed

EMV     €64,198   ▲ 34.5%    €47,748 in 2024  ▂·█  not final
Rate       4.0%  ▼ 1.0 pp       5.0% in 2024
Posts         3       new          0 in 2024
Median        –         –  no figure in 2024

By type: Video led.
EMV by thing, in euro. · n = 3 posts
Type   Emv
─────  ───
Video  €12
One was removed.

Not printed, since charts are drawn from them: days. Get them with --format csv, json, parquet, md or xlsx.

Run 20260104T050000Z-4f1c2a (daily), finished 4 January 2026, 06:02 +01:00 · SQL 0123456789ab
`,
    );
  });

  it('prints the description when there is no finding, and no comparison when nothing is compared', () => {
    const bare = documentOf([{ ...types, finding: null, basis: null, notes: [] }], {
      cards: [emv],
      dataAsOf: null,
      period: { from: null, to: null },
    });
    expect(renderTerminalReport(bare, plain)).toBe(
      `Earned media value
LinkedIn · All dates
Profiles: none · Time zone: Europe/Berlin · Currency: Euro (EUR) · Data as of: No data yet

EMV  €64,198  ▂·█  not final

By type: EMV by thing, in euro.
Type   Emv
─────  ───
Video  €12

Run 20260104T050000Z-4f1c2a (daily), finished 4 January 2026, 06:02 +01:00 · SQL 0123456789ab
`,
    );
  });

  it('prints a line for each figure of a single row', () => {
    const totals = section(
      columns({ posts: 'count', emv: 'money', name: 'text' }),
      [[1_204, null, 'a\u001b[2J']],
      { title: 'Totals', layout: 'figures' },
    );
    const printed = renderTerminalReport(documentOf([totals]), plain);
    expect(printed.split('\n\n').at(-2)).toBe(
      ['Totals: EMV by thing, in euro.', 'Posts  1,204', 'Emv        –', 'Name   a␛[2J'].join('\n'),
    );
  });

  it('says why there are no rows', () => {
    const none = section(columns({ day: 'date' }), [], { empty: 'Nothing was taken back.' });
    const printed = renderTerminalReport(documentOf([none]), plain);
    expect(printed).toMatch(/\nDay\n───\nNothing was taken back\.\n\n/);
  });

  it('ends with the source of the data, also when the run is not finished or not known', () => {
    const last = (change: Partial<ReportDocument>) =>
      renderTerminalReport(documentOf([], change), plain).split('\n').at(-2);
    const run = { runId: 'r2', job: 'weekly', finishedAt: null };
    expect(last({ stamp: { run, sqlHash: 'abcdefabcdef' } })).toBe(
      'Run r2 (weekly), not finished · SQL abcdefabcdef',
    );
    expect(last({ stamp: { run: null, sqlHash: 'abcdefabcdef' } })).toBe('SQL abcdefabcdef');
  });

  it('fits any width', () => {
    for (let width = 24; width < 90; width += 3) {
      for (const line of renderTerminalReport(document, { ...plain, width }).split('\n')) {
        expect(terminalWidth(line)).toBeLessThanOrEqual(width);
      }
    }
  });

  it('escapes control sequences in every text', () => {
    const hostile = '\u001b]0;owned\u0007\u001b[2J\r\u202e\u009b1m';
    const told = { finding: hostile, notes: [hostile], basis: hostile };
    const drawn = renderTerminalReport(
      documentOf([section(columns({ a: 'text' }), [[hostile]], told)], {
        title: hostile,
        profiles: [hostile],
        filters: [hostile],
        lede: hostile,
        coverage: [hostile],
        cards: [{ ...emv, label: hostile, basis: hostile, note: hostile }],
      }),
      plain,
    );
    expect(drawn).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  });

  it('uses colour only when asked to', () => {
    expect(renderTerminalReport(document, plain)).not.toContain('\u001b');
    expect(renderTerminalReport(document, { ...plain, hasColor: true })).toContain(
      '\u001b[1mEarned media value',
    );
  });
});
