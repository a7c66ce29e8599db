import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CellExplainer, type CellExplanation } from '../../src/explain/cell-explanation.ts';
import { builtInReports, findReports } from '../../src/report/report-catalog.ts';
import { allPosts, type ReportParameters } from '../../src/report/report-parameters.ts';
import { openReportSession, type ReportSession } from '../../src/report/report-session.ts';
import { type OpenReport, withReport } from '../../src/report/open-report.ts';
import { runSectionQuery } from '../../src/report/section-query.ts';
import { generatePosts, generatedRows } from '../report/support/generated-rows.ts';
import { reportConfig, sharedWarehouse } from '../report/support/report-warehouse.ts';

const reports = await findReports([builtInReports]);
const rows = generatedRows(generatePosts(80));
const period = { from: '2025-09-01', to: '2026-01-31' };
const cases: readonly (readonly [keyof typeof notSums, Partial<ReportParameters>])[] = [
  ['emv', period],
  ['engagement', { ...period, removed: 'include' }],
  ['video', { cpm: 20, to: '2026-01-31' }],
];

async function open(changes: Partial<ReportParameters>): Promise<ReportSession> {
  const config = reportConfig(await sharedWarehouse(rows));
  return openReportSession(config, { ...allPosts, ...changes });
}

function report(name: string) {
  const definition = reports.get(name);
  if (!definition) throw new Error(`there is no report ${name}`);
  return definition;
}

/** The sections and columns of which a figure was explained. */
const explained = new Set<string>();

/**
 * Every figure, in one row of its section: with each column it is another one. A figure that several sections have, of this
 * report or of another, is explained in the first of them, beside the first figure of each section; sections that list their
 * posts themselves have all of theirs.
 */
function someCells(name: string, session: ReportSession): Promise<CellExplanation[]> {
  const definition = report(name);
  return CellExplainer.with(session, definition, {}, (explainer) =>
    withReport(session, definition, {}, (open) => explainSome(explainer, open)),
  );
}

async function explainSome(explainer: CellExplainer, open: OpenReport): Promise<CellExplanation[]> {
  const { definition } = open;
  const found: CellExplanation[] = [];
  for (const section of definition.sections) {
    const listsPosts = definition.sql.has(`${section.name}.posts.sql`);
    let isFirst = !explained.has(`section ${section.name}`);
    const result = await runSectionQuery({ ...open, file: `${section.name}.sql` });
    const names = result.columns.map((column) => column.name);
    for (const [at, { name: column, type }] of result.columns.entries()) {
      const cells = result.rows[at % Math.max(1, result.rows.length)];
      if (!/(INT|INTEGER|DOUBLE)$/.test(type) || !cells || section.key.includes(column)) continue;
      if (explained.has(column) && !isFirst && !listsPosts) continue;
      isFirst = false;
      explained.add(column).add(`section ${section.name}`);
      const row = Object.fromEntries(
        section.key.map((key) => [key, String(cells[names.indexOf(key)] ?? '')]),
      );
      const cell = await explainer.explain({ section: section.name, column, row });
      expect(cell.value, `${section.name}.${column}`).toEqual(cells[at] ?? null);
      found.push(cell);
    }
  }
  return found;
}

/** What the posts add up to, in whole billionths, as the reports add. */
function added(
  { posts }: CellExplanation,
  amount: 'first_amount' | 'second_amount',
): number | null {
  const counted = posts.filter(({ left_out: why }) => why === null);
  if (counted.length === 0) return null;
  const terms = counted.map((post) => BigInt(Math.round(Number(post[amount]) * 2 ** 50)));
  return Number(terms.reduce((sum, term) => sum + term, 0n)) / 2 ** 50;
}

/** Without the last of 15 digits, which the database rounds on its own. */
function nearly(value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(14)) : value;
}

/** Medians and percentiles, comparisons of two figures, targets, running totals, and figures that count no posts. */
const notSums = {
  emv: [
    /^by_\w+\.(emv_change|emv_target|median_emv)$/,
    /^concentration\.cumulative_/,
    /^cpm_band\.(emv|effective_cpm)$/,
    /^by_part\.price$/,
    /^summary\.(emv_low|emv_high|(previous_)?median_.*|top_\d+_share|.*_like_for_like)$/,
    /^campaign_days\.(cumulative_.*|posts)$/,
    // posts of the 12 months before, too
    /^thirteen_months\./,
  ],
  engagement: [
    /\.(rate_p\d\d|rate_change|rate_target|.*_like_for_like)$/,
    /^by_\w+\.(rate_rest|rate_without|lift|lift_factor|rated_posts_without|page_p50|member_p50)$/,
    /^mix\.(share|posts)$/,
    // posts of the 12 months before, too
    /^(thirteen_months|by_weekday_hour_over_year)\.|\.rate_over_year$/,
  ],
  video: [/\.(views_change|.*share_watched|.*_like_for_like)$/],
} as const;

describe.each(cases)('the report %s', (name, changes) => {
  test('has only cells that the posts behind them add up to, or that are known not to be sums', async () => {
    const session = await open(changes);
    onTestFinished(() => session.close());
    const others: string[] = [];
    for (const cell of await someCells(name, session)) {
      const cellName = `${cell.section}.${cell.column}`;
      const [first] = cell.figures;
      if (cell.made_as === 'sum')
        expect(nearly(added(cell, 'first_amount') ?? (cell.value === 0 ? 0 : null)), cellName).toBe(
          nearly(cell.value),
        );
      if (cell.made_as === 'ratio' && cell.value !== null)
        expect(
          ((added(cell, 'first_amount') ?? 0) / (added(cell, 'second_amount') ?? 0)) * cell.times,
          cellName,
        ).toBeCloseTo(Number(cell.value), 12);
      if (cell.made_as === 'share')
        expect(nearly(added(cell, 'first_amount')), cellName).toBe(nearly(first?.sum));
      if (cell.made_as === 'other' && cell.value !== null) others.push(cellName);
    }
    expect(others.filter((other) => !notSums[name].some((known) => known.test(other)))).toEqual([]);
  });
});

describe('a cell', () => {
  let session: ReportSession;
  beforeAll(async () => {
    session = await open(period);
  });
  afterAll(() => session.close());
  type Explain = (reference: {
    section: string;
    column?: string;
    row?: Record<string, string>;
  }) => Promise<CellExplanation>;
  const explaining = (work: (explain: Explain) => Promise<void>) =>
    CellExplainer.with(session, report('emv'), {}, (explainer) =>
      work((reference) => explainer.explain({ column: null, row: {}, ...reference })),
    );

  test('is the section’s main figure unless another column is named, and lists the posts that a posts.sql of its section gives', () =>
    explaining(async (explain) => {
      const main = await explain({ section: 'by_month', row: { month: '2025-10' } });
      expect(main).toMatchObject({ column: 'emv', made_as: 'sum', row: { month: '2025-10-01' } });
      const reference = { section: 'left_out', column: 'posts', row: { what: 'Without EMV' } };
      const { posts, value, made_as } = await explain(reference);
      expect(made_as).toBe('sum');
      expect(posts).toHaveLength(Number(value));
    }));

  test('of a section that there is not, of an unknown column, or of several rows is refused', () =>
    explaining(async (explain) => {
      for (const [reference, message] of [
        [{ section: 'by_moon' }, /no such section; it has thirteen_months, by_week, by_month/],
        [{ section: 'by_type', column: 'emvv' }, /no such figure; it has posts/],
        [{ section: 'by_type', row: { typ: 'Video' } }, /no column typ/],
        [{ section: 'by_type' }, /several rows fit[^]*--row type=Video/],
        [{ section: 'by_type', row: { type: 'None' } }, /no row fits/],
      ] as const)
        await expect(explain(reference as Parameters<Explain>[0])).rejects.toThrow(message);
    }));
});
