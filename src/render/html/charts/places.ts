import { ticks as roundTicks } from 'd3-array';
import { dayMs, dayOf } from '../../../core/calendar.ts';
import type { Cell, ColumnFormat, ReportColumn } from '../../../report/report-document.ts';
import type { PageContext } from '../page-context.ts';
import { cutToWidth, textWidth } from '../text-width.ts';

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

export function createPlaceReader(column: ReportColumn, context: PageContext): PlaceReader {
  const { formatter, document } = context;
  const print = (cell: Cell) => formatter.format(cell, column.format);
  if (column.format === 'month') {
    return { kind: 'month', placeOf: monthPlace, nameOf: (place) => print(monthAt(place)) };
  }
  if (column.format === 'date' || column.format === 'datetime') {
    const toDay = (cell: Cell) =>
      column.format === 'date' ? cell : zonedDay(cell, document.timezone);
    const nameOf = (place: number) => formatter.format(dayAt(place), 'date');
    return { kind: 'day', placeOf: (cell) => dayPlace(toDay(cell)), nameOf };
  }
  if (wordFormats.includes(column.format)) return wordReader(print);
  return { kind: 'number', placeOf: numberPlace, nameOf: print };
}

/** Each row has a place of its own, also one that says the same word. */
function wordReader(print: (cell: Cell) => string): PlaceReader {
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
  return Math.abs(Number(cell)) <= Number.MAX_SAFE_INTEGER ? Number(cell) : null;
}

/**
 * The distance of most neighbours: a month; for days their smallest distance where the others are multiples of
 * it, else a day. Null for words, and for numbers that are apart for a reason, as 1, 7 and 30 are.
 */
export function usualStep(places: readonly number[], { kind }: PlaceReader): number | null {
  if (kind === 'month') return 1;
  if (kind === 'word' || !places.every(Number.isInteger)) return null;
  const distances = places.slice(1).map((place, index) => place - (places[index] ?? 0));
  const counts = new Map<number, number>();
  for (const distance of distances) counts.set(distance, (counts.get(distance) ?? 0) + 1);
  const usual = [...counts].find(([, count]) => count > distances.length / 2)?.[0] ?? null;
  if (usual !== null || kind === 'number') return usual;
  const smallest = Math.min(...distances);
  return distances.every((distance) => distance % smallest === 0) ? smallest : 1;
}

interface PlaceLabel {
  readonly place: number;
  readonly text: string;
  /** On the second line: the year, where it begins. */
  readonly year: string | null;
}

export interface PlaceAxis {
  readonly labels: readonly PlaceLabel[];
  /** Whether labels begin at their place, as names of months do among days. */
  readonly startsAtPlace: boolean;
}

type Named = Omit<PlaceLabel, 'year'> & { readonly day?: string };

/** More days than these are told by their months. */
const maxDays = 62;
const monthStrides = [1, 2, 3, 6, 12, 24, 60, 120];

/** As many labels as fit beside each other, on round dates and numbers. `x` has places between the given ones too. */
export function placeAxis(
  reader: PlaceReader,
  places: readonly number[],
  x: (place: number) => number,
  context: PageContext,
): PlaceAxis {
  const first = places[0] ?? 0;
  const last = places.at(-1) ?? first;
  const startsAtPlace = reader.kind === 'day' && last - first > maxDays;
  const choices = choicesOf(reader, places, { x, context, startsAtPlace });
  const fits = (labels: readonly Named[]) =>
    labels.every(({ place, text }, index) => {
      const next = labels[index + 1];
      if (!next) return true;
      const room = startsAtPlace ? textWidth(text) : (textWidth(text) + textWidth(next.text)) / 2;
      return x(next.place) - x(place) >= room + 6;
    });
  const chosen = choices.find(fits) ?? choices.at(-1) ?? [];
  return { labels: withYears(chosen, context), startsAtPlace };
}

function choicesOf(
  reader: PlaceReader,
  places: readonly number[],
  {
    x,
    context,
    startsAtPlace,
  }: { x: (place: number) => number; context: PageContext; startsAtPlace: boolean },
): Named[][] {
  const { words } = context;
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0];
  const everyNth = (stride: number) => places.filter((_, index) => index % stride === 0);
  if (reader.kind === 'word') {
    const pitch = places.length > 1 ? Math.abs(x(places[1] ?? 0) - x(first)) : textWidth('m') * 40;
    return [1, 2, 5, 10, 40].map((stride) =>
      everyNth(stride).map((place) => ({
        place,
        text: cutToWidth(reader.nameOf(place), Math.max(pitch * stride - 6, 40)),
      })),
    );
  }
  if (reader.kind === 'number') {
    const named = (numbers: readonly number[]) =>
      numbers.map((place) => ({ place, text: reader.nameOf(place) }));
    const isWhole = places.every(Number.isInteger);
    // Between the smallest doubles there are no round numbers.
    const counts =
      last - first < 1e-300 || usualStep(places, reader) === null ? [] : [40, 20, 12, 8, 5, 3, 2];
    const round = counts.map((count) =>
      roundTicks(first, last, count).filter((at) => !isWhole || Number.isInteger(at)),
    );
    return [places, ...round, ...[2, 5, 10, 100].map(everyNth), [first]].map(named);
  }
  if (reader.kind === 'day' && !startsAtPlace) {
    const step = usualStep(places, reader) ?? 1;
    return [1, 2, 7, 14, 28, maxDays]
      .filter((stride) => stride % step === 0 || stride === maxDays)
      .map((stride) =>
        Array.from({ length: Math.floor((last - first) / stride) + 1 }, (_, index) => {
          const day = dayAt(first + index * stride);
          return { place: first + index * stride, text: words.day(day), day };
        }),
      );
  }
  const toMonth = (place: number) =>
    startsAtPlace ? (monthPlace(`${dayAt(place).slice(0, 7)}-01`) ?? 0) : place;
  const toPlace = (month: number) => (startsAtPlace ? (dayPlace(monthAt(month)) ?? 0) : month);
  const months = Array.from(
    { length: toMonth(last) - toMonth(first) + 1 },
    (_, index) => toMonth(first) + index,
  );
  const named = (style: 'short' | 'narrow', stride: number): Named[] =>
    months
      .filter((month) => month % stride === 0 && toPlace(month) >= first)
      .map((month) => {
        const day = monthAt(month);
        if (stride >= 12) return { place: toPlace(month), text: day.slice(0, 4) };
        return {
          place: toPlace(month),
          text: words.monthName(day, style),
          ...(style === 'short' && { day }),
        };
      });
  const [one = [], ...others] = monthStrides.map((stride) => named('short', stride));
  return [one, ...(months.length <= 12 && !startsAtPlace ? [named('narrow', 1)] : []), ...others];
}

/** Where a year begins that is not the one that the page speaks of. */
function withYears(labels: readonly Named[], { document: { period } }: PageContext): PlaceLabel[] {
  const year = period.from?.slice(0, 4) ?? null;
  const known = year === period.to?.slice(0, 4) ? year : null;
  return labels.map(({ place, text, day }, index) => {
    const own = day?.slice(0, 4) ?? null;
    const isNew =
      own !== null &&
      own !== labels[index - 1]?.day?.slice(0, 4) &&
      labels.some((label) => label.day?.slice(0, 4) !== known);
    return { place, text, year: isNew ? own : null };
  });
}
