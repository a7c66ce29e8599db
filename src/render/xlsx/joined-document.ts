import type { DataSection, ReportDocument } from '../../report/report-document.ts';

/** Reports as one, for a workbook with the cover of the first and the sheets of all. */
export function joinDocuments(
  first: ReportDocument,
  more: readonly ReportDocument[],
): ReportDocument {
  if (more.length === 0) return first;
  const others = more.map((document, index) => withOwnNames(document, `${index + 2}.`));
  const all = [first, ...others];
  const terms = all.flatMap(({ definitions }) =>
    definitions.map((each) => [each.term, each] as const),
  );
  return {
    ...first,
    sections: all.flatMap(({ sections }) => sections),
    // a workbook has one cell for the CPM
    whatIf: all.find(({ whatIf }) => whatIf.length > 0)?.whatIf ?? [],
    definitions: [...new Map(terms.toReversed()).values()].toReversed(),
  };
}

/** Charts and the sheet What if find sections by their names, which reports have in common. */
function withOwnNames(document: ReportDocument, prefix: string): ReportDocument {
  const sections = document.sections.map((section): DataSection => {
    const { chart, name, title } = section;
    const rows = chart?.rows ?? null;
    return {
      ...section,
      name: `${prefix}${name}`,
      // the name of a sheet is cut at its end
      title: `${title} – ${document.title}`,
      chart:
        chart && rows !== null ? ({ ...chart, rows: `${prefix}${rows}` } as typeof chart) : chart,
    };
  });
  return { ...document, sections, whatIf: document.whatIf.map((name) => `${prefix}${name}`) };
}
