import type { Formatter } from '../../languages/number-format.ts';
import type { Cell, ReportDocument, ReportSection } from '../../report/report-document.ts';
import { cellText, uniqueNames } from './cell-text.ts';
import { sheetFigure } from './cell-value.ts';
import { locateTable, type TableAddress } from './table-address.ts';

/** The most rows of a table; more would take a minute and a gigabyte. CSV and Parquet have the rest. */
export const maxTableRows = 100_000;
/** The most visible tabs of a report; the others are hidden. */
const maxVisible = 10;
const maxNameLength = 31;
const reserved = 'history';

export interface PlannedSection {
  /** The section with at most `maxTableRows` rows. */
  readonly section: ReportSection;
  readonly address: TableAddress;
  /** The name of the sheet with the grid of a heatmap; null when there is none. */
  readonly grid: string | null;
  readonly isHidden: boolean;
}

/** The sheet of one report of several. */
export interface ReportSheet {
  readonly sheet: string;
  readonly document: ReportDocument;
}

/** The names of all sheets, and which of them are visible. */
export interface SheetPlan {
  readonly cover: string;
  /** The sections in the order of the sheets; the hidden ones come last. */
  readonly sections: readonly PlannedSection[];
  /** The sheets of whole reports, where the workbook has several. */
  readonly reports: readonly ReportSheet[];
  /** Sections without a row, which have no sheet. */
  readonly empty: readonly ReportSection[];
  /** The name of the sheet with a cell for each price; null when the report has none, or no price is known. */
  readonly whatIf: string | null;
  /** True if these are more than a CPM. */
  readonly hasOtherPrices: boolean;
  readonly definitions: string | null;
}

/**
 * Sections without rows get no sheet. The summary comes first, then the main sections, then the appendix. The last sheets
 * of the appendix are hidden when there are too many, and so are the rows that only charts draw.
 */
export function planSheets(document: ReportDocument, { say }: Formatter): SheetPlan {
  const { sections, definitions } = document;
  const hasWhatIf = hasPrices(document);
  const filled = sections.filter(({ rows }) => rows.length > 0);
  const shown = sheetOrder(filled);
  // The last list of posts holds all posts.
  const posts = shown.filter(({ layout }) => layout === 'posts').slice(-1);
  const others = shown.filter((section) => !posts.includes(section));
  const taken = 1 + posts.length + Number(hasWhatIf) + Math.min(1, definitions.length);
  const room = maxVisible - taken;
  const kept = new Set([...others.slice(0, room), ...posts]);
  const seen = shown.filter((section) => kept.has(section));
  const hidden = filled.filter((section) => !seen.includes(section));
  const nameOf = nameGiver();
  const cover = nameOf(say('About'));
  const planned = [...seen, ...hidden].map((section): PlannedSection => {
    const isHidden = hidden.includes(section);
    const name = nameOf(section.title);
    const grid = section.chart?.kind === 'heatmap' && !isHidden ? name : null;
    const sheet =
      grid === null ? name : nameOf(say('{title:text} – rows', { title: section.title }));
    return {
      section: shortened(section, say),
      address: locateTable(shortened(section, say), sheet),
      grid,
      isHidden: isHidden || grid !== null,
    };
  });
  return {
    cover,
    sections: planned,
    reports: [],
    empty: sections.filter(({ rows, layout }) => rows.length === 0 && layout !== 'data'),
    whatIf: hasWhatIf ? nameOf(say('What if')) : null,
    hasOtherPrices: hasOtherPrices(document),
    definitions: definitions.length === 0 ? null : nameOf(say('Definitions')),
  };
}

/**
 * One sheet for each of several reports, and none that is hidden.
 * @param priced the report with cells for its prices, of which a workbook has one; null: none has it
 */
export function planReports(
  documents: readonly ReportDocument[],
  priced: ReportDocument | null,
  { say }: Formatter,
): SheetPlan {
  const nameOf = nameGiver();
  return {
    cover: nameOf(say('About')),
    sections: [],
    reports: documents.map((document) => ({ sheet: nameOf(plainTitle(document)), document })),
    empty: [],
    whatIf: priced && nameOf(say('What if')),
    hasOtherPrices: priced !== null && hasOtherPrices(priced),
    definitions: documents.every(({ definitions }) => definitions.length === 0)
      ? null
      : nameOf(say('Definitions')),
  };
}

/** The title without what tells the report from the whole one, for which the name of a sheet has no room. */
function plainTitle({ title, selection }: ReportDocument): string {
  return selection.length === 0 ? title : title.replace(/ \([^]*\)$/u, '');
}

/** Tells whether there are prices to change, and rows that they price. */
export function hasPrices({
  whatIf,
  prices,
  sections,
}: Pick<ReportDocument, 'whatIf' | 'prices' | 'sections'>): boolean {
  const isPriced = sections.some(({ name, rows }) => whatIf.includes(name) && rows.length > 0);
  return isPriced && (prices?.cells.length ?? 0) > 0;
}

/** Tells whether more than impressions are priced. */
export function hasOtherPrices({ prices }: Pick<ReportDocument, 'prices'>): boolean {
  return prices?.cells.some(({ metric }) => metric !== 'impressions') ?? false;
}

/** The figure of a column in cells of a section, in the units of the sheet; null when there is none. */
export function figureAt(
  { columns }: ReportSection,
  cells: readonly Cell[],
  name: string,
): number | null {
  const index = columns.findIndex((column) => column.name === name);
  return sheetFigure(cells[index] ?? null, columns[index]?.format ?? 'text');
}

/** The sections that people read, in the order of their sheets. */
function sheetOrder(sections: readonly ReportSection[]): ReportSection[] {
  const rank = ({ name, isAppendix }: ReportSection) =>
    name === 'summary' ? 0 : isAppendix ? 2 : 1;
  return sections
    .filter(({ layout }) => layout !== 'data')
    .sort((one, other) => rank(one) - rank(other));
}

function shortened(section: ReportSection, say: Formatter['say']): ReportSection {
  const { rows, rowCount = rows.length, notes } = section;
  if (rowCount <= maxTableRows) return section;
  const note = say('The first {n:count} of {all:count} rows; CSV and Parquet have all.', {
    n: maxTableRows,
    all: rowCount,
  });
  return { ...section, rows: rows.slice(0, maxTableRows), notes: [note, ...notes] };
}

/**
 * Names for sheets, unchanged if Excel allows it. Forbidden characters become `_`, longer names end behind a word, and names
 * that differ only in case get a number.
 */
export function nameGiver(): (wanted: string) => string {
  const unique = uniqueNames(maxNameLength, reserved);
  return (wanted) => {
    const allowed = cellText(wanted)
      .replace(/[[\]:*?/\\!\t\n]/gu, '_')
      .replaceAll("'", '’')
      .trim();
    return unique(allowed === '' ? 'sheet' : wholeWords(allowed));
  };
}

/** As many words of a name as fit, unless its first word alone does not. */
function wholeWords(name: string): string {
  if (name.length <= maxNameLength) return name;
  const [words = ''] = /^[^]{1,30}(?=[\s,–-])/u.exec(name) ?? [];
  return words.replace(/[\s,;:–(-]+$/u, '') || name;
}
