import { pairs, range } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { ColumnFormat } from '../../../report/report-document.ts';
import { dayAt, isTimeKind, timePosition } from '../../chart-axis.ts';
import { type Axis, endsOf, positionsOn } from '../../drawn.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { cutToWidth, textWidth } from '../text-width.ts';
import type { Drawing } from './figure.ts';
import { rules, text } from './marks.ts';

/** A position as the table prints it. */
export function positionName(
  position: number,
  { kind, format }: Axis,
  { formatter }: PageContext,
): string {
  if (!isTimeKind(kind)) return formatter.format(position, format);
  return formatter.format(dayAt(position, kind), kind === 'day' ? 'date' : kind);
}

export interface AxisLabel {
  readonly position: number;
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
      return label.text !== next.text && x(next.position) - x(label.position) >= room;
    });
  return choices.find((labels) => labels.length > 0 && fits(labels)) ?? choices.at(-1) ?? [];
}

/** Labels below an axis, without those that would not fit in the picture. */
export function axisTexts(
  labels: readonly AxisLabel[],
  x: Scale,
  { bottom, right }: { readonly bottom: number; readonly right: number },
): Drawing {
  const shown = labels.filter(
    (label) => x(label.position) + textWidth(label.text) / 2 <= right + 10,
  );
  const drawn = shown.flatMap(({ position, text: words, year }) => [
    text(x(position), bottom + 19, words, 'soft mid bidi'),
    year !== undefined && text(x(position), bottom + 35, year, 'soft mid'),
  ]);
  const hasYears = shown.some(({ year }) => year !== undefined);
  return { height: bottom + (hasYears ? 40 : 24), marks: markup`${drawn}` };
}

/** More days than these are labelled by month. */
const maxDays = 62;

/** Of how many positions one is labelled, the first choice first. */
const stridesOf = {
  month: [1, 2, 3, 6, 12, 24, 60, 120],
  quarter: [1, 2, 4, 8, 20, 40],
  other: [1, 2, 5, 10, 20, 50, 100, 1000],
} as const;

/** As many labels at round positions as fit without overlap; `x` also takes positions between the categories. */
export function axisLabels(axis: Axis, x: Scale, context: PageContext): readonly AxisLabel[] {
  const { kind, step } = axis;
  const [first, last] = endsOf(axis);
  const isMonths = kind === 'month' || (kind === 'day' && last - first > maxDays);
  const even = step === null ? positionsOn(axis) : range(first, last + 1, step);
  const marks = isMonths
    ? monthMarks(axis, context)
    : even.map((position, index) => markAt(position, index, axis, context));
  const isQuarters = kind === 'quarter';
  const perYear = isMonths ? 12 : isQuarters ? 4 : Infinity;
  const strides = stridesOf[isMonths ? 'month' : isQuarters ? 'quarter' : 'other'];
  const choices = strides.map((stride) => {
    const chosen = marks.filter(({ rank }) => rank % stride === 0);
    if (stride < perYear) return chosen;
    return chosen.map(({ position, year = '' }) => ({ position, text: year }));
  });
  return withNewYears(firstThatFits([...choices, marks.slice(0, 1)], x), context);
}

/** A position that could be labelled. */
interface AxisMark extends AxisLabel {
  /** The unit whose multiples keep their labels when there are too many. */
  readonly rank: number;
}

function markAt(position: number, index: number, axis: Axis, context: PageContext): AxisMark {
  if (axis.kind === 'day') {
    const day = dayAt(position, 'day');
    return { rank: index, position, text: context.words.day(day), year: day.slice(0, 4) };
  }
  const name = positionName(position, axis, context);
  if (axis.kind === 'quarter') {
    const [text = '', year = ''] = name.split(' ');
    return { rank: position, position, text, year };
  }
  const rank = Number.isInteger(position) ? position : index;
  return { rank, position, text: cutToWidth(name, 120) };
}

/** The starts of months among months or days. */
function monthMarks(axis: Axis, { words }: PageContext): AxisMark[] {
  const kind = axis.kind === 'month' ? 'month' : 'day';
  const [first, last] = endsOf(axis);
  const monthOf = (position: number) => timePosition(dayAt(position, kind), 'month') ?? 0;
  return range(monthOf(first), monthOf(last) + 1).flatMap((month): AxisMark[] => {
    const day = dayAt(month, 'month');
    const position = timePosition(day, kind) ?? 0;
    const text = words.monthName(day);
    return position < first ? [] : [{ rank: month, position, text, year: day.slice(0, 4) }];
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
    return isNew ? label : { position: label.position, text: label.text };
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

/** Writes short figures on marks: `€9.5k`, `€973`, and below 100 as the document does. */
export function shortWriter(
  format: ColumnFormat,
  { formatter }: PageContext,
): (value: number) => string {
  return (value) => {
    if (!isMoney(format)) return formatter.format(value, format, { compact: true });
    const size = Math.abs(value);
    if (size < 100) return formatter.format(value, format, { small: true });
    return formatter.format(size < 1000 ? Math.round(value) : value, format, { compact: true });
  };
}

function isMoney(format: ColumnFormat): boolean {
  return format === 'money' || format === 'money_exact';
}
