import { expect, test } from 'vitest';
import { CellExplainer } from '../../src/explain/cell-explanation.ts';
import { buildReport } from '../../src/report/report-builder.ts';
import { builtInReports, findReports } from '../../src/report/report-catalog.ts';
import { postKey, type DataSection } from '../../src/report/report-document.ts';
import { narrowed } from '../reports/support/built-report.ts';
import { generatePosts, generatedRows } from './support/generated-rows.ts';
import { openSessionOn } from './support/open-session.ts';

const reports = await findReports([builtInReports]);
const rows = generatedRows(generatePosts(80));
const period = { from: '2025-09-01', to: '2026-01-31' };

/** The figure by which a section counts its posts. */
function countOf({ columns }: DataSection): string | undefined {
  const names = columns.map(({ name }) => name);
  return ['posts', 'videos'].find((name) => names.includes(name));
}

/** The sections by a dimension that were compared: those of another report have their posts by the same rule. */
const known = new Set<string>();

test.each(['emv', 'engagement', 'video', 'campaigns'])(
  'the rows of %s have the posts that explain lists behind them',
  async (name) => {
    const definition = reports.get(name);
    if (!definition) throw new Error(`there is no report ${name}`);
    const session = await openSessionOn(rows, period);
    const { sections } = await buildReport(session, definition);
    const compared: string[] = [];
    await CellExplainer.with(session, definition, {}, async (explainer) => {
      for (const section of sections.filter(({ rowPosts }) => rowPosts)) {
        const at = section.rowPosts?.findLastIndex((posts) => posts.length > 0) ?? -1;
        const count = section.columns.findIndex((column) => column.name === countOf(section));
        if (definition.sql.has(`${section.name}.posts.sql`)) {
          expect(
            section.rowPosts?.map((posts) => posts.length),
            section.name,
          ).toEqual(section.rows.map((row) => Number(row[count])));
        }
        if (at < 0 || known.has(section.name)) continue;
        if (definition.made.has(`${section.name}.sql`)) known.add(section.name);
        const cells = (section.exactRows ?? section.rows)[at] ?? [];
        const named = section.columns.map((column, index) => [column.name, cells[index]] as const);
        const row = Object.fromEntries(
          named.flatMap(([key, cell]) =>
            section.key.includes(key) ? [[key, String(cell ?? '')]] : [],
          ),
        );
        const column = countOf(section) ?? null;
        const cell = await explainer.explain({ section: section.name, column, row });
        const listed = cell.posts.filter(({ left_out: why }) => why === null);
        expect(section.rowPosts?.[at]?.toSorted(), section.name).toEqual(
          listed.map((post) => postKey(post.workspace, post.linkedin_post_id)).toSorted(),
        );
        compared.push(section.name);
      }
    });
    expect(compared.length).toBeGreaterThan(0);
  },
);

test.each(['growth', 'removed'])(
  'a page of %s finds them in a session in which nothing else was made',
  async (name) => {
    const definition = reports.get(name);
    if (!definition) throw new Error(`there is no report ${name}`);
    const own = { ...rows, campaigns: [{ campaign_id: name, name }] };
    const document = await buildReport(await openSessionOn(own, period), definition);
    expect(document.sections.some(({ rowPosts }) => rowPosts !== undefined)).toBe(true);
  },
);

test('no posts are behind the rows of a period with more than 10,000', async () => {
  const definition = reports.get('engagement');
  if (!definition) throw new Error('there is no report engagement');
  // its view of the posts is of no use to another
  const session = await openSessionOn(rows, { ...period, removed: 'include' });
  const shown = narrowed(definition, ['by_type', 'posts']);
  const hasRowPosts = async () => {
    const document = await buildReport(session, shown);
    return document.sections.map(({ rowPosts }) => rowPosts !== undefined);
  };
  expect(await hasRowPosts()).toEqual([true, false]);
  const { database } = session;
  await database.run(`
    create table some_posts as from report_posts;
    create or replace view report_posts as select some_posts.* from some_posts cross join range(500);
  `);
  expect(await hasRowPosts()).toEqual([false, false]);
});
