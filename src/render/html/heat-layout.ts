import { type DrawnWidth, drawnWidths } from './drawn-chart.ts';

/** Where cells stand: hours across on a wide page, down on a narrow one. In px. */
export interface HeatLayout {
  readonly width: DrawnWidth;
  readonly height: number;
  readonly hours: readonly number[];
  readonly left: number;
  readonly top: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
}

/** Between two cells. */
export const cellGap = 2;
const maxCellWidth = 72;
/** Beside the wide grid: bars and figures of posts by weekday. */
const marginWidth = 112;

export function heatFrame(width: DrawnWidth, hours: readonly number[]): HeatLayout {
  if (width === 'narrow') {
    const left = 27;
    const cellWidth = (drawnWidths.narrow - left) / 7;
    const height = 20 + hours.length * 27;
    return { width, height, hours, left, top: 20, cellWidth, cellHeight: 27 };
  }
  const left = 45;
  const room = (drawnWidths.wide - left - marginWidth) / hours.length;
  const cellWidth = Math.min(maxCellWidth, room);
  return { width, height: 66 + 7 * 34 + 26, hours, left, top: 66, cellWidth, cellHeight: 34 };
}

/** The upper left corner of a cell's room. */
export function cellCorner(
  { weekday, hour }: { readonly weekday: number; readonly hour: number },
  layout: HeatLayout,
): { readonly x: number; readonly y: number } {
  const along = hour - (layout.hours[0] ?? 0);
  const [column, row] = layout.width === 'wide' ? [along, weekday - 1] : [weekday - 1, along];
  return { x: layout.left + column * layout.cellWidth, y: layout.top + row * layout.cellHeight };
}
