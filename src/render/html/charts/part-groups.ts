import { group, sum } from 'd3-array';
import type { ChartSpec, ReportTable } from '../../../report/report-document.ts';
import type { PageContext } from '../page-context.ts';
import { cellIn, chartColumn, numberIn } from './chart-column.ts';
import { type LimitedParts, limitParts, otherName } from './part-limits.ts';

export interface Part {
  readonly name: string;
  /** Of its group; null: the group has no such part. */
  readonly share: number | null;
  /** The share as printed. */
  readonly text: string;
  /**
   * From 0, in the order in which parts are met: the same part has one tone in every group; by rank within
   * the group where parts are too many for that.
   * Null: it stands for all that have none of their own.
   */
  readonly order: number | null;
}

export interface PartGroup {
  readonly name: string;
  /** `37,413 interactions`; null where the parts cannot be added up. */
  readonly sum: string | null;
  /** `saves, sends: – members only`; null where it has every part. */
  readonly lacks: string | null;
  readonly parts: readonly Part[];
}

type StackedSpec = Extract<ChartSpec, { kind: 'stacked' }>;

interface PartGroups {
  readonly groups: readonly PartGroup[];
  /** What is drawn as one part, and what is not drawn at all. */
  readonly limits: LimitedParts;
}

/** Groups and parts in the order of the rows, as many of them as can be told apart. */
export function partGroups(
  table: ReportTable,
  spec: StackedSpec,
  { formatter }: PageContext,
): PartGroups {
  const columns = {
    group: chartColumn(table, spec.group),
    part: chartColumn(table, spec.part),
    value: chartColumn(table, spec.value),
    share: chartColumn(table, spec.share),
  };
  const all = table.rows.map((row) => ({
    group: formatter.format(cellIn(row, columns.group), columns.group?.format ?? 'text'),
    part: formatter.format(cellIn(row, columns.part), columns.part?.format ?? 'text'),
    value: numberIn(row, columns.value),
    share: numberIn(row, columns.share),
  }));
  const limits = limitParts(all);
  const { rows } = limits;
  const order = [...new Set(rows.map(({ part }) => part))];
  const having = (part: string) =>
    rows.filter((row) => row.part === part && row.share !== null).map(({ group }) => group);
  const groups = [...new Set(rows.map(({ group }) => group))].map((name) => {
    const own = rows.filter(({ group }) => group === name);
    const known = own.flatMap(({ value }) => value ?? []);
    const format = columns.value?.format ?? 'count';
    const unit = inSentence(columns.value?.title ?? '');
    return {
      name,
      sum: known.length === 0 ? null : `${formatter.format(sum(known), format)} ${unit}`.trim(),
      lacks: lackWords(
        own.filter(({ share }) => share === null).map(({ part }) => part),
        having,
      ),
      parts: own.map(({ part, share }, rank) => ({
        name: part,
        share,
        text: formatter.format(share, 'share'),
        order: limits.isRanked ? (part === otherName ? null : rank) : order.indexOf(part),
      })),
    };
  });
  return { groups, limits };
}

/** More groups than these are not listed. */
const maxHolders = 2;

/** Parts that the same groups have stand together; those that no group has are just not known. */
function lackWords(
  parts: readonly string[],
  having: (part: string) => readonly string[],
): string | null {
  const byHolders = group(parts, (part) => having(part).map(inSentence).join('\n'));
  const words = [...byHolders.values()].flatMap((same) => {
    const holders = having(same[0] ?? '').map(inSentence);
    const names = same.map(inSentence);
    // That some of many groups have none is no property of theirs.
    if (holders.length > maxHolders) return [];
    const reason = holders.length === 0 ? 'not known' : `${holders.join(' and ')} only`;
    return [`${names.join(', ')}: – ${reason}`];
  });
  return words.length === 0 ? null : words.join(' · ');
}

/** `Likes` is `likes` within a sentence, but `EMV` and `Bo Bielak` stay as they are. */
export function inSentence(label: string): string {
  const isName = /\s\p{Lu}/u.test(label);
  return /^\p{Lu}\p{Ll}/u.test(label) && !isName
    ? label.charAt(0).toLowerCase() + label.slice(1)
    : label;
}
