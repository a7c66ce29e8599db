import { sum } from 'd3-array';

/** A row of a chart of shares. */
export interface PartRow {
  readonly group: string;
  readonly part: string;
  readonly value: number | null;
  /** Of its group; null: the group has no such part. */
  readonly share: number | null;
}

export interface LimitedParts {
  /** Those of one group stand together, what is left of it last. */
  readonly rows: readonly PartRow[];
  /** How many parts `other` stands for; 0: all have their own. */
  readonly merged: number;
  /** Groups in the table alone. */
  readonly leftOut: number;
}

export const otherName = 'other';
/** More tones cannot be told apart. */
const maxParts = 6;
/** More bars than these are a page of their own. */
const maxGroups = 12;

/** The first groups, and beyond six parts the five that are largest in all rows; the others as one. */
export function limitParts(rows: readonly PartRow[]): LimitedParts {
  const groups = [...new Set(rows.map(({ group }) => group))];
  const parts = [...new Set(rows.map(({ part }) => part))];
  const kept = new Set(groups.slice(0, maxGroups));
  const drawn = rows.filter(({ group }) => kept.has(group));
  const leftOut = groups.length - kept.size;
  if (parts.length <= maxParts) return { rows: drawn, merged: 0, leftOut };
  const sizeOf = (part: string) => sum(rows.filter((row) => row.part === part), ({ value, share }) => value ?? share ?? 0); // prettier-ignore
  const largest = parts
    .filter((part) => part !== otherName)
    .map((part) => ({ part, size: sizeOf(part) }))
    .sort((a, b) => b.size - a.size)
    .slice(0, maxParts - 1);
  const leading = new Set(largest.map(({ part }) => part));
  const limited = [...kept].flatMap((group) => {
    const own = drawn.filter((row) => row.group === group);
    return [
      ...own.filter(({ part }) => leading.has(part)),
      ...mergeRows(group, own.filter(({ part }) => !leading.has(part))), // prettier-ignore
    ];
  });
  return { rows: limited, merged: parts.length - leading.size, leftOut };
}

/** One row of them; none where no share is known. */
function mergeRows(group: string, rows: readonly PartRow[]): PartRow[] {
  const shares = rows.flatMap(({ share }) => share ?? []);
  const values = rows.flatMap(({ value }) => value ?? []);
  if (shares.length === 0) return [];
  return [{ group, part: otherName, value: values.length === 0 ? null : sum(values), share: sum(shares) }]; // prettier-ignore
}

/** What the drawing leaves to the table. */
export function limitNotes({ merged, leftOut }: LimitedParts): string[] {
  return [
    ...(leftOut > 0 ? [`The first ${maxGroups} are drawn; ${leftOut} more are in the table.`] : []),
    ...(merged > 0 ? [`The five largest parts of all have a tone of their own; “${otherName}” is the ${merged} smaller ones, each in the table.`] : []), // prettier-ignore
  ];
}
