import { pairs, range, rollup, ticks as roundTicks } from 'd3-array';
import { dayMs, dayOf } from '../../../core/calendar.ts';
import type { Cell, ColumnFormat } from '../../../report/report-document.ts';
import { type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { cutToWidth, textWidth } from '../text-width.ts';
import { boundedNumber } from './figure.ts';
import { text } from './marks.ts';

/** Reads cells of one column as places on a scale of whole months, days, numbers, or words in the order of their rows. */
export interface PlaceReader {
  readonly kind: 'month' | 'day' | 'number' | 'word';
  /** Null for a cell that has no place, as a post without a date has none. */
  placeOf(cell: Cell): number | null;
  /** The place as the table prints it. */
  nameOf(place: number): string;
}

const wordFormats: readonly ColumnFormat[] = [
  'text',
  'longtext',
  'url',
  'list',
  'boolean',
  'trend',
];

export function createPlaceReader(format: ColumnFormat, context: PageContext): PlaceReader {
  const print = (cell: Cell) => context.formatter.format(cell, format);
  if (format === 'month') {
    return { kind: 'month', placeOf: monthPlace, nameOf: (place) => print(monthAt(place)) };
  }
  if (format === 'date' || format === 'datetime') {
    const toDay = (cell: Cell) =>
      format === 'date' ? cell : zonedDay(cell, context.document.timezone);
    const nameOf = (place: number) => context.formatter.format(dayAt(place), 'date');
    return { kind: 'day', placeOf: (cell) => dayPlace(toDay(cell)), nameOf };
  }
  if (!wordFormats.includes(format)) return { kind: 'number', placeOf: numberPlace, nameOf: print };
  // Each row has a place of its own, also one that says the same word.
  const words: string[] = [];
  return {
    kind: 'word',
    placeOf: (cell) => (cell === null ? null : words.push(print(cell)) - 1),
    nameOf: (place) => words[place] ?? '',
  };
}

function monthPlace(cell: Cell): number | null {
  if (typeof cell !== 'string' || !/^\d{4}-(?:0[1-9]|1[0-2])-01$/u.test(cell)) return null;
  return Number(cell.slice(0, 4)) * 12 + Number(cell.slice(5, 7)) - 1;
}

/** YYYY-MM-01. */
export function monthAt(place: number): string {
  const year = String(Math.floor(place / 12)).padStart(4, '0');
  return `${year}-${String((place % 12) + 1).padStart(2, '0')}-01`;
}

/** Whole days since 1970. */
function dayPlace(cell: Cell): number | null {
  if (typeof cell !== 'string' || !/^\d{4}-\d{2}-\d{2}$/u.test(cell)) return null;
  const place = Date.parse(`${cell}T00:00:00Z`) / dayMs;
  return Number.isNaN(place) ? null : place;
}

function dayAt(place: number): string {
  return new Date(place * dayMs).toISOString().slice(0, 10);
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
 * The distance of most neighbours: a month; for days their smallest distance where the others are multiples of
 * it, else a day. Null for words, and for numbers that are apart for a reason, as 1, 7 and 30 are.
 */
export function usualStep(places: readonly number[], { kind }: PlaceReader): number | null {
  if (kind === 'month') return 1;
  if (kind === 'word' || !places.every(Number.isInteger)) return null;
  const distances = pairs(places, (from, to) => to - from);
  const counts = rollup(
    distances,
    (same) => same.length,
    (distance) => distance,
  );
  const usual = [...counts].find(([, count]) => count > distances.length / 2)?.[0] ?? null;
  if (usual !== null || kind === 'number') return usual;
  const smallest = Math.min(...distances);
  return distances.every((distance) => distance % smallest === 0) ? smallest : 1;
}

interface PlaceLabel {
  readonly place: number;
  readonly text: string;
  /** The year that it is in, for names of days and months. */
  readonly year?: string;
}

export interface PlaceAxis {
  readonly labels: readonly PlaceLabel[];
  /** Whether labels begin at their place, as names of months do among days. */
  readonly startsAtPlace: boolean;
  /** Px below the base line. */
  readonly height: number;
}

/** More days than these are labelled by month. */
const maxDays = 62;

/** As many labels as fit beside each other, on round dates and numbers. `x` has places between the given ones too. */
export function placeAxis(
  reader: PlaceReader,
  places: readonly number[],
  x: (place: number) => number,
  context: PageContext,
): PlaceAxis {
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  const startsAtPlace = reader.kind === 'day' && last - first > maxDays;
  const choices = choicesOf(reader, places, x, context);
  const fits = (labels: readonly PlaceLabel[]) =>
    pairs(labels).every(([label, next]) => {
      const [own, other] = [textWidth(label.text), textWidth(next.text)];
      return x(next.place) - x(label.place) >= (startsAtPlace ? own : (own + other) / 2) + 6;
    });
  const chosen = choices.find(fits) ?? choices.at(-1) ?? [];
  const labels = withNewYears(chosen, context);
  return { labels, startsAtPlace, height: labels.some(({ year }) => year) ? 40 : 24 };
}

/** Labels for the axis, from the densest to the sparsest. */
function choicesOf(
  reader: PlaceReader,
  places: readonly number[],
  x: (place: number) => number,
  { words }: PageContext,
): PlaceLabel[][] {
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  const named = (numbers: readonly number[]) =>
    numbers.map((place) => ({ place, text: reader.nameOf(place) }));
  const everyNth = (stride: number) => places.filter((_, index) => index % stride === 0);
  if (reader.kind === 'word') {
    const pitch = places.length > 1 ? Math.abs(x(places[1] ?? 0) - x(first)) : 400;
    return [1, 2, 5, 10, 40].map((stride) =>
      named(everyNth(stride)).map(({ place, text: name }) => ({
        place,
        text: cutToWidth(name, Math.max(pitch * stride - 6, 40)),
      })),
    );
  }
  if (reader.kind === 'number') {
    const isWhole = places.every(Number.isInteger);
    const counts = usualStep(places, reader) === null ? [] : [40, 20, 12, 8, 5, 3, 2];
    const round = counts.map((count) =>
      roundTicks(first, last, count).filter((at) => !isWhole || Number.isInteger(at)),
    );
    return [places, ...round, ...[2, 5, 10, 100].map(everyNth), [first]].map(named);
  }
  if (reader.kind === 'day' && last - first <= maxDays) {
    const step = usualStep(places, reader) ?? 1;
    return [1, 2, 7, 14, 28, maxDays]
      .filter((stride) => stride % step === 0 || stride === maxDays)
      .map((stride) => range(first, last + 1, stride))
      .map((days) => days.map((place) => ({ place, text: words.day(dayAt(place)), year: dayAt(place).slice(0, 4) }))); // prettier-ignore
  }
  return monthChoices(reader, [first, last], words);
}

/** The starts of months among months or days. */
function monthChoices(
  { kind }: PlaceReader,
  [first, last]: readonly [number, number],
  words: PageContext['words'],
): PlaceLabel[][] {
  const toMonth = (place: number) =>
    kind === 'day' ? (monthPlace(`${dayAt(place).slice(0, 7)}-01`) ?? 0) : place;
  const toPlace = (month: number) => (kind === 'day' ? (dayPlace(monthAt(month)) ?? 0) : month);
  const months = range(toMonth(first), toMonth(last) + 1).filter((at) => toPlace(at) >= first);
  const everyNth = (stride: number, style: 'short' | 'narrow'): PlaceLabel[] =>
    months
      .filter((month) => month % stride === 0)
      .map((month) => {
        const [day, year] = [monthAt(month), monthAt(month).slice(0, 4)];
        const place = toPlace(month);
        if (stride >= 12) return { place, text: year };
        const name = words.monthName(day, style);
        return style === 'short' ? { place, text: name, year } : { place, text: name };
      });
  return [
    everyNth(1, 'short'),
    ...(months.length <= 12 && kind === 'month' ? [everyNth(1, 'narrow')] : []),
    ...[2, 3, 6, 12, 24, 60, 120].map((stride) => everyNth(stride, 'short')),
  ];
}

/** Years are labelled where they begin, and only where the page covers more than one. */
function withNewYears(labels: readonly PlaceLabel[], { document }: PageContext): PlaceLabel[] {
  const [from, to] = [document.period.from?.slice(0, 4), document.period.to?.slice(0, 4)];
  const known = from === to ? from : undefined;
  const isKnown = labels.every(({ year }) => year === known);
  return labels.map(({ place, text: name, year }, index) => {
    const isNew = !isKnown && year !== undefined && year !== labels[index - 1]?.year;
    return isNew ? { place, text: name, year } : { place, text: name };
  });
}

/** Below their marks, the year on a second line; what would leave the picture is not written. */
export function axisTexts(
  { labels, startsAtPlace }: PlaceAxis,
  x: (place: number) => number,
  { bottom, right }: { readonly bottom: number; readonly right: number },
): Markup[] {
  const look = startsAtPlace ? 'soft' : 'soft mid';
  return labels
    .filter((label) => !startsAtPlace || x(label.place) + textWidth(label.text) <= right + 10)
    .flatMap(({ place, text: words, year }) => [
      text(x(place), bottom + 19, words, `${look} bidi`),
      ...(year === undefined ? [] : [text(x(place), bottom + 35, year, look)]),
    ]);
}
