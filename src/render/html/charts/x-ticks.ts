import { ticks as roundTicks } from 'd3-array';
import { yearOf } from '../bar-labels.ts';
import { monthLabels } from '../month-labels.ts';
import type { PageContext } from '../page-context.ts';
import { cutToWidth, textWidth } from '../text-width.ts';
import { dayAt, monthAt, type XReader } from './x-reader.ts';

interface XTick {
  readonly at: number;
  readonly text: string;
  /** On the second line: the year, where it begins. */
  readonly year: string | null;
}

export interface XAxis {
  /** From the first to the last place that is drawn. */
  readonly domain: readonly [number, number];
  readonly ticks: readonly XTick[];
  /** Whether labels begin at their tick, as names of months do on an axis of days. */
  readonly startsAtTick: boolean;
}

/** More days than these are told by their months. */
const maxDays = 62;
/** Days of a month that may stay empty at either end of the axis. */
const maxUnused = 16;

/** @param places in order, at least one; @param width px from the first to the last place */
export function xAxis(
  reader: XReader,
  places: readonly number[],
  width: number,
  context: PageContext,
): XAxis {
  const first = places[0] ?? 0;
  const last = places.at(-1) ?? first;
  switch (reader.kind) {
    case 'day':
      return dayAxis(first, last, width, context);
    case 'month':
      return { domain: [first, last], ticks: monthTicks(first, last, width, context), startsAtTick: false }; // prettier-ignore
    case 'number':
      return { domain: [first, last], ticks: numberTicks(reader, places, width), startsAtTick: false }; // prettier-ignore
    case 'word': {
      const room = width / Math.max(places.length - 1, 1) - 6;
      const stride = Math.ceil(40 / Math.max(room, 1));
      const chosen = places.filter((_, index) => index % stride === 0);
      const ticks = chosen.map((at) => ({ at, text: cutToWidth(reader.nameOf(at), room * stride), year: null })); // prettier-ignore
      return { domain: [first, last], ticks, startsAtTick: false };
    }
  }
}

function monthTicks(first: number, last: number, width: number, context: PageContext): XTick[] {
  const months = Array.from({ length: last - first + 1 }, (_, index) => monthAt(first + index));
  const step = width / Math.max(months.length - 1, 1);
  const labels = monthLabels(months, step, context.words, yearOf(context.document.period));
  return labels.map(({ index, text, year }) => ({ at: first + index, text, year }));
}

function dayAxis(first: number, last: number, width: number, context: PageContext): XAxis {
  const { words, document } = context;
  const knownYear = yearOf(document.period);
  if (last - first <= maxDays) {
    const room = textWidth('28 May') + 12;
    const pitch = width / Math.max(last - first, 1);
    const stride = [1, 2, 7, 14, 28].find((each) => each * pitch >= room) ?? 63;
    const count = Math.floor((last - first) / stride) + 1;
    const ticks = Array.from({ length: count }, (_, index) => {
      const at = first + index * stride;
      const year = dayAt(at).slice(0, 4);
      const isNew = index === 0 || year !== dayAt(at - stride).slice(0, 4);
      return { at, text: words.day(dayAt(at)), year: isNew && year !== knownYear ? year : null };
    });
    return { domain: [first, last], ticks, startsAtTick: true };
  }
  return monthlyAxis(first, last, width, { words, knownYear });
}

/** Up to the bounds of the first and the last month where they are near, a tick at the start of each that has room for its name. */
function monthlyAxis(
  first: number,
  last: number,
  width: number,
  { words, knownYear }: { words: PageContext['words']; knownYear: string | null },
): XAxis {
  const firstMonth = monthOf(first);
  const endMonth = monthOf(last) + 1;
  const months = Array.from({ length: endMonth - firstMonth }, (_, index) => monthAt(firstMonth + index)); // prettier-ignore
  const labels = monthLabels(months, width / months.length, words, knownYear);
  const ticks = labels.map(({ index, text, year }) => ({ at: startOf(firstMonth + index), text, year })); // prettier-ignore
  const [start, end] = [startOf(firstMonth), startOf(endMonth)];
  const domain = [
    first - start <= maxUnused ? start : first,
    end - last <= maxUnused ? end : last,
  ] as const;
  return { domain, ticks: ticks.filter(({ at }) => at >= domain[0]), startsAtTick: true };
}

function monthOf(day: number): number {
  const [year = 0, month = 1] = dayAt(day).split('-').map(Number);
  return year * 12 + month - 1;
}

function startOf(month: number): number {
  return Date.parse(`${monthAt(month)}T00:00:00Z`) / 86_400_000;
}

/** The numbers themselves where they are few enough to stand beside each other, else round ones. */
function numberTicks(reader: XReader, places: readonly number[], width: number): XTick[] {
  const first = places[0] ?? 0;
  const last = places.at(-1) ?? first;
  const pixel = last > first ? width / (last - first) : 0;
  const room = (at: number) => textWidth(reader.nameOf(at)) + 10;
  const fits = places.every((at, index) => {
    const next = places[index + 1];
    return next === undefined || (next - at) * pixel >= room(next);
  });
  const count = Math.max(2, Math.floor(width / Math.max(60, room(last))));
  const isWhole = places.every(Number.isInteger);
  // between the smallest doubles there are no round numbers
  const ticks = last - first < 1e-300 ? [first] : roundTicks(first, last, count);
  const round = ticks.filter((at) => !isWhole || Number.isInteger(at));
  return (fits ? places : round).map((at) => ({ at, text: reader.nameOf(at), year: null }));
}
