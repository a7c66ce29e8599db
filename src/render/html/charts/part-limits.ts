import { sum } from 'd3-array';

/** A row of a chart of shares. */
interface PartRow {
  readonly group: string;
  readonly part: string;
  readonly value: number | null;
  /** Of its group; null: the group has no such part. */
  readonly share: number | null;
}

export interface LimitedParts {
  /** Those of one group stand together, what is left of it last. */
  readonly rows: readonly PartRow[];
  /** Whether tones go by rank within a group, since all parts together are too many to have one each. */
  readonly isRanked: boolean;
  /** Groups in the table alone. */
  readonly leftOut: number;
}

export const otherName = 'other';
/** More tones cannot be told apart. */
const maxParts = 6;
/** More bars than these are a page of their own. */
const maxGroups = 12;

/** The first groups; where parts are more than six, the five largest of each group and its others as one. */
export function limitParts(rows: readonly PartRow[]): LimitedParts {
  const groups = [...new Set(rows.map(({ group }) => group))];
  const kept = new Set(groups.slice(0, maxGroups));
  const drawn = rows.filter(({ group }) => kept.has(group));
  const leftOut = groups.length - kept.size;
  const isRanked = new Set(rows.map(({ part }) => part)).size > maxParts;
  if (!isRanked) return { rows: drawn, isRanked, leftOut };
  const ranked = [...kept].flatMap((group) => rankParts(group, drawn.filter((row) => row.group === group))); // prettier-ignore
  return { rows: ranked, isRanked, leftOut };
}

function rankParts(group: string, rows: readonly PartRow[]): PartRow[] {
  const known = rows.filter(({ share }) => share !== null);
  const sorted = known.toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0));
  const leading = sorted.filter(({ part }) => part !== otherName).slice(0, maxParts - 1);
  return [...leading, ...mergeRows(group, sorted.filter((row) => !leading.includes(row)))]; // prettier-ignore
}

/** One row of them; none where no share is known. */
function mergeRows(group: string, rows: readonly PartRow[]): PartRow[] {
  const shares = rows.flatMap(({ share }) => share ?? []);
  const values = rows.flatMap(({ value }) => value ?? []);
  if (shares.length === 0) return [];
  return [{ group, part: otherName, value: values.length === 0 ? null : sum(values), share: sum(shares) }]; // prettier-ignore
}

/** What the drawing leaves to the table. */
export function limitNotes({ isRanked, leftOut }: LimitedParts): string[] {
  return [
    ...(leftOut > 0 ? [`The first ${maxGroups} are drawn; ${leftOut} more are in the table.`] : []),
    ...(isRanked ? [`Each bar has its five largest parts, from dark to light; “${otherName}” is the rest of it, which the table has one by one.`] : []), // prettier-ignore
  ];
}
