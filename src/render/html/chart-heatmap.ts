import type { ReportSection, ReportTable } from '../../report/report-document.ts';
import { drawingMarkup, type DrawnChart } from './drawn-chart.ts';
import { type HeatGrid, heatGrid, type HeatmapSpec, heatSteps, weekdays } from './heat-grid.ts';
import { heatFrame, type HeatLayout } from './heat-layout.ts';
import { cellsMarkup, hatchMarkup, marginsMarkup, namesMarkup } from './heat-marks.ts';
import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';

/** Weekdays by hours, each cell with its figure; null when no post has a weekday and an hour. */
export function heatmapChart(
  section: ReportSection,
  table: ReportTable,
  spec: HeatmapSpec,
  id: string,
  context: PageContext,
): DrawnChart | null {
  const grid = heatGrid(table, spec);
  const format = table.columns.find(({ name }) => name === spec.value)?.format;
  if (format === undefined || grid.hours.length === 0) return null;
  const scope = { grid, format, context };
  const draw = (layout: HeatLayout) => {
    const hatch = `${id}-hatch-${layout.width}`;
    return drawingMarkup(section, {
      width: layout.width,
      height: layout.height,
      drawn: markup`${hatchMarkup(hatch)}${marginsMarkup(scope, layout)}${cellsMarkup(scope, layout, hatch)}${namesMarkup(scope, layout)}`,
    });
  };
  const legend = { range: grid.range?.map((value) => context.formatter.format(value, format)), hatch: `${id}-hatch-key` }; // prettier-ignore
  return {
    figure: markup`<figure>
${draw(heatFrame('wide', grid.hours))}${draw(heatFrame('narrow', grid.hours))}${keyMarkup(grid, spec, legend)}</figure>
`,
    tableName: `Table, ${weekdays.length} weekdays × ${grid.hours.length} hours`,
    showsAllValues: true,
    notes: cutHours(grid),
  };
}

interface Legend {
  /** Lowest and highest coloured value, as printed. */
  readonly range: readonly string[] | undefined;
  readonly hatch: string;
}

function keyMarkup({ cells }: HeatGrid, { minimum }: HeatmapSpec, legend: Legend): Markup {
  const swatches = heatSteps.map(
    (step) => markup`<path class="s${step}" d="M${step * 29} 0h28v12h-28z"/>`,
  );
  const scale =
    legend.range &&
    markup`<span>${legend.range[0] ?? ''}<svg width="203" height="12" aria-hidden="true">${swatches}</svg>${legend.range[1] ?? ''}</span>`;
  const few =
    cells.some(({ posts }) => posts < minimum) &&
    markup`<span><svg width="28" height="12" aria-hidden="true">${hatchMarkup(legend.hatch)}<rect width="28" height="12" fill="url(#${legend.hatch})"/></svg>${fewWords(minimum)}</span>`;
  return markup`<p class="key">${scale ?? null}${few}<span><svg width="28" height="12" aria-hidden="true"><rect class="frame" x=".5" y=".5" width="27" height="11"/></svg>no post</span></p>
`;
}

function fewWords(minimum: number): string {
  const count = minimum === 2 ? '1 post' : `1 to ${minimum - 1} posts`;
  return `${count} (how many): not enough`;
}

/** Hours of the day without any post are not drawn, and that is said. */
function cutHours({ hours }: HeatGrid): string[] {
  const first = hours[0] ?? 0;
  const last = hours.at(-1) ?? 23;
  if (hours.length === 24) return [];
  if (first === last)
    return [`All posts went out between ${clock(first)} and ${clock(first + 1)}.`];
  return [`No post went out between ${clock((last + 1) % 24)} and ${clock(first)}.`];
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
