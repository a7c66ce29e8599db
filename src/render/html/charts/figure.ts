import type { ReportSection, ReportTable } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { cleanAttribute } from '../plain-text.ts';

/** Charts are drawn for a wide and a narrow page, since text must not shrink; CSS shows one. */
const drawnWidths = { wide: 928, narrow: 342 } as const;

/** The picture that is drawn. */
export interface Frame {
  readonly isNarrow: boolean;
  readonly width: number;
  /** Of its own in the page: for patterns. */
  readonly id: string;
}

export interface Drawing {
  readonly height: number;
  readonly marks: Markup;
}

/** A chart before it is drawn at some width. */
export interface Chart {
  readonly draw: (frame: Frame) => Drawing;
  /** Above the pictures. */
  readonly key?: Markup | null;
  readonly keyBelow?: Markup | null;
  /** Whether each value stands on its mark, so that the table can be folded. */
  readonly showsAllValues: boolean;
  /** Sentences about the drawing, before those of the section. */
  readonly notes?: readonly string[];
}

/** What a chart is drawn from. */
export interface ChartScope {
  readonly section: ReportSection;
  /** The rows that are drawn: the section's, or those that its chart names. */
  readonly table: ReportTable;
  readonly context: PageContext;
  /** Of the section in the page. */
  readonly id: string;
}

/** Both pictures: an image to a listener, who hears what it states and where its figures are. */
export function figureMarkup(chart: Chart, { section, id }: ChartScope): Markup {
  const statement = section.finding ?? section.description;
  const label = `${/[.!?]$/u.test(statement) ? statement : `${statement}.`} The table holds its figures.`;
  const picture = (name: keyof typeof drawnWidths) => {
    const width = drawnWidths[name];
    const { height, marks } = chart.draw({
      isNarrow: name === 'narrow',
      width,
      id: `${id}-${name}`,
    });
    return markup`<svg class="${name}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${cleanAttribute(label)}">${marks}</svg>\n`;
  };
  return markup`<figure>
${chart.key ?? null}${picture('wide')}${picture('narrow')}${chart.keyBelow ?? null}</figure>
`;
}

/** What the drawing leaves to the table. */
export function leftOutNotes(shown: number, all: number): string[] {
  if (all <= shown) return [];
  return [`The first ${shown} are drawn; ${all - shown} more are in the table.`];
}
