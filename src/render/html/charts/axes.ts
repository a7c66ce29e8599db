import { mode, pairs, range } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { type Day, dayMs, dayOf, daysBetween } from '../../../core/calendar.ts';
import type { Cell, ColumnFormat } from '../../../report/report-document.ts';
import { textFormats } from '../cell.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { cutToWidth, textWidth } from '../text-width.ts';
import { boundedNumber, type Chart, type Drawing } from './figure.ts';
import { rules, text } from './marks.ts';

/** Reads cells of one column as places on a scale of whole months, quarters, days, numbers, or words in the order of their rows. */
export interface PlaceReader {
  readonly kind: 'month' | 'quarter' | 'day' | 'number' | 'word';
  /** Null for a cell without a place, such as an empty date. */
  placeOf(cell: Cell): number | null;
  /** The place as the table prints it. */
  nameOf(place: number): string;
}

export function createPlaceReader(
  format: ColumnFormat,
  { formatter, document }: PageContext,
): PlaceReader {
  const print = (cell: Cell) => formatter.format(cell, format);
  if (format === 'month' || format === 'quarter' || format === 'date' || format === 'datetime') {
    const kind = format === 'month' || format === 'quarter' ? format : 'day';
    const dayOfCell = (cell: Cell) =>
      format === 'datetime' ? zonedDay(cell, document.timezone) : cell;
    return {
      kind,
      placeOf: (cell) => timePlace(dayOfCell(cell), kind),
      nameOf: (place) => formatter.format(dayAt(place, kind), kind === 'day' ? 'date' : kind),
    };
  }
  if (!textFormats.includes(format)) return { kind: 'number', placeOf: numberPlace, nameOf: print };
  // Each row has a place of its own, even when two rows have the same word.
  const words: string[] = [];
  return {
    kind: 'word',
    placeOf: (cell) => (cell === null ? null : words.push(print(cell)) - 1),
    nameOf: (place) => words[place] ?? '',
  };
}

export type TimeKind = 'month' | 'quarter' | 'day';

/** Whole months, quarters or days since 1970. */
export function timePlace(day: Cell, kind: TimeKind): number | null {
  if (typeof day !== 'string' || !/^\d{4}-\d{2}-\d{2}$/u.test(day)) return null;
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return null;
  if (kind === 'day') return date.getTime() / dayMs;
  const month = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  return kind === 'quarter' ? Math.floor(month / 3) : month;
}

/** The place of a day, also within its month or quarter. */
export function exactPlace(day: Day, kind: TimeKind): number {
  const place = timePlace(day, kind) ?? 0;
  const [from, end] = [dayAt(place, kind), dayAt(place + 1, kind)];
  return place + daysBetween(from, day) / daysBetween(from, end);
}

/** YYYY-MM-DD, the first of a month or quarter. */
export function dayAt(place: number, kind: TimeKind): string {
  const time =
    kind === 'day' ? place * dayMs : Date.UTC(1970, kind === 'quarter' ? place * 3 : place);
  return new Date(time).toISOString().slice(0, 10);
}

/** The days of an axis of time from the begin of a place to that of another; none on another axis. */
export function daysOf({ kind }: PlaceReader, from: number, end: number): Pick<Chart, 'days'> {
  if (kind === 'word' || kind === 'number') return {};
  return { days: [dayAt(from, kind), dayAt(end, kind)] };
}

function zonedDay(cell: Cell, timezone: string): Cell {
  const instant = typeof cell === 'string' ? new Date(cell) : null;
  return instant && !Number.isNaN(instant.getTime()) ? dayOf(instant, timezone) : null;
}

function numberPlace(cell: Cell): number | null {
  if (typeof cell !== 'number' && typeof cell !== 'bigint') return null;
  const value = boundedNumber(Number(cell));
  return value !== null && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : null;
}

/**
 * The usual distance of neighbours: a month, a quarter, or a day if no days are further apart; null for words, and for uneven
 * numbers such as 1, 7 and 30.
 */
export function usualStep(places: readonly number[], { kind }: PlaceReader): number | null {
  if (kind === 'month' || kind === 'quarter') return 1;
  if (kind === 'word' || !places.every(Number.isInteger)) return null;
  const distances = pairs(places, (from, to) => to - from);
  const usual = mode(distances);
  const half = distances.filter((distance) => distance === usual).length * 2;
  if (kind === 'day') return half >= distances.length ? usual : 1;
  return half > distances.length ? usual : null;
}

export interface AxisLabel {
  readonly place: number;
  readonly text: string;
  /** The second line of the label. */
  readonly year?: string;
}

type Scale = (value: number) => number;

/** The first choice of labels that differ and do not overlap. */
function firstThatFits(choices: readonly (readonly AxisLabel[])[], x: Scale): readonly AxisLabel[] {
  const fits = (labels: readonly AxisLabel[]) =>
    pairs(labels).every(([label, next]) => {
      const room = (textWidth(label.text) + textWidth(next.text)) / 2 + 6;
      return label.text !== next.text && x(next.place) - x(label.place) >= room;
    });
  return choices.find((labels) => labels.length > 0 && fits(labels)) ?? choices.at(-1) ?? [];
}

/** Labels below an axis, without those that would not fit in the picture. */
export function axisTexts(
  labels: readonly AxisLabel[],
  x: Scale,
  { bottom, right }: { readonly bottom: number; readonly right: number },
): Drawing {
  const shown = labels.filter((label) => x(label.place) + textWidth(label.text) / 2 <= right + 10);
  const drawn = shown.flatMap(({ place, text: words, year }) => [
    text(x(place), bottom + 19, words, 'soft mid bidi'),
    year !== undefined && text(x(place), bottom + 35, year, 'soft mid'),
  ]);
  const hasYears = shown.some(({ year }) => year !== undefined);
  return { height: bottom + (hasYears ? 40 : 24), marks: markup`${drawn}` };
}

/** More days than these are labelled by month. */
const maxDays = 62;

/** Of how many places one is labelled, the first choice first. */
const stridesOf = {
  month: [1, 2, 3, 6, 12, 24, 60, 120],
  quarter: [1, 2, 4, 8, 20, 40],
  other: [1, 2, 5, 10, 20, 50, 100, 1000],
} as const;

/** As many labels at round places as fit without overlap; `x` also takes places between the given ones. */
export function placeLabels(
  reader: PlaceReader,
  places: readonly number[],
  x: Scale,
  context: PageContext,
): readonly AxisLabel[] {
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  const isMonths = reader.kind === 'month' || (reader.kind === 'day' && last - first > maxDays);
  const step = usualStep(places, reader);
  const even = step === null ? places : range(first, last + 1, step);
  const marks = isMonths
    ? monthMarks(first, last, reader, context)
    : even.map((place, index) => placeMark(place, index, reader, context));
  const isQuarters = reader.kind === 'quarter';
  const perYear = isMonths ? 12 : isQuarters ? 4 : Infinity;
  const strides = stridesOf[isMonths ? 'month' : isQuarters ? 'quarter' : 'other'];
  const choices = strides.map((stride) => {
    const chosen = marks.filter(({ rank }) => rank % stride === 0);
    if (stride < perYear) return chosen;
    return chosen.map(({ place, year = '' }) => ({ place, text: year }));
  });
  return withNewYears(firstThatFits([...choices, marks.slice(0, 1)], x), context);
}

/** The places that could be labelled. */
interface PlaceMark extends AxisLabel {
  /** The unit whose multiples keep their labels when there are too many. */
  readonly rank: number;
}

function placeMark(
  place: number,
  index: number,
  reader: PlaceReader,
  { words }: PageContext,
): PlaceMark {
  if (reader.kind === 'day') {
    const day = dayAt(place, 'day');
    return { rank: index, place, text: words.day(day), year: day.slice(0, 4) };
  }
  if (reader.kind === 'quarter') {
    const [text = '', year = ''] = reader.nameOf(place).split(' ');
    return { rank: place, place, text, year };
  }
  const rank = Number.isInteger(place) ? place : index;
  return { rank, place, text: cutToWidth(reader.nameOf(place), 120) };
}

/** The starts of months among months or days. */
function monthMarks(
  first: number,
  last: number,
  reader: PlaceReader,
  { words }: PageContext,
): PlaceMark[] {
  const kind = reader.kind === 'month' ? 'month' : 'day';
  const monthOf = (place: number) => timePlace(dayAt(place, kind), 'month') ?? 0;
  return range(monthOf(first), monthOf(last) + 1).flatMap((month): PlaceMark[] => {
    const day = dayAt(month, 'month');
    const place = timePlace(day, kind) ?? 0;
    const text = words.monthName(day);
    return place < first ? [] : [{ rank: month, place, text, year: day.slice(0, 4) }];
  });
}

/** The year is added to the first label of each year, when the page covers more than one. */
function withNewYears(
  labels: readonly AxisLabel[],
  { document: { period } }: PageContext,
): AxisLabel[] {
  const [from, to] = [period.from?.slice(0, 4), period.to?.slice(0, 4)];
  const isKnown = from === to && labels.every(({ year }) => year === from);
  return labels.map((label, index) => {
    const isNew = !isKnown && label.year !== labels[index - 1]?.year;
    return isNew ? label : { place: label.place, text: label.text };
  });
}

interface ValueAxis {
  readonly y: Scale;
  /** The width of the labels at the left, in px. */
  readonly room: number;
  /** The grid lines with their values at the left, without the base line at 0. */
  readonly grid: (width: number) => Markup;
}

/** A vertical axis of values, with three to six grid lines besides 0. */
export function valueAxis(
  domain: readonly [number, number],
  [bottom, top]: readonly [number, number],
  format: ColumnFormat,
  { formatter }: PageContext,
): ValueAxis {
  const y = scaleLinear(domain, [bottom, top]);
  const few = y.ticks(4);
  const ticks = (few.length > 3 ? few : y.ticks(5)).filter((tick) => tick !== 0);
  // Only the top label has the unit.
  const texts = ticks.map((tick, index) =>
    formatter.format(tick, isMoney(format) && index < ticks.length - 1 ? 'count' : format, {
      compact: true,
    }),
  );
  return {
    y,
    room: Math.max(0, ...texts.map(textWidth)) + 8,
    grid: (width) =>
      markup`${rules(
        ticks.map((tick) => [0, y(tick), width, y(tick)] as const),
        'grid',
      )}${ticks.map((tick, index) => text(0, y(tick) - 5, texts[index] ?? '', 'soft'))}`,
  };
}

/** Writes short figures on marks: `€9.5k`, and cents under 10. */
export function shortWriter(
  format: ColumnFormat,
  { formatter }: PageContext,
): (value: number) => string {
  return (value) =>
    isMoney(format) && Math.abs(value) < 1000
      ? formatter.format(value, 'money', { small: true })
      : formatter.format(value, format, { compact: true });
}

function isMoney(format: ColumnFormat): boolean {
  return format === 'money' || format === 'money_exact';
}
