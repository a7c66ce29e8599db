import { createFormatter } from '../languages/number-format.ts';
import {
  saidSection,
  type DataSection,
  type ReportCard,
  type ReportDocument,
  type ReportSection,
} from '../report/report-document.ts';
import { isUnknownInAll } from './shown-table.ts';

/** The report as page, PDF and mail show it: without what is not known. */
export function shownDocument(document: ReportDocument): ReportDocument {
  if (document.isLedeAlone === true)
    return { ...document, cards: [], sections: [], definitions: [] };
  return {
    ...document,
    cards: document.showsCards === false ? [] : knownCards(document.cards),
    sections: chosenSections(document)
      .filter(({ isLeftOut }) => !isLeftOut)
      .map((section) => withoutUnknown(withoutRefusals(section, document))),
  };
}

/**
 * The sections that the reader gets, in the order in which jobs.yaml names them, with the rows that their charts draw. All
 * of them where it names none that the report has. One that is named is no longer in the appendix.
 */
export function chosenSections({
  name: report,
  sections,
  copy,
}: Pick<ReportDocument, 'name' | 'sections' | 'copy'>): readonly DataSection[] {
  const chosen = (copy?.sections ?? []).flatMap((wanted): DataSection[] => {
    const isOwn = wanted.report === null || wanted.report === report;
    const section = isOwn && sections.find(({ name }) => name === wanted.section);
    if (!section) return [];
    return [section.layout === 'data' ? section : { ...section, isAppendix: false }];
  });
  if (chosen.length === 0) return sections.map(saidSection);
  const drawn = new Set(chosen.map(({ chart }) => chart?.rows ?? null));
  const data = sections.filter(
    ({ name, layout }) =>
      layout === 'data' && drawn.has(name) && !chosen.some((section) => section.name === name),
  );
  const each = new Map([...chosen, ...data].map((section) => [section.name, section]));
  return [...each.values()].map(saidSection);
}

/** The columns that compare a group with other posts. */
const comparisons = ['lift', 'rate_p50'];

/** Leaves out the groups with too few posts to be compared; data files and the workbook have them. */
function withoutRefusals(section: ReportSection, document: ReportDocument): ReportSection {
  const { columns, rows, exactRows, rowPosts, notes, chart, sortedBy } = section;
  const compared = columns.flatMap(({ name }, at) => (comparisons.includes(name) ? at : []));
  const isCompared = chart?.kind === 'quartiles' || sortedBy === 'lift';
  if (!isCompared || !columns.some(({ name }) => name === 'lift')) return section;
  const isSaid = (_: unknown, index: number) =>
    compared.some((at) => (rows[index]?.[at] ?? null) !== null);
  const kept = rows.filter(isSaid);
  const n = rows.length - kept.length;
  if (n === 0) return section;
  const note = '{n:count} {n|group has|groups have} too few posts to be compared.';
  return {
    ...section,
    rows: kept,
    ...(exactRows && { exactRows: exactRows.filter(isSaid) }),
    ...(rowPosts && { rowPosts: rowPosts.filter(isSaid) }),
    notes: [...notes, createFormatter(document).say(note, { n })],
  };
}

/** Leaves out the columns without a value in any row. */
function withoutUnknown(section: ReportSection): ReportSection {
  const { columns, rows, key } = section;
  if (rows.length === 0) return section;
  return {
    ...section,
    columns: columns.map((column, at) => ({
      ...column,
      isInHtml: column.isInHtml && (key.includes(column.name) || !isUnknownInAll(section, at)),
    })),
  };
}

/** Leaves out the cards that have no figure and had none, unless no card has one. */
function knownCards(cards: readonly ReportCard[]): readonly ReportCard[] {
  const known = cards.filter(({ value, previous }) => value !== null || Boolean(previous));
  return known.length === 0 ? cards : known;
}
