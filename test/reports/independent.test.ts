import { describe, expect, onTestFinished, test } from 'vitest';
import { addDays } from '../../src/core/calendar.ts';
import type { Cell } from '../../src/languages/number-format.ts';
import { buildReport } from '../../src/report/report-builder.ts';
import { builtInReports, findReports } from '../../src/report/report-catalog.ts';
import type { ReportDocument, ReportSection } from '../../src/report/report-document.ts';
import { allPosts, type ReportParameters } from '../../src/report/report-parameters.ts';
import { prepareSession } from '../../src/report/report-session.ts';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';
import {
  generatePosts,
  generatedRows,
  type GeneratedPost,
} from '../report/support/generated-rows.ts';
import { reportConfig, sharedWarehouse } from '../report/support/report-warehouse.ts';
import { buildOf } from './support/built-report.ts';
import { rounded, rowsOf } from './support/document-figures.ts';
import {
  expectedRow,
  isInPeriod,
  groupColumns,
  groupsOf,
  type Counted,
  type Expectation,
} from './support/expected-figures.ts';

const posts = generatePosts(400);
const rows = generatedRows(posts);

/** The last day that is over, of which all posts are as they are read. */
const yesterday = addDays(reportConfig(await sharedWarehouse(rows)).today, -1);

const builtIn = await findReports([builtInReports]);
const reports = [...builtIn.keys()];

const documents = new Map<string, Promise<ReportDocument>>();

/** A report on all posts, built once. */
function build(report: string): Promise<ReportDocument> {
  const document = documents.get(report) ?? buildOf(rows, report);
  documents.set(report, document);
  return document;
}

/** The posts that a report is about, where these are not all that it covers. */
const ofReport: Readonly<Record<string, (post: GeneratedPost) => boolean>> = {
  campaigns: ({ campaign }) => campaign !== null,
};

/** The posts of a report: those that it adds up, the removed ones besides, and those that its shares are of. */
function postsOf(report: string, asked: Expectation): Counted & { whole: GeneratedPost[] } {
  const covers = builtIn.get(report)?.covers;
  const isOwn = ofReport[report] ?? (() => true);
  const inPeriod = posts.filter(
    (post) => isInPeriod(post, asked) && (covers !== 'videos' || post.type === 'Video'),
  );
  const removed = covers === 'removed posts' ? 'only' : asked.removed;
  const shown = inPeriod.filter(
    ({ removedAt }) => removed === 'include' || (removedAt !== null) === (removed === 'only'),
  );
  const whole = covers === 'removed posts' ? inPeriod : shown;
  return { posts: shown.filter(isOwn), all: inPeriod.filter(isOwn), whole };
}

interface Compared {
  /** The rows by their key, in the columns that are known here. */
  readonly found: Readonly<Record<string, object>>;
  readonly wanted: Readonly<Record<string, object>>;
  /** The posts that are in no row. */
  readonly missing: readonly string[];
}

/** The rows of a section beside what its posts give; null where the test does not know what its rows are. */
function compared(
  section: ReportSection,
  report: string,
  asked: Expectation,
  before: ReportDocument['previousPeriod'],
): Compared | null {
  const { key, layout } = section;
  const rows = asFigures(section);
  const columns = section.columns.map(({ name }) => name);
  const grouping = groupColumns(columns, key);
  if (grouping === null || layout === 'sentences') return null;
  // the 13 months are those up to the end of the period, from whichever day it is
  const isOfMonths = columns.includes('is_period');
  const days = isOfMonths ? { ...asked, from: null, to: asked.to ?? yesterday } : asked;
  const { posts: shown, all, whole } = postsOf(report, days);
  // times are beside those at the same point of the period before
  const isOfTimes = key.some((column) => ['month', 'week', 'quarter'].includes(column));
  const earlier =
    before === null || isOfTimes ? null : postsOf(report, { ...asked, ...before }).posts;
  const rowsOfPosts = new Map(
    [...all, ...(earlier ?? [])].map((post) => {
      const groups = Object.entries(groupsOf(post, grouping, asked));
      const own = rows.filter((row) =>
        groups.every(([column, names]) => names.includes(row[column] ?? null)),
      );
      return [post, { own, isGrouped: groups.every(([, names]) => names.length > 0) }];
    }),
  );
  const pairs = rows.map((row) => {
    const isMember = (post: GeneratedPost) => rowsOfPosts.get(post)?.own.includes(row) === true;
    const previous = earlier?.filter(isMember) ?? null;
    const counted = { posts: shown.filter(isMember), all: all.filter(isMember), previous };
    const wanted = expectedRow(columns, counted, whole, asked);
    const found = Object.fromEntries(Object.keys(wanted).map((name) => [name, row[name]]));
    const name = key.map((column) => String(row[column])).join(' / ');
    return { name, found: roundedAll(found), wanted: roundedAll(wanted) };
  });
  expect(new Set(pairs.map(({ name }) => name)).size, section.name).toBe(pairs.length);
  const isOfAll = ['posts', 'videos', 'removed_posts'].some((name) => columns.includes(name));
  const missing = shown.filter((post) => {
    const { own, isGrouped } = rowsOfPosts.get(post) ?? { own: [], isGrouped: false };
    // only sections `by` a time have posts without one, under an empty month
    const hasTime = post.publishedAt !== null || section.name.startsWith('by_');
    return isGrouped && hasTime && own.length === 0;
  });
  return {
    found: Object.fromEntries(pairs.map(({ name, found }) => [name, found])),
    wanted: Object.fromEntries(pairs.map(({ name, wanted }) => [name, wanted])),
    missing:
      (isOfAll && !isOfMonths) || section.name === 'posts' ? missing.map(({ id }) => id) : [],
  };
}

function roundedAll(row: Readonly<Record<string, Cell | undefined>>) {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, rounded(value)]));
}

function asFigures(section: ReportSection) {
  return (section.exactRows ?? section.rows).map((row) =>
    Object.fromEntries(section.columns.map(({ name }, index) => [name, plain(row[index] ?? null)])),
  );
}

function plain(cell: Cell): number | string | boolean | null {
  return typeof cell === 'number' || typeof cell === 'boolean' || cell === null
    ? cell
    : String(cell);
}

const nothingKnown: Compared = { found: {}, wanted: {}, missing: [] };

const cases: [string, Partial<ReportParameters>][] = [
  ['everything', {}],
  [
    'removed posts too, of some months beside those before, at a CPM for every post',
    { removed: 'include', from: '2025-09-01', to: '2025-11-30', cpm: 27.5 },
  ],
  ['removed posts only, until a day', { removed: 'only', to: '2025-12-31' }],
];

describe.each(reports)('%s', (report) => {
  test.each(cases)('every section agrees with the posts, for %s', async (_name, changes) => {
    const asked = { ...allPosts, ...changes, timezone: 'Europe/Berlin' };
    const isOfAll = Object.keys(changes).length === 0;
    const document = await (isOfAll
      ? build(report)
      : buildOf(rows, report, { parameters: changes }));
    for (const section of document.sections) {
      const name = `${report}.${section.name}`;
      const { found, wanted, missing } =
        compared(section, report, asked, document.previousPeriod) ?? nothingKnown;
      expect(found, name).toEqual(wanted);
      expect(missing, name).toEqual([]);
    }
  });

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
    for (const { columns, total } of totals) {
      for (const [index, { name }] of columns.entries()) {
        const summaryIndex = summary?.columns.findIndex((column) => column.name === name) ?? -1;
        if (summaryIndex >= 0)
          expect(total?.cells[index]).toEqual(summary?.rows[0]?.[summaryIndex]);
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

describe.each(['emv', 'engagement', 'video'])('%s', (report) => {
  test('the rows have the order of their section, with empty and (none) last', async () => {
    const { sections } = await build(report);
    for (const section of sections.filter(({ sortedBy }) => sortedBy !== null)) {
      const index = section.columns.findIndex(({ name }) => name === section.sortedBy);
      const named = section.rows.filter(([first]) => first !== '(none)');
      expect(section.rows.slice(0, named.length)).toEqual(named);
      const values = named.map((row) => (row[index] === null ? -Infinity : Number(row[index])));
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
