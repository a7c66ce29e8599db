import { extent, range } from 'd3-array';
import { scaleQuantize } from 'd3-scale';
import type { ChartSpec } from '../../../report/report-document.ts';
import { type DrawnGrid, type GridCell, type GridTrack, readGrid } from '../../drawn-grid.ts';
import { markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { boldWidth, cutToWidth, textWidth } from '../text-width.ts';
import { shortWriter } from './axes.ts';
import {
  type Chart,
  type ChartScope,
  type Drawing,
  type Frame,
  type KeyItem,
  swatch,
} from './figure.ts';
import { bars, hatch, text } from './marks.ts';

type HeatmapSpec = Extract<ChartSpec, { kind: 'heatmap' }>;

interface Heat extends Pick<DrawnGrid, 'rows' | 'columns'> {
  /** The colour of a value, from 0 (low) to 6 (high) in equal steps. */
  readonly step: (value: number) => number;
  readonly write: (value: number) => string;
}

const steps = range(7);
/** A grid of two dimensions with a figure in each cell of enough posts; null when there are none. */
export function heatmapChart(spec: HeatmapSpec, { table, context, id }: ChartScope): Chart | null {
  const { say } = context;
  const grid = readGrid(spec, table, context.formatter);
  if (grid === null) return null;
  const { cells, format, isWhole } = grid;
  const [low, high] = extent(cells.flatMap(({ value }) => value ?? []));
  const write = shortWriter(format, context);
  const heat: Heat = {
    rows: grid.rows.map(shortTrack),
    columns: grid.columns.map(shortTrack),
    // Equal values are neither high nor low, so they have the colour in the middle.
    step: low === high ? () => 3 : scaleQuantize([low ?? 0, high ?? 0], steps),
    // The key has the unit.
    write: (value) => write(value).replace(/\s?%$/u, ''),
  };
  const span = (from: string, to: string) =>
    from === to ? from : say('{from:text} to {to:text}', { from, to });
  const ends = low === undefined ? null : span(write(low), write(high));
  const few = cells.some(({ posts }) => posts < spec.minimum) ? spec.minimum : null;
  return {
    key: keyItems(ends, few, `${id}-key`, context),
    draw: (frame) => drawHeat(heat, say('posts'), frame),
    showsAllValues: isWhole,
  };
}

/** There is room for `08`, not for `08:00`. */
function shortTrack(track: GridTrack): GridTrack {
  return { ...track, name: track.name.replace(/:00$/u, '') };
}

const [minLeft, maxLeft, right, top, rise, gap] = [45, 130, 40, 44, 34, 2];

/**
 * The grid, with the posts of each row and column. It is turned on a narrow page, and where the names of its columns
 * need more room than they have.
 */
function drawHeat(heat: Heat, unit: string, { isNarrow, width, id }: Frame): Drawing {
  const given = layOut(heat.rows, heat.columns, unit, width);
  const turned = layOut(heat.columns, heat.rows, unit, width);
  const isTurned = (isNarrow && turned.room >= 0) || (given.room < 0 && turned.room > given.room);
  const { rows, columns, left, pitch } = isTurned ? turned : given;
  const end = left + columns.length * pitch;
  const drawn = columns.flatMap((column, across) =>
    rows.map((row, down) => ({
      cell: column.cells.find((cell) => row.cells.includes(cell)),
      box: {
        left: left + across * pitch,
        top: top + down * rise,
        width: pitch - gap,
        height: rise - gap,
      },
    })),
  );
  const lookOf = (cell: GridCell | undefined) => {
    if (!cell) return 'frame';
    return cell.value === null ? 'few' : `s${heat.step(cell.value)}`;
  };
  // All cells of one look are one path.
  const boxes = ['frame', 'few', ...steps.map((step) => `s${step}`)].map((look) => {
    const own = drawn.filter(({ cell }) => lookOf(cell) === look).map(({ box }) => box);
    return bars(own, look, look === 'few' ? `${id}-hatch` : undefined);
  });
  const figures = drawn.map(({ cell, box }) => {
    if (!cell) return null;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2 + 4.5];
    if (cell.value === null) return text(x, y, String(cell.posts), 'soft mid');
    return text(x, y, heat.write(cell.value), heat.step(cell.value) > 3 ? 'high mid' : 'low mid');
  });
  const heads = columns.map(({ name, posts }, across) => {
    const x = left + (across + 0.5) * pitch - gap / 2;
    return markup`${text(x, 14, cutToWidth(name, pitch), 'bold mid')}${text(x, 34, String(posts), 'soft mid')}`;
  });
  const names = rows.map(({ name, posts }, down) => {
    const y = top + (down + 0.5) * rise + 3.5;
    return markup`${text(0, y, cutToWidth(name, left), 'bold')}${text(end + 8, y, String(posts), 'soft')}`;
  });
  return {
    height: top + rows.length * rise,
    marks: markup`${hatch(`${id}-hatch`, 'hatch')}${boxes}${figures}${text(0, 34, unit, 'soft')}${heads}${names}`,
  };
}

/** The layout of a grid. room is what the widest name of a column leaves of its width, below 0 if it is cut. */
function layOut(
  rows: readonly GridTrack[],
  columns: readonly GridTrack[],
  unit: string,
  width: number,
) {
  const widest = (tracks: readonly GridTrack[]) =>
    boldWidth * Math.max(...tracks.map(({ name }) => textWidth(name)));
  const left = Math.min(maxLeft, Math.max(minLeft, textWidth(unit) + 6, widest(rows) + 6));
  const pitch = Math.min(72, (width - left - right) / columns.length);
  return { rows, columns, left, pitch, room: pitch - widest(columns) };
}

/** The key of the colours. @param few the least number of posts in a coloured cell */
function keyItems(
  ends: string | null,
  few: number | null,
  id: string,
  { say }: PageContext,
): (KeyItem | null)[] {
  const box = (at: number) => ({ left: at, top: 0.5, width: 20, height: 11 });
  const colours = steps.map((step) => bars([box(step * 21)], `s${step}`));
  const hatched = markup`${hatch(id, 'hatch')}${bars([box(0)], 'few', id)}`;
  const fewWords = say('fewer than {n|# post|# posts}: how many', { n: few });
  return [
    ends === null ? null : { mark: swatch(147, colours), words: ends },
    few === null ? null : { mark: swatch(20, hatched), words: fewWords },
    { mark: swatch(21, bars([box(0.5)], 'frame')), words: say('no post with this figure') },
  ];
}
