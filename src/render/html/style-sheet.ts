import { max } from 'd3-array';
import type { ReportDocument } from '../../report/report-document.ts';
import { chartStyles } from './styles/charts.ts';
import { comparisonStyles } from './styles/comparisons.ts';
import { compactStyles } from './styles/css.ts';
import { narrowStyles } from './styles/narrow.ts';
import { pageStyles } from './styles/page.ts';
import { pageMargins, printStyles } from './styles/print.ts';
import { seriesStyles } from './styles/series.ts';
import { columnStyles, tableStyles } from './styles/tables.ts';
import { tokenStyles } from './styles/tokens.ts';

/** The page's one style sheet: its colours are the brand's, its column rules those of the tables. */
export function styleSheet({ brand, sections }: ReportDocument, foot: string): string {
  // Tables of posts have a rank and a leading cell of their own.
  const columns = (max(sections, (section) => section.columns.length) ?? 0) + 2;
  const compact = compactStyles(
    [
      tokenStyles(brand?.color ?? null),
      pageStyles,
      tableStyles,
      chartStyles,
      comparisonStyles,
      seriesStyles,
      columnStyles(columns),
      narrowStyles,
      printStyles,
    ].join(''),
  );
  return pageMargins(foot) + compact;
}
