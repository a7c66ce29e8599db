import { cumsum, group, sum } from 'd3-array';
import { isolate } from '../../../languages/text-direction.ts';
import type { ChartSpec } from '../../../report/report-document.ts';
import { formatNamed } from '../../chart-rows.ts';
import { markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { boldWidth, cutToWidth, textWidth } from '../text-width.ts';
import { type Chart, type ChartScope, type Drawing, inSentence, leftOutNotes } from './figure.ts';
import { bars, text } from './marks.ts';

type StackedSpec = Extract<ChartSpec, { kind: 'stacked' }>;

interface Part {
  /** The name and the share: `Likes 36.9%`. */
  readonly words: string;
  readonly share: number;
  /** The index of the colour, from dark to light; `count` for the rest. */
  readonly tone: string;
}

const tones = ['s5', 's4', 's3', 's2', 's1', 's0'] as const;
/** The dark colours, on which text has the colour of the background. */
const darkTones: readonly string[] = ['s5', 's4'];
const [barHeight, lineHeight] = [24, 17];
/** The most bars that one chart can show. */
const maxDrawn = 12;

function makePart(name: string, share: number, tone: string, { formatter }: PageContext): Part {
  return { words: `${isolate(name)} ${formatter.format(share, 'share')}`, share, tone };
}

interface StackedRow {
  readonly group: string;
  readonly part: string;
  readonly value: number | null;
  /** The share of the group; null when the group has no such part. */
  readonly share: number | null;
}

interface Group {
  readonly name: string;
  /** `37,413 interactions`. */
  readonly total: string;
  readonly parts: readonly Part[];
}

/** A bar of shares for each group in one hue. */
export function stackedChart(
  spec: StackedSpec,
  { rows: cells, table, context }: ChartScope,
): Chart | null {
  const rows = cells.map((row): StackedRow => ({
    group: row.text(spec.group),
    part: row.text(spec.part),
    value: row.number(spec.value),
    share: row.number(spec.share),
  }));
  if (rows.every(({ share }) => share === null)) return null;
  const { say } = context;
  const other = say('other');
  const title = table.columns.find(({ name }) => name === spec.value)?.title ?? '';
  const unit = inSentence(title, context);
  const format = formatNamed(table, spec.value) ?? 'count';
  // A part has the same tone in every group, unless there are more parts than tones.
  const order = [...new Set(rows.map(({ part }) => part))];
  const isRanked = order.length > tones.length;
  const all = [...group(rows, (row) => row.group)];
  const groups = all.slice(0, maxDrawn).map(([name, own]): Group => {
    const values = own.flatMap(({ value }) => value ?? []);
    const total = `${context.formatter.format(sum(values), format)} ${unit}`.trim();
    const shown = isRanked ? largestParts(own, other) : own;
    const parts = shown.flatMap(({ part, share }, rank): Part[] => {
      const tone = part === other ? undefined : tones[isRanked ? rank : order.indexOf(part)];
      return share === null ? [] : [makePart(part, share, tone ?? 'count', context)];
    });
    return { name, total: values.length > 0 ? total : '', parts };
  });
  const rankNote = say(
    'Each bar has its five largest parts, from dark to light; “{other:text}” is the rest of it, which the table has one by one.',
    { other },
  );
  const notes = leftOutNotes(groups.length, all.length, context, say('groups'));
  return {
    draw: ({ width }) => drawGroups(groups, width),
    showsAllValues: notes.length === 0 && !isRanked,
    notes: isRanked ? [...notes, rankNote] : notes,
  };
}

function largestParts(
  rows: readonly StackedRow[],
  other: string,
): Pick<StackedRow, 'part' | 'share'>[] {
  const known = rows.filter(({ share }) => share !== null);
  const sorted = known.toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0));
  const leading = sorted.filter(({ part }) => part !== other).slice(0, tones.length - 1);
  const rest = sorted.filter((row) => !leading.includes(row));
  if (rest.length === 0) return leading;
  return [...leading, { part: other, share: sum(rest, ({ share }) => share ?? 0) }];
}

/** The name and the total on one line, or on two when they do not fit. */
function drawGroups(groups: readonly Group[], width: number): Drawing {
  let bottom = -16;
  const drawn = groups.map(({ name, total, parts }) => {
    const y = bottom + 30;
    const title = cutToWidth(name, width / boldWidth);
    const left = textWidth(title) * boldWidth + 14;
    const isBeside = left + textWidth(total) <= width;
    const [x, line] = isBeside ? [left, y] : [0, y + lineHeight];
    const bar = drawBar(parts, line + 8, width);
    bottom = bar.height;
    return markup`${text(0, y, title, 'bold')}${text(x, line, cutToWidth(total, width), 'soft')}${bar.marks}`;
  });
  return { height: bottom + 2, marks: markup`${drawn}` };
}

/**
 * Parts side by side, with their names inside if these fit, otherwise below. Shares below 0 have no length, and parts
 * beyond 100 % are cut off.
 */
function drawBar(parts: readonly Part[], top: number, width: number): Drawing {
  const shares = parts.map(({ share }) => Math.max(0, share));
  const unit = width / Math.max(1, sum(shares));
  const ends = cumsum(shares);
  const base = top + barHeight;
  // The height of the key below.
  let [next, line] = [0, -1];
  const drawn = parts.map(({ words, tone }, index) => {
    const length = (shares[index] ?? 0) * unit;
    const left = (ends[index] ?? 0) * unit - length;
    const gap = left + length < width - 1 ? 2 : 0;
    const segment = bars([{ left, top, width: length - gap, height: barHeight }], `${tone} part`);
    if (textWidth(words) * boldWidth + 14 <= length) {
      const look = `${darkTones.includes(tone) ? 'high' : 'low'} name bidi`;
      return markup`${segment}${text(left + 8, top + 16.5, words, look)}`;
    }
    const name = cutToWidth(words, width - 16);
    const room = 16 + textWidth(name);
    if (line < 0 || next + room > width) [next, line] = [0, line + 1];
    const [x, y] = [next, base + 19 + line * lineHeight];
    next += room + 14;
    return markup`${segment}${bars([{ left: x, top: y - 10, width: 10, height: 10 }], `${tone} part`)}${text(x + 16, y, name, 'soft')}`;
  });
  const outline = { left: 0.5, top: top + 0.5, width: width - 1, height: barHeight - 1 };
  return {
    height: base + (line < 0 ? 2 : 24 + line * lineHeight),
    marks: markup`${bars([outline], 'frame')}${drawn}`,
  };
}
