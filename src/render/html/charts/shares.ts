import { cumsum, group, sum } from 'd3-array';
import type { ChartSpec } from '../../../report/report-document.ts';
import { markup } from '../markup.ts';
import { boldWidth, cutToWidth, textWidth } from '../text-width.ts';
import {
  type Chart,
  type ChartScope,
  type Drawing,
  formatNamed,
  inSentence,
  leftOutNotes,
  missingNotes,
} from './figure.ts';
import { bars, rules, text } from './marks.ts';

type StripSpec = Extract<ChartSpec, { kind: 'strip' }>;
type StackedSpec = Extract<ChartSpec, { kind: 'stacked' }>;

/** A part of a bar. */
interface Part {
  /** Name and share: `Likes 36.9%`. */
  readonly words: string;
  readonly share: number;
  /** Of the sequence, from dark to light, or `count` for the rest. */
  readonly tone: string;
}

const tones = ['s5', 's4', 's3', 's2', 's1', 's0'] as const;
/** Those that text lies on in the ground's colour. */
const darkTones: readonly string[] = ['s5', 's4'];
const [barHeight, lineHeight] = [24, 17];
/** Between two names. */
const nameGap = 14;
const maxStripParts = 12;

/** One bar in parts, in the order of the rows; null when no part is above 0. */
export function stripChart(spec: StripSpec, { rows, context }: ChartScope): Chart | null {
  const known = rows.filter((row) => (row.number(spec.share) ?? 0) > 0).slice(0, maxStripParts);
  if (known.length === 0) return null;
  const parts = known.map((row, index) => {
    const share = row.number(spec.share) ?? 0;
    const isRest = known.length > 1 && index === known.length - 1;
    const words = `${isolate(row.text(spec.label))} ${context.formatter.format(share, 'share')}`;
    return { words, share, tone: isRest ? 's1' : (tones[Math.min(index, 3)] ?? 's2') };
  });
  return {
    draw: ({ width }) => drawBar(parts, 2, width),
    showsAllValues: known.length === rows.length,
    notes: missingNotes(known.length, rows.length, 'parts'),
  };
}

interface Group {
  readonly name: string;
  /** `37,413 interactions`; null where the parts cannot be added up. */
  readonly sum: string | null;
  /** `saves, sends: – members only`; null where it has every part. */
  readonly lacks: string | null;
  readonly parts: readonly Part[];
}

interface StackedRow {
  readonly group: string;
  readonly part: string;
  readonly value: number | null;
  /** Of its group; null: the group has no such part. */
  readonly share: number | null;
}

/** More bars than these are a page of their own. */
const maxGroups = 12;
const otherName = 'other';

/** A bar of shares for each group, in one hue; what a kind of profile lacks is said, not drawn. */
export function stackedChart(
  spec: StackedSpec,
  { rows: cells, table, context }: ChartScope,
): Chart | null {
  const { formatter } = context;
  const rows = cells.map(
    (row): StackedRow => ({
      group: row.text(spec.group),
      part: row.text(spec.part),
      value: row.number(spec.value),
      share: row.number(spec.share),
    }),
  );
  if (rows.every(({ share }) => share === null)) return null;
  const order = [...new Set(rows.map(({ part }) => part))];
  // The same part has one tone in every group, unless parts are too many to have one each.
  const isRanked = order.length > tones.length;
  const unit = inSentence(table.columns.find(({ name }) => name === spec.value)?.title ?? '');
  const format = formatNamed(table, spec.value) ?? 'count';
  const all = [...group(rows, (row) => row.group)];
  const groups = all.slice(0, maxGroups).map(([name, own]): Group => {
    const values = own.flatMap(({ value }) => value ?? []);
    const total = `${formatter.format(sum(values), format)} ${unit}`.trim();
    const shown = isRanked ? largestParts(own) : own;
    return {
      name,
      sum: values.length === 0 ? null : total,
      lacks: isRanked ? null : lackWords(own, rows),
      parts: shown.flatMap(({ part, share }, rank): Part[] => {
        if (share === null) return [];
        const words = `${isolate(part)} ${formatter.format(share, 'share')}`;
        const tone = isRanked && part === otherName ? undefined : tones[isRanked ? rank : order.indexOf(part)]; // prettier-ignore
        return [{ words, share, tone: tone ?? 'count' }];
      }),
    };
  });
  const rankNote = `Each bar has its five largest parts, from dark to light; “${otherName}” is the rest of it, which the table has one by one.`;
  const notes = [...leftOutNotes(groups.length, all.length), ...(isRanked ? [rankNote] : [])];
  return {
    draw: ({ width }) => drawGroups(groups, width),
    showsAllValues: notes.length === 0,
    notes,
  };
}

/** The five largest, and the others as one; none of them where no share is known. */
function largestParts(rows: readonly StackedRow[]): readonly Pick<StackedRow, 'part' | 'share'>[] {
  const sorted = rows
    .filter(({ share }) => share !== null)
    .toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0));
  const leading = sorted.filter(({ part }) => part !== otherName).slice(0, tones.length - 1);
  const rest = sorted.filter((row) => !leading.includes(row));
  if (rest.length === 0) return leading;
  return [...leading, { part: otherName, share: sum(rest, ({ share }) => share ?? 0) }];
}

/** Which parts a group does not have, and who does; that some of many groups have none is no property of theirs. */
function lackWords(own: readonly StackedRow[], rows: readonly StackedRow[]): string | null {
  const missing = own.filter(({ share }) => share === null).map(({ part }) => part);
  const holdersOf = (part: string) =>
    rows
      .filter((row) => row.part === part && row.share !== null)
      .map((row) => inSentence(row.group));
  const words = [...group(missing, (part) => holdersOf(part).join(' and '))].flatMap(
    ([holders, parts]) => {
      if (holdersOf(parts[0] ?? '').length > 2) return [];
      const who = holders === '' ? 'not known' : `${holders} only`;
      return [`${parts.map(inSentence).join(', ')}: – ${who}`];
    },
  );
  return words.length === 0 ? null : words.join(' · ');
}

function drawGroups(groups: readonly Group[], width: number): Drawing {
  let bottom = -16;
  const drawn = groups.map((each) => {
    const head = drawHead(each, bottom + 30, width);
    const bar = drawBar(each.parts, head.height + 8, width);
    bottom = bar.height;
    return markup`${head.marks}${bar.marks}`;
  });
  return { height: bottom + 2, marks: markup`${drawn}` };
}

/** Name and sum at the left, what the group lacks at the right, or below where that does not fit. */
function drawHead({ name, sum: total, lacks }: Group, y: number, width: number): Drawing {
  const totalWidth = textWidth(total ?? '');
  const title = cutToWidth(name, Math.max(width / 2, (width - totalWidth - 18) / boldWidth));
  const totalAt = textWidth(title) * boldWidth + 14;
  const isBeside = textWidth(lacks ?? '') <= width - totalAt - totalWidth - 24;
  const lack =
    lacks !== null &&
    (isBeside
      ? text(width, y, lacks, 'soft end')
      : text(0, y + lineHeight, cutToWidth(lacks, width), 'soft'));
  return {
    height: lacks === null || isBeside ? y : y + lineHeight,
    marks: markup`${text(0, y, title, 'bold')}${total !== null && text(totalAt, y, total, 'soft')}${lack}`,
  };
}

interface PlacedPart extends Part {
  readonly left: number;
  readonly length: number;
}

/** Parts side by side, named within them where that fits. Shares below 0 have no length; more than the whole is the whole. */
function drawBar(parts: readonly Part[], top: number, width: number): Drawing {
  const shares = parts.map(({ share }) => Math.max(0, share));
  const unit = width / Math.max(1, sum(shares));
  const ends = cumsum(shares);
  const placed = parts.map((part, index): PlacedPart => {
    const length = (shares[index] ?? 0) * unit;
    return { ...part, left: (ends[index] ?? 0) * unit - length, length };
  });
  const fits = ({ words, length }: PlacedPart) => textWidth(words) * boldWidth + 14 <= length;
  const segments = placed.map(({ left, length, tone }) => {
    const gap = left + length < width - 1 ? 2 : 0;
    return bars([{ left, top, width: length - gap, height: barHeight }], `${tone} part`);
  });
  const inside = placed.filter(fits).map(({ left, words, tone }) => {
    const look = `${darkTones.includes(tone) ? 'high' : 'low'} name bidi`;
    return text(left + 8, top + 16.5, words, look);
  });
  const outline = { left: 0.5, top: top + 0.5, width: width - 1, height: barHeight - 1 };
  const below = placed.filter((part) => !fits(part));
  const names = drawNames(below, width, top + barHeight);
  return {
    height: names.height,
    marks: markup`${bars([outline], 'frame')}${segments}${inside}${names.marks}`,
  };
}

/** Right under their parts, each with a tick, where one line holds them; else a key. */
function drawNames(parts: readonly PlacedPart[], width: number, base: number): Drawing {
  if (parts.length === 0) return { height: base + 2, marks: markup`` };
  let free = 0;
  const wanted = parts.map(({ left, length, words }) => {
    const at = Math.max(free, left + length / 2 - 6);
    free = at + textWidth(words) + nameGap;
    return at;
  });
  const over = Math.max(0, free - nameGap - width);
  const places = wanted.map((at) => at - over);
  const isNear = parts.every(({ left, length, words }, index) => {
    const [at, tick] = [places[index] ?? 0, left + length / 2];
    return at >= 0 && at <= tick + 2 && at + textWidth(words) >= tick - 2;
  });
  if (!isNear) return drawKey(parts, width, base);
  const ticks = parts.map(({ left, length }) => {
    const at = Math.min(Math.max(left + length / 2, 0.5), width - 0.5);
    return [at, base, at, base + 6] as const;
  });
  const names = parts.map(({ words }, index) => text(places[index] ?? 0, base + 19, words, 'soft'));
  return { height: base + 24, marks: markup`${rules(ticks, 'axis')}${names}` };
}

/** Names with the tone of their part, in lines from the left. */
function drawKey(parts: readonly PlacedPart[], width: number, base: number): Drawing {
  let [left, line] = [0, 0];
  const drawn = parts.map(({ words: full, tone }) => {
    const words = cutToWidth(full, width - 16);
    const room = 16 + textWidth(words);
    if (left > 0 && left + room > width) [left, line] = [0, line + 1];
    const [x, y] = [left, base + 19 + line * lineHeight];
    left += room + nameGap;
    return markup`${bars([{ left: x, top: y - 10, width: 10, height: 10 }], `${tone} part`)}${text(x + 16, y, words, 'soft')}`;
  });
  return { height: base + 24 + line * lineHeight, marks: markup`${drawn}` };
}

/** A name from right to left keeps its share at its end, whatever follows. */
function isolate(name: string): string {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u.test(name) ? `\u2068${name}\u2069` : name;
}
