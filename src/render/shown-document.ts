import type { ReportDocument } from '../report/report-document.ts';

/** The report as page, PDF and mail show it: by the grain of time that fits its period. */
export function shownDocument(document: ReportDocument): ReportDocument {
  const sections = document.sections.flatMap(({ atFittingGrain, ...section }) =>
    atFittingGrain === null ? [] : [atFittingGrain ?? section],
  );
  return { ...document, sections };
}
