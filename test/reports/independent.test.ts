import { describe, expect, onTestFinished, test } from 'vitest';
import type { Cell } from '../../src/languages/number-format.ts';
import { buildReport } from '../../src/report/report-builder.ts';
import { builtInReports, findReports } from '../../src/report/report-catalog.ts';
import type { ReportDocument, ReportSection } from '../../src/report/report-document.ts';
import { allPosts, type ReportParameters } from '../../src/report/report-parameters.ts';
import { prepareSession } from '../../src/report/report-session.ts';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';
import { generatePosts, generatedRows } from '../report/support/generated-rows.ts';
import { reportConfig, sharedWarehouse } from '../report/support/report-warehouse.ts';
import { buildOf } from './support/built-report.ts';
import { rowsOf } from './support/document-figures.ts';
import { expectedSections, type Figures } from './support/expected-figures.ts';

const posts = generatePosts(400);
const rows = generatedRows(posts);

const builtIn = await findReports([builtInReports]);
const reports = ['campaigns', 'emv', 'engagement', 'removed', 'video'] as const;
type Report = (typeof reports)[number];

const documents = new Map<string, Promise<ReportDocument>>();

/** A report on all posts, built once. */
function build(report: Report): Promise<ReportDocument> {
  const document = documents.get(report) ?? buildOf(rows, report);
  documents.set(report, document);
  return document;
}

/** Rows by their key; only the columns that are expected, floats to 12 digits. */
function comparable(rows: readonly Figures[], key: readonly string[], columns: readonly string[]) {
  const entries = rows.map((row): [string, Record<string, unknown>] => [
    key.map((name) => String(row[name])).join(' / '),
    Object.fromEntries(columns.map((name) => [name, rounded(row[name])])),
  ]);
  expect(new Set(entries.map(([name]) => name)).size).toBe(entries.length);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function rounded(value: number | string | null | undefined): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(10)) : value;
}

function asFigures(section: ReportSection): Figures[] {
  return (section.exactRows ?? section.rows).map((row) =>
    Object.fromEntries(section.columns.map(({ name }, index) => [name, plain(row[index] ?? null)])),
  );
}

/** Months without a post stand between those that have one (months.test.ts). */
function hasPosts(row: Figures): boolean {
  return (row['posts'] ?? row['videos']) !== 0;
}

function plain(cell: Cell): number | string | null {
  return typeof cell === 'number' || cell === null ? cell : String(cell);
}

const cases: [string, Partial<ReportParameters>][] = [
  ['everything', {}],
  [
    'removed posts too, since a day, at a CPM for every post',
    { removed: 'include', from: '2025-11-15', cpm: 27.5 },
  ],
  ['removed posts only, until a day', { removed: 'only', to: '2025-12-31' }],
];

describe.each(['emv', 'engagement', 'video'] as const)('%s', (report) => {
  test.each(cases)('every section agrees with the posts, for %s', async (_name, changes) => {
    const asked = { ...allPosts, ...changes, timezone: 'Europe/Berlin' };
    const expected = expectedSections(report, posts, asked);
    // what a report has beyond these is computed again beside it
    const only = Object.keys(expected);
    const document = await buildOf(rows, report, { only, parameters: changes });
    expect(document.sections.map(({ name }) => name).sort()).toEqual(only.toSorted());
    for (const section of document.sections) {
      const wanted = expected[section.name] ?? [];
      const columns = Object.keys(wanted[0] ?? {});
      const found = comparable(asFigures(section).filter(hasPosts), section.key, columns);
      expect(found, section.name).toEqual(comparable(wanted, section.key, columns));
    }
  });
});

describe.each(reports)('%s', (report) => {
  test('no two columns of a section have the same heading', async () => {
    const { sections } = await build(report);
    for (const { name, columns } of sections) {
      const titles = columns.map(({ title }) => title);
      expect(titles, name).toEqual([...new Set(titles)]);
    }
  });

  test('the totals are the figures of the summary', async () => {
    const { sections } = await build(report);
    const summary = sections.find(({ name }) => name === 'summary');
    const totals = sections.filter(({ total }) => total !== null);
    expect(totals.length).toBeGreaterThan(0);
    for (const { columns, total } of totals) {
      for (const [index, { name }] of columns.entries()) {
        const place = summary?.columns.findIndex((column) => column.name === name) ?? -1;
        if (place >= 0) expect(total?.cells[index]).toEqual(summary?.rows[0]?.[place]);
      }
    }
  });
});

test('neither the order of rows nor the number of threads changes a byte', async () => {
  const path = await sharedWarehouse(generatedRows(posts.toReversed()));
  const database = await openWarehouse(path);
  await database.run('set threads = 1');
  const session = await prepareSession(database, reportConfig(path), allPosts);
  onTestFinished(() => session.close());
  for (const report of ['emv', 'engagement'] as const) {
    const definition = builtIn.get(report);
    const contents = { rowPosts: false, listRows: Infinity };
    const other = definition && (await buildReport(session, definition, {}, contents));
    expect(JSON.stringify(other)).toBe(JSON.stringify(await build(report)));
  }
});

describe.each<Report>(['emv', 'engagement', 'video'])('%s', (report) => {
  test('the rows have the order of their section, with empty and (none) last', async () => {
    const { sections } = await build(report);
    for (const section of sections.filter(({ sortedBy }) => sortedBy !== null)) {
      const place = section.columns.findIndex(({ name }) => name === section.sortedBy);
      const named = section.rows.filter(([first]) => first !== '(none)');
      expect(section.rows.slice(0, named.length)).toEqual(named);
      const values = named.map((row) => (row[place] === null ? -Infinity : Number(row[place])));
      expect(values).toEqual(values.toSorted((a, b) => b - a));
    }
    const months = sections.find(({ name }) => name === 'by_month')?.rows.map(([month]) => month);
    expect(months).toEqual([...(months ?? []).filter((month) => month !== null).toSorted(), null]);
  });
});

test('the removed report says over how many profiles, and names nobody who deleted posts', async () => {
  const { lede, sections } = await build('removed');
  const removed = posts.filter(({ removedAt }) => removedAt !== null);
  const profiles = new Set(removed.map((post) => `${post.workspace} ${post.profileId}`));
  const counts = [removed.length, posts.length, profiles.size].map(String);
  expect(lede).toContain(
    `${counts[0] ?? ''} of ${counts[1] ?? ''} posts were removed, from ${counts[2] ?? ''} profiles.`,
  );
  expect(sections.find(({ name }) => name === 'by_person')?.finding).toBeNull();
});

test('the filters are alternatives within and conditions between', async () => {
  const labels = ['(none)', 'Hiring', 'Ærø'];
  const parameters = {
    profiles: ['Acme', 'p3'],
    labels,
    types: ['Video', 'Poll'],
    campaigns: ['Spring', '(none)'],
    workspaces: ['beta', 'acme'],
  };
  const document = await buildOf(rows, 'emv', { only: ['posts'], parameters });
  const labelsOf = (post: (typeof posts)[number]) =>
    post.labels.length === 0 ? ['(none)'] : post.labels.map(({ name }) => name);
  const wanted = posts.filter(
    (post) =>
      ((post.workspace === 'acme' && post.profileId === 'p1') || post.profileId === 'p3') &&
      labelsOf(post).some((name) => labels.includes(name)) &&
      ['Video', 'Poll'].includes(post.type) &&
      [null, 'Spring'].includes(post.campaign) &&
      post.removedAt === null,
  );
  expect(wanted.length).toBeGreaterThan(5);
  const found = rowsOf(document, 'posts').map((row) => String(row['linkedin_post_id']));
  expect(found.toSorted()).toEqual(wanted.map(({ id }) => id).sort());
});
