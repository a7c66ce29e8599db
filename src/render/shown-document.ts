import type { Cell, ReportCard, ReportDocument, ReportSection } from '../report/report-document.ts';

/** The report as page, PDF and mail show it: without what is not known. */
export function shownDocument(document: ReportDocument): ReportDocument {
  if (document.isLedeAlone === true)
    return { ...document, cards: [], sections: [], definitions: [] };
  return {
    ...document,
    cards: document.showsCards === false ? [] : knownCards(document.cards),
    sections: document.sections.filter(({ isLeftOut }) => !isLeftOut).map(withoutUnknown),
  };
}

/** Leaves out the columns without a value in any row, but keeps the one that the section is about. */
function withoutUnknown(section: ReportSection): ReportSection {
  const { columns, rows, key, sortedBy } = section;
  if (rows.length === 0) return section;
  const isKnown = (cell: Cell | undefined) => cell !== null && cell !== undefined;
  return {
    ...section,
    columns: columns.map((column, at) => ({
      ...column,
      isInHtml:
        column.isInHtml &&
        (column.name === sortedBy ||
          key.includes(column.name) ||
          rows.some((row) => isKnown(row[at]))),
    })),
  };
}

/** Leaves out the cards that have no figure and had none, unless no card has one. */
function knownCards(cards: readonly ReportCard[]): readonly ReportCard[] {
  const known = cards.filter(({ value, previous }) => value !== null || Boolean(previous));
  return known.length === 0 ? cards : known;
}
