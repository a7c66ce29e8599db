import type { ReportSection } from '../../report/report-document.ts';
import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';
import { cleanAttribute } from './plain-text.ts';

/** Charts are drawn for a wide and a narrow page, since text must not shrink; CSS shows one. */
export const drawnWidths = { wide: 928, narrow: 342 } as const;
export type DrawnWidth = keyof typeof drawnWidths;

export interface DrawnChart {
  readonly figure: Markup;
  /** What opens the folded table, for example `Table, 12 months`. */
  readonly tableName: string;
  /** Whether each value stands on its mark, so that the table can be folded. */
  readonly showsAllValues: boolean;
  /** Sentences about the drawing, before those of the section. */
  readonly notes: readonly string[];
}

/** The name of a folded table: `Table, 1,000 rows`. */
export function tableOf(count: number, { formatter }: PageContext, noun = 'row'): string {
  return `Table, ${formatter.format(count, 'count')} ${noun}${count === 1 ? '' : 's'}`;
}

/** One drawing: an image to a listener, who hears what it states and where its figures are. */
export function drawingMarkup(
  section: ReportSection,
  { width, height, drawn }: { width: DrawnWidth; height: number; drawn: Markup },
): Markup {
  const label = `${sentence(section.finding ?? section.description)} The table holds its figures.`;
  const pixels = drawnWidths[width];
  return markup`<svg class="${width}" width="${pixels}" height="${height}" viewBox="0 0 ${pixels} ${height}" role="img" aria-label="${cleanAttribute(label)}">${drawn}</svg>
`;
}

function sentence(text: string): string {
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}
