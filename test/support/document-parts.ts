import { english } from '../../src/languages/phrases.ts';
import { type ChartDefinition, chartSchema } from '../../src/report/chart-schema.ts';
import type {
  Cell,
  ChartSpec,
  ColumnFormat,
  ReportCard,
  ReportColumn,
  ReportDocument,
  ReportSection,
} from '../../src/report/report-document.ts';

/** Parts of documents, with what few of them have left out. */

type ChartOf<Kind extends ChartDefinition['kind']> = Extract<ChartDefinition, { kind: Kind }>;

/** A chart as report.yaml describes it: what it leaves out has its default. */
export function chartOf<Kind extends ChartDefinition['kind']>(
  kind: Kind,
  keys: Partial<ChartOf<Kind>>,
): ChartOf<Kind> {
  return chartSchema.parse({ kind, ...keys }) as ChartOf<Kind>;
}

export function card(
  label: string,
  format: ColumnFormat,
  value: Cell,
  previous: Cell,
  changes: Partial<ReportCard> = {},
): ReportCard {
  const references = { cell: null, previousCell: null };
  const none = { figure: null, trend: [], basis: null, note: null, ...references };
  return { label, format, value, previous, ...none, ...changes };
}

export function column(
  name: string,
  format: ColumnFormat,
  changes: Partial<ReportColumn> = {},
): ReportColumn {
  const title = name.replace(/^./u, (letter) => letter.toUpperCase());
  return {
    name,
    title,
    format,
    nullNote: null,
    isInHtml: true,
    isPrimary: true,
    calculation: null,
    ...changes,
  };
}

/** The formats of columns by their names. */
export type Formats = Readonly<Record<string, ColumnFormat>>;

/** Columns of which only the names and formats matter. */
export function columns(formats: Formats): ReportColumn[] {
  return Object.entries(formats).map(([name, format]) => column(name, format));
}

/** Columns that not every format has room for. */
export function secondary(formats: Formats): ReportColumn[] {
  return columns(formats).map((each) => ({ ...each, isPrimary: false }));
}

export function section(
  columns: readonly ReportColumn[],
  rows: readonly (readonly Cell[])[],
  changes: Partial<ReportSection> = {},
): ReportSection {
  return {
    name: 'by_thing',
    title: 'By thing',
    finding: null,
    description: 'EMV by thing, in euro.',
    basis: null,
    layout: 'table',
    isAppendix: false,
    empty: null,
    key: [columns[0]?.name ?? ''],
    sortedBy: null,
    columns,
    rows,
    total: null,
    chart: null,
    notes: [],
    ...changes,
  };
}

/** A section that consists of a chart and its rows. */
export function chartSection(
  name: string,
  {
    chart,
    columns: formats,
    rows,
  }: { chart: ChartSpec | null; columns: Formats; rows: readonly (readonly Cell[])[] },
): ReportSection {
  const own = columns(formats).map((each) => ({ ...each, title: titleOf(each.name) }));
  const description = `${titleOf(name)}, as the chart has it.`;
  return section(own, rows, { name, title: titleOf(name), description, key: [], chart });
}

function titleOf(name: string): string {
  return name.replaceAll('_', ' ').replace(/^./u, (letter) => letter.toUpperCase());
}

export function documentOf(
  sections: readonly ReportSection[],
  changes: Partial<ReportDocument> = {},
): ReportDocument {
  return {
    name: 'emv',
    title: 'Earned media value',
    description: 'What the impressions would have cost.',
    covers: 'posts',
    period: { from: '2025-01-01', to: '2025-12-31' },
    unreadDays: [],
    headline: null,
    comment: null,
    notes: [],
    previousPeriod: null,
    isAtEqualAge: false,
    whatIf: [],
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    language: english,
    locale: 'en-GB',
    brand: null,
    profiles: [],
    selection: [],
    filters: [],
    dataAsOf: '2026-01-04T05:00:00Z',
    stamp: {
      run: { runId: '20260104T050000Z-4f1c2a', job: 'daily', finishedAt: '2026-01-04T05:02:00Z' },
      sqlHash: '0123456789ab',
    },
    lede: null,
    cards: [],
    coverage: [],
    caveats: [],
    sections,
    definitions: [],
    ...changes,
  };
}
