import { max } from 'd3-array';
import type { ChartSpec, ReportSection, ReportTable } from '../../../report/report-document.ts';
import {
  drawingMarkup,
  type DrawnChart,
  type DrawnWidth,
  drawnWidths,
  tableOf,
} from '../drawn-chart.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { cutToWidth, tenth, textWidth } from '../text-width.ts';
import { cellIn, chartColumn, numberIn } from './chart-column.ts';
import { inSentence } from './part-groups.ts';

type StagesSpec = Extract<ChartSpec, { kind: 'stages' }>;

interface Stage {
  readonly label: string;
  readonly value: number | null;
  /** As the table prints them; a rate that is not known is not spoken of. */
  readonly figure: string;
  readonly rate: string | null;
}

const barHeight = 20;
/** From one bar to the next: room for the rate between them. */
const step = 58;

/** Horizontal bars from 0, each with its rate of the one above it; null without a value. */
export function stagesChart(
  section: ReportSection,
  table: ReportTable,
  spec: StagesSpec,
  context: PageContext,
): DrawnChart | null {
  const stages = stagesOf(table, spec, context);
  if (stages.every(({ value }) => value === null)) return null;
  return {
    figure: markup`<figure>
${drawStages(section, stages, 'wide')}${drawStages(section, stages, 'narrow')}</figure>
`,
    tableName: tableOf(stages.length, context),
    showsAllValues: true,
    notes: [],
  };
}

function stagesOf(table: ReportTable, spec: StagesSpec, { formatter }: PageContext): Stage[] {
  const label = chartColumn(table, spec.label);
  const value = chartColumn(table, spec.value);
  const rate = chartColumn(table, spec.rate);
  return table.rows.map((row) => ({
    label: formatter.format(cellIn(row, label), label?.format ?? 'text'),
    value: numberIn(row, value),
    figure: formatter.format(cellIn(row, value), value?.format ?? 'count'),
    rate:
      numberIn(row, rate) === null
        ? null
        : formatter.format(cellIn(row, rate), rate?.format ?? 'rate'),
  }));
}

function drawStages(section: ReportSection, stages: readonly Stage[], width: DrawnWidth): Markup {
  const pixels = drawnWidths[width];
  const names = width === 'wide' ? 176 : 0;
  const most = Math.max(0, max(stages, ({ value }) => value ?? 0) ?? 0);
  const figures = Math.max(...stages.map(({ figure }) => textWidth(figure) * 1.08)) + 10;
  const room = pixels - names - figures;
  const top = width === 'wide' ? 8 : 24;
  const drawn = stages.map((stage, index) => {
    const y = top + index * step;
    const length = most > 0 ? (Math.max(0, stage.value ?? 0) / most) * room : 0;
    const name = cutToWidth(stage.label, width === 'wide' ? names - 12 : pixels);
    const nameY = width === 'wide' ? y + 14.5 : y - 8;
    const base = markup`<path class="axis" d="M${names} ${y - 4}v${barHeight + 8}"/>`;
    return markup`<text x="0" y="${nameY}" class="bold">${name}</text>${width === 'narrow' && base}<rect class="bar" x="${names}" y="${y}" width="${tenth(length)}" height="${barHeight}"/><text x="${tenth(names + length + 8)}" y="${y + 14.5}" class="${stage.value === null ? 'soft' : 'bold'}">${stage.figure}</text>${rateMarkup(stage, stages[index - 1], names, y, width)}`;
  });
  const bottom = top + stages.length * step - (step - barHeight);
  return drawingMarkup(section, {
    width,
    height: bottom + 10,
    drawn: markup`${width === 'wide' && markup`<path class="axis" d="M${names} ${top - 4}V${bottom + 4}"/>`}${drawn}`,
  });
}

/** Between the two bars that it compares. */
function rateMarkup(
  { rate }: Stage,
  before: Stage | undefined,
  left: number,
  y: number,
  width: DrawnWidth,
): Markup | null {
  if (rate === null || !before) return null;
  const words = `${rate} of ${inSentence(before.label)}`;
  if (width === 'wide') {
    return markup`<path class="arrow" d="M${left + 8} ${y - 30}v20m-3.5 -4l3.5 4l3.5 -4"/><text x="${left + 20}" y="${y - 14.5}">${words}</text>`;
  }
  return markup`<text x="${drawnWidths.narrow}" y="${y - 8}" class="end">${words}</text>`;
}
