import { scaleLinear } from 'd3-scale';
import type { ChartSpec } from '../../../report/report-document.ts';
import { markup } from '../markup.ts';
import { boldWidth, cutToWidth, textWidth } from '../text-width.ts';
import { type Chart, type ChartScope, type Drawing, type Frame, missingNotes } from './figure.ts';
import { bars, moveApart, rules, text, within } from './marks.ts';
import { rangeFromZero } from './values.ts';

type BandSpec = Extract<ChartSpec, { kind: 'band' }>;

interface Tick {
  readonly value: number;
  /** As printed: `€42,571`. */
  readonly figure: string;
  /** `low, CPM 20.00`. */
  readonly name: string;
  readonly isUsed: boolean;
}

/** The figure in use is set this much larger than text in charts. */
const bigSize = 22 / 13;
/** So many ticks can be told apart. */
const maxTicks = 12;
const [track, height] = [56, 100];

/** A scale from 0 with a tick a row, the one in use thick; null when no row has a value. */
export function bandChart(spec: BandSpec, { table, rows }: ChartScope): Chart | null {
  const at = table.columns.find(({ name }) => name === spec.at);
  const known = rows.flatMap((row): Tick[] => {
    const value = row.number(spec.value);
    const place = at && row.cell(spec.at) !== null ? `, ${at.title} ${row.text(spec.at)}` : '';
    if (value === null) return [];
    const name = `${row.text(spec.label)}${place}`;
    return [{ value, figure: row.text(spec.value), name, isUsed: row.cell(spec.used) === true }];
  });
  if (known.length === 0) return null;
  const shown = known.filter(({ isUsed }, index) => isUsed || index < maxTicks).slice(-maxTicks);
  shown.sort((a, b) => a.value - b.value);
  return {
    draw: (frame) => drawBand(shown, frame),
    showsAllValues: shown.length === rows.length,
    notes: missingNotes(shown.length, rows.length, 'rows'),
  };
}

/** The one in use above the band, the largest figure of the page below its title; the others below. */
function drawBand(ticks: readonly Tick[], { width }: Frame): Drawing {
  const x = scaleLinear(rangeFromZero(ticks.map(({ value }) => value)), [8, width - 8]);
  const used = ticks.find(({ isUsed }) => isUsed);
  const others = ticks.filter(({ isUsed }) => !isUsed);
  const widths = others.map(({ name, figure }) =>
    Math.min(Math.max(textWidth(name), textWidth(figure) * boldWidth), width / 2 - 8),
  );
  const wanted = others.map(({ value }, index) =>
    within(x(value), (widths[index] ?? 0) / 2, width),
  );
  const distances = widths.slice(1).map((own, index) => (own + (widths[index] ?? 0)) / 2 + 10);
  const places = moveApart(wanted, distances, [0, width - (widths.at(-1) ?? 0) / 2]);
  // What finds no room at the left is left to the table.
  const named = others
    .map((tick, index) => ({ ...tick, at: places[index] ?? 0, room: widths[index] ?? 0 }))
    .filter(({ at, room }) => at - room / 2 >= -8);
  const isZeroFree = named.every(({ at, room }) => Math.abs(at - x(0)) > room / 2 + 12);
  const [from, to] = [x(ticks[0]?.value ?? 0), x(ticks.at(-1)?.value ?? 0)];
  const strokes = (drawn: readonly Tick[], half: number) =>
    drawn.map(({ value }) => [x(value), track - half, x(value), track + half] as const);
  const above = (words: string, y: number, size: number, look: string) =>
    used !== undefined &&
    text(within(x(used.value), (textWidth(words) * size) / 2, width), y, words, look);
  return {
    height,
    marks: markup`${rules([[x(0), track - 6, x(0), track + 6]], 'axis')}${rules([[8, track, width - 8, track]], 'grid')}${ticks.length > 1 && bars([{ left: from, top: track - 5, width: to - from, height: 10 }], 's2')}${rules(strokes(others, 8), 'tick')}${rules(
      strokes(
        ticks.filter(({ isUsed }) => isUsed),
        14,
      ),
      'used',
    )}${above(used?.figure ?? '', 18, bigSize * boldWidth, 'big mid')}${above(used?.name ?? '', 36, boldWidth, 'bold mid')}${named.map(({ at, figure, name, room }) => markup`${text(at, track + 26, figure, 'bold mid')}${text(at, track + 42, cutToWidth(name, room), 'soft mid bidi')}`)}${isZeroFree && text(x(0), track + 26, '0', 'soft mid')}`,
  };
}
