import { markup, type Markup } from '../markup.ts';
import { boldWidth, cutToWidth, tenth, textWidth } from '../text-width.ts';

/** A part of a bar, in px from the left. */
export interface PlacedPart {
  readonly left: number;
  readonly length: number;
  /** Name and share: `Likes 36.9%`. */
  readonly text: string;
  /** The class of its tone. */
  readonly look: string;
}

interface Named {
  readonly drawn: Markup;
  /** The lower edge of what is drawn. */
  readonly bottom: number;
}

const lineHeight = 17;
/** Between two names. */
const gap = 14;
/** A name farther from its part than this would be taken for another's. */
const maxShift = 40;
/** Lines of names below a bar. */
const maxLines = 6;
const swatch = 10;
/** From a tick to its name. */
const tickGap = 7;

/** Whether the text has room in its part. */
export function fitsInside({ text, length }: PlacedPart): boolean {
  return textWidth(text) * boldWidth + 14 <= length;
}

/** Names under their parts, each with a tick; a key only where ticks find no room. */
export function partNames(parts: readonly PlacedPart[], width: number, base: number): Named {
  if (parts.length === 0) return { drawn: markup``, bottom: base };
  return namesInLine(parts, width, base) ?? namesInSteps(parts, width, base) ?? keyBelow(parts, width, base); // prettier-ignore
}

/** Right under the parts, moved a little apart; null where one line does not hold them. */
function namesInLine(parts: readonly PlacedPart[], width: number, base: number): Named | null {
  let free = 0;
  const lefts = parts.map(({ text, left }) => {
    const at = Math.max(left, free);
    free = at + textWidth(text) + gap;
    return at;
  });
  const over = Math.max(0, free - gap - width);
  if (over > 0 && (lefts[0] ?? 0) < over) return null;
  // What hangs over at the right is taken back from all: they keep their order and their gaps.
  const moved = lefts.map((left) => left - over);
  const isFar = (part: PlacedPart, at: number) => {
    const middle = tickOf(part, width);
    return at > middle + 2 || at + textWidth(part.text) < middle - 2 || at - part.left > maxShift;
  };
  if (parts.some((part, index) => isFar(part, moved[index] ?? 0))) return null;
  const drawn = parts.map((part, index) => {
    const at = tenth(tickOf(part, width));
    return markup`<path class="axis" d="M${at} ${base}v6"/><text x="${tenth(moved[index] ?? 0)}" y="${base + 19}" class="soft">${part.text}</text>`;
  });
  return { drawn: markup`${drawn}`, bottom: base + 24 };
}

/** A name beside the foot of its part's tick. */
interface Step {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly isBefore: boolean;
  readonly text: string;
}

/** Each on a line that no tick of another runs through; null where there is none. */
function namesInSteps(parts: readonly PlacedPart[], width: number, base: number): Named | null {
  const found = [width / 2, 0, width].flatMap((turn) => {
    const steps = parts.map((part) => stepOf(part, width, turn));
    const lines = linesOf(steps, width);
    return lines ? [{ steps, lines }] : [];
  });
  const [best] = found;
  if (!best) return null;
  const { steps, lines } = best;
  const drawn = steps.map(({ at, text, isBefore }, index) => {
    const y = base + 19 + (lines[index] ?? 0) * lineHeight;
    const [turn, look] = isBefore ? [-4, 'soft end'] : [4, 'soft'];
    const x = at + (isBefore ? -tickGap : tickGap);
    return markup`<path class="axis" d="M${tenth(at)} ${base}V${y - 4}h${turn}"/><text x="${tenth(x)}" y="${y}" class="${look}">${text}</text>`;
  });
  return { drawn: markup`${drawn}`, bottom: base + 24 + Math.max(...lines) * lineHeight };
}

/** Before its tick where that lies beyond `turn` and there is room; else after it. */
function stepOf(part: PlacedPart, width: number, turn: number): Step {
  const at = tickOf(part, width);
  const room = textWidth(part.text) + tickGap;
  const isBefore = at > turn ? at - room >= 0 : at + room > width;
  const [from, to] = isBefore ? [at - room, at] : [at, at + room];
  return { at, from, to, isBefore, text: part.text };
}

function linesOf(steps: readonly Step[], width: number): number[] | null {
  if (steps.some(({ from, to }) => from < 0 || to > width)) return null;
  const lines = steps.map(() => 0);
  const isBlocked = (step: Step, index: number) =>
    steps.some((other, place) => {
      if (place === index) return false;
      const [own, its] = [lines[index] ?? 0, lines[place] ?? 0];
      const isCrossed = other.at > step.from - 4 && other.at < step.to + 4 && Math.abs(other.at - step.at) > 0.5; // prettier-ignore
      const overlaps = other.from < step.to + gap && other.to > step.from - gap;
      return (isCrossed && its >= own) || (overlaps && place < index && its === own);
    });
  for (let round = 0; round <= steps.length * maxLines; round += 1) {
    const blocked = steps.findIndex(isBlocked);
    if (blocked < 0) return lines;
    lines[blocked] = (lines[blocked] ?? 0) + 1;
    if ((lines[blocked] ?? 0) >= maxLines) return null;
  }
  return null;
}

/** Names with the tone of their part, in lines from the left. */
function keyBelow(parts: readonly PlacedPart[], width: number, base: number): Named {
  let left = 0;
  let line = 0;
  const drawn = parts.map(({ text: full, look }) => {
    const text = cutToWidth(full, width - swatch - 6);
    const room = swatch + 6 + textWidth(text);
    if (left > 0 && left + room > width) {
      left = 0;
      line += 1;
    }
    const y = base + 19 + line * lineHeight;
    const x = tenth(left);
    left += room + gap;
    return markup`<rect class="${look} part" x="${x}" y="${y - 10}" width="${swatch}" height="${swatch}"/><text x="${tenth(x + swatch + 6)}" y="${y}" class="soft">${text}</text>`;
  });
  return { drawn: markup`${drawn}`, bottom: base + 24 + line * lineHeight };
}

function tickOf({ left, length }: PlacedPart, width: number): number {
  return Math.min(Math.max(left + length / 2, 0.5), width - 0.5);
}
