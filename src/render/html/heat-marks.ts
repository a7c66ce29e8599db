import { max } from 'd3-array';
import type { ColumnFormat } from '../../report/report-document.ts';
import { type HeatCell, type HeatGrid, postsIn, weekdays } from './heat-grid.ts';
import { bareWriter, compactWriter } from './chart-numbers.ts';
import { cellCorner, cellGap, type HeatLayout } from './heat-layout.ts';
import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';
import { tenth } from './text-width.ts';

export interface HeatScope {
  readonly grid: HeatGrid;
  /** Of the value in the cells. */
  readonly format: ColumnFormat;
  readonly context: PageContext;
}

/** Light strokes for cells with too few posts. Each drawing needs its own: a hidden one lends none. */
export function hatchMarkup(id: string): Markup {
  return markup`<pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M0 0V6"/></pattern>`;
}

/** One path for all cells of a colour, then a figure each. */
export function cellsMarkup(scope: HeatScope, layout: HeatLayout, hatch: string): Markup {
  const { grid, format, context } = scope;
  const write = cellWriter(format, context);
  const known = new Map(grid.cells.map((cell) => [`${cell.weekday} ${cell.hour}`, cell]));
  const rooms = weekdays.flatMap((weekday) => grid.hours.map((hour) => ({ weekday, hour })));
  const look = ({ weekday, hour }: { weekday: number; hour: number }) => {
    const cell = known.get(`${weekday} ${hour}`);
    if (!cell) return 'frame';
    return cell.step === null ? 'few' : `s${cell.step}`;
  };
  const looks = [...new Set(rooms.map(look))].sort();
  const paths = looks.map((name) => {
    const path = rooms.filter((room) => look(room) === name).map((room) => cellPath(room, layout, name)).join(''); // prettier-ignore
    return name === 'few'
      ? markup`<path fill="url(#${hatch})" d="${path}"/>`
      : markup`<path class="${name}" d="${path}"/>`;
  });
  return markup`${paths}${grid.cells.map((cell) => cellText(cell, layout, write))}`;
}

function cellPath(
  room: { weekday: number; hour: number },
  layout: HeatLayout,
  look: string,
): string {
  const { x, y } = cellCorner(room, layout);
  const inset = look === 'frame' ? 0.5 : 0;
  const width = tenth(layout.cellWidth - cellGap - 2 * inset);
  const height = tenth(layout.cellHeight - cellGap - 2 * inset);
  return `M${tenth(x + inset)} ${tenth(y + inset)}h${width}v${height}h-${width}z`;
}

/** The value, or for too few posts their number. */
function cellText(cell: HeatCell, layout: HeatLayout, write: (value: number) => string): Markup {
  const { x, y } = cellCorner(cell, layout);
  const left = tenth(x + (layout.cellWidth - cellGap) / 2);
  const base = tenth(y + (layout.cellHeight - cellGap) / 2 + 4.5);
  if (cell.step === null || cell.value === null) {
    return markup`<text x="${left}" y="${base}" class="soft mid">${cell.posts}</text>`;
  }
  const tone = cell.step > 3 ? 'high' : 'low';
  return markup`<text x="${left}" y="${base}" class="${tone} mid${cell.isTop && ' bold'}">${write(cell.value)}</text>`;
}

/** A rate without its sign, which the line above the chart names. */
function cellWriter(format: ColumnFormat, context: PageContext): (value: number) => string {
  const isRate = format === 'rate' || format === 'share';
  return isRate ? bareWriter(0.01, context.document.locale) : compactWriter(format, context);
}

/** How many posts the figures rest on: by hour above, by weekday at the right; wide pages only. */
export function marginsMarkup({ grid }: HeatScope, layout: HeatLayout): Markup | null {
  if (layout.width === 'narrow') return null;
  const byHour = grid.hours.map((hour) => ({ hour, posts: postsIn(grid, { hour }) }));
  const byWeekday = weekdays.map((weekday) => ({ weekday, posts: postsIn(grid, { weekday }) }));
  const most = max(byHour, ({ posts }) => posts) ?? 1;
  const mostByDay = max(byWeekday, ({ posts }) => posts) ?? 1;
  const right = layout.left + grid.hours.length * layout.cellWidth + 13;
  const base = layout.top - 12;
  return markup`<text x="0" y="${base}" class="soft">posts</text>${byHour.map(({ hour, posts }) => {
    const { x } = cellCorner({ weekday: 1, hour }, layout);
    const height = tenth((posts / most) * 34);
    const width = tenth(layout.cellWidth - cellGap);
    return markup`<rect class="count" x="${tenth(x)}" y="${tenth(base - height)}" width="${width}" height="${height}"/>${posts > 0 && markup`<text x="${tenth(x + width / 2)}" y="${tenth(base - height - 5)}" class="soft mid">${posts}</text>`}`;
  })}${byWeekday.map(({ weekday, posts }) => {
    const { y } = cellCorner({ weekday, hour: grid.hours[0] ?? 0 }, layout);
    const width = tenth((posts / mostByDay) * 62);
    return markup`<rect class="count" x="${tenth(right)}" y="${y + 8}" width="${width}" height="16"/><text x="${tenth(right + width + 6)}" y="${y + 20.5}" class="soft">${posts}</text>`;
  })}`;
}

export function namesMarkup({ grid, context }: HeatScope, layout: HeatLayout): Markup {
  const hours = grid.hours.map((hour) => ({ hour, text: String(hour).padStart(2, '0') }));
  const days = weekdays.map((weekday) => ({ weekday, text: context.words.weekday(weekday) }));
  const middle = layout.cellWidth / 2 - cellGap / 2;
  const first = { weekday: 1, hour: grid.hours[0] ?? 0 };
  if (layout.width === 'narrow') {
    return markup`${days.map(({ weekday, text }) => markup`<text x="${tenth(cellCorner({ ...first, weekday }, layout).x + middle)}" y="12" class="bold mid">${text}</text>`)}${hours.map(({ hour, text }) => markup`<text x="0" y="${cellCorner({ ...first, hour }, layout).y + 17}" class="soft">${text}</text>`)}`;
  }
  const bottom = layout.height - 6;
  return markup`${days.map(({ weekday, text }) => markup`<text x="0" y="${cellCorner({ ...first, weekday }, layout).y + 20.5}" class="bold">${text}</text>`)}<text x="0" y="${bottom}" class="soft">hour</text>${hours.map(({ hour, text }) => markup`<text x="${tenth(cellCorner({ ...first, hour }, layout).x + middle)}" y="${bottom}" class="soft mid">${text}</text>`)}`;
}
