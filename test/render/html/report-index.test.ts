import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { readLanguage } from '../../../src/languages/phrases.ts';
import {
  type IndexedReport,
  renderReportIndex,
  siteOfIndex,
} from '../../../src/render/html/report-index.ts';

const formats = { locale: 'de-DE', currency: 'EUR', timezone: 'Europe/Berlin' };
const now = new Date('2026-11-24T12:00:00Z');

function indexed(changes: Partial<IndexedReport> = {}): IndexedReport {
  return {
    client: { name: 'Acme' },
    title: 'Earned media value',
    lede: 'Your 2 posts earned €500.',
    language: 'en',
    from: '2026-10-01',
    to: '2026-10-31',
    files: [{ format: 'html', href: 'acme/emv.html' }],
    is_incomplete: false,
    error: null,
    is_of_readings: false,
    deliveries: [],
    ...changes,
  };
}

async function render(...reports: IndexedReport[]): Promise<string> {
  const language = await readLanguage('de');
  const options = { ...formats, language, brand: null, site: '7-1', waiting: 2, now };
  return renderReportIndex(reports, options);
}

test('the list of reports is valid, escapes every name, and runs nothing', async () => {
  const hostile = '<script>alert(1)</script>"\u202e';
  const page = await render(
    indexed({ client: { name: hostile }, title: hostile, lede: hostile, error: hostile }),
    indexed({ deliveries: [{ state: 'sent', to: hostile }] }),
  );
  const report = await new HtmlValidate({ extends: ['html-validate:standard'] }).validateString(
    page,
  );
  expect(report.results.flatMap(({ messages }) => messages)).toEqual([]);
  expect(page).not.toContain('<script');
  expect(siteOfIndex(page)).toBe('7-1');
  expect(siteOfIndex('<p>Mine</p>')).toBeNull();
});

test('the list of reports begins with what is for operators, then has clients by name, and the newest period first', async () => {
  const page = await render(
    indexed({ client: { name: 'Öl' } }),
    indexed({ client: null, title: 'Internes' }),
    indexed({ from: '2026-09-01', to: '2026-09-30' }),
    indexed({ deliveries: [{ state: 'days', to: 'a@x.example' }], is_incomplete: true }),
    indexed({ title: 'Engagement', is_incomplete: true }),
    indexed({ client: null, title: 'Einsatz', is_of_readings: true }),
  );
  expect(page).toContain('2 Zustellungen warten oder sind fehlgeschlagen');
  const words = page
    .slice(page.indexOf('<main>'), page.indexOf('</main>'))
    .replaceAll(/<[^>]+>/g, '|')
    .split(/[|\n]+/)
    .filter((word) =>
      /^(?:Acme|Öl|Abrufe|Ohne Kunde|Internes|E\w+|Okt|Sep|Wartet|Unvoll|Geschr)/.test(word),
    );
  expect(words).toEqual([
    ...['Abrufe und Läufe', 'Einsatz', 'Okt. 2026', 'Geschrieben'],
    ...['Acme', 'Earned media value', 'Okt. 2026', 'Wartet auf fehlende Tage: '],
    ...['Engagement', 'Okt. 2026', 'Unvollständig'],
    ...['Earned media value', 'Sep. 2026', 'Geschrieben'],
    ...['Öl', 'Earned media value', 'Okt. 2026', 'Geschrieben'],
    ...['Ohne Kunde', 'Internes', 'Okt. 2026', 'Geschrieben'],
  ]);
});
