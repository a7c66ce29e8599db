import { max, min } from 'd3-array';
import { markup, type Markup } from '../markup.ts';
import { tenth } from '../text-width.ts';

/** The shapes of all charts: bars, rules, dots, lines and texts. Coordinates are in px, looks are classes of charts.css. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Bars or cells of one look as one path. @param pattern the id of a pattern to fill them with */
export function bars(boxes: readonly Box[], look: string, pattern?: string): Markup | null {
  if (boxes.length === 0) return null;
  const path = boxes.map(({ left, top, width, height }) => {
    const [right, bottom] = [tenth(left + Math.max(0, width)), tenth(top + Math.max(0, height))];
    return `M${tenth(left)} ${bottom}V${tenth(top)}H${right}V${bottom}z`;
  });
  const fill = pattern !== undefined && markup` fill="url(#${pattern})"`;
  return markup`<path class="${look}"${fill} d="${path.join('')}"/>`;
}

export type Rule = readonly [x1: number, y1: number, x2: number, y2: number];

export function rules(strokes: readonly Rule[], look: string): Markup | null {
  if (strokes.length === 0) return null;
  const path = strokes.map(([x1, y1, x2, y2]) => {
    const end =
      y1 === y2 ? `H${tenth(x2)}` : x1 === x2 ? `V${tenth(y2)}` : `L${tenth(x2)} ${tenth(y2)}`;
    return `M${tenth(x1)} ${tenth(y1)}${end}`;
  });
  return markup`<path class="${look}" d="${path.join('')}"/>`;
}

export function dot(x: number, y: number, radius: number, look: string): Markup {
  return markup`<circle class="${look}" cx="${tenth(x)}" cy="${tenth(y)}" r="${radius}"/>`;
}

export function text(x: number, y: number, words: string, look = ''): Markup {
  return markup`<text x="${tenth(x)}" y="${tenth(y)}"${look !== '' && markup` class="${look}"`}>${words}</text>`;
}

/**
 * Stripes for values that are not final (`young`), too few (`hatch`), or of a part of a month (`portion`). The pattern of a
 * hidden drawing would not show.
 */
export function hatch(id: string, look: 'young' | 'hatch' | 'portion'): Markup {
  const angle = look === 'portion' ? -45 : 45;
  return markup`<pattern id="${id}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(${angle})"><path class="${look}" d="M1 0V5"/></pattern>`;
}

/** Coordinates in order, moved apart to a distance from each other and kept between two bounds if there is room. */
export function moveApart(
  wanted: readonly number[],
  distances: readonly number[],
  [low, high]: readonly [number, number],
): number[] {
  const moved: number[] = [];
  for (const [index, want] of wanted.entries()) {
    const before = moved[index - 1];
    moved.push(
      Math.max(want, low, before === undefined ? low : before + (distances[index - 1] ?? 0)),
    );
  }
  let ceiling = high;
  for (let index = moved.length - 1; index >= 0; index -= 1) {
    moved[index] = Math.min(moved[index] ?? ceiling, ceiling);
    ceiling = (moved[index] ?? ceiling) - (distances[index - 1] ?? 0);
  }
  return moved;
}

/** A centre near `at` that keeps something of this half width within the picture. */
export function within(at: number, half: number, width: number): number {
  return Math.min(Math.max(at, half), Math.max(width - half, half));
}

/** The range of a scale: from 0, or from the smallest negative value, to the largest; 0 to 1 when all are 0. */
export function rangeFromZero(values: readonly (number | null)[]): [number, number] {
  const low = Math.min(0, min(values, (value) => value ?? 0) ?? 0);
  const high = Math.max(0, max(values, (value) => value ?? 0) ?? 0);
  return low === high ? [0, 1] : [low, high];
}
