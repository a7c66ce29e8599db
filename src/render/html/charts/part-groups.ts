import { sum } from 'd3-array';
import type { ChartSpec, ReportTable } from '../../../report/report-document.ts';
import type { PageContext } from '../page-context.ts';
import { cellIn, chartColumn, numberIn } from './chart-column.ts';

export interface Part {
  readonly name: string;
  /** Of its group; null: the group has no such part. */
  readonly share: number | null;
  /** The share in whole percents. */
  readonly text: string;
  /** From 0, in the order in which parts are met: the same part has one colour in every group. */
  readonly order: number;
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

/** Groups and parts in the order of the rows. */
export function partGroups(
  table: ReportTable,
  spec: StackedSpec,
  { formatter }: PageContext,
): PartGroup[] {
  const columns = {
    group: chartColumn(table, spec.group),
    part: chartColumn(table, spec.part),
    value: chartColumn(table, spec.value),
    share: chartColumn(table, spec.share),
  };
  const rows = table.rows.map((row) => ({
    group: formatter.format(cellIn(row, columns.group), columns.group?.format ?? 'text'),
    part: formatter.format(cellIn(row, columns.part), columns.part?.format ?? 'text'),
    value: numberIn(row, columns.value),
    share: numberIn(row, columns.share),
  }));
  const order = [...new Set(rows.map(({ part }) => part))];
  const having = (part: string) =>
    rows.filter((row) => row.part === part && row.share !== null).map(({ group }) => group);
  return [...new Set(rows.map(({ group }) => group))].map((name) => {
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
      parts: own.map(({ part, share }) => ({
        name: part,
        share,
        text: formatter.format(share, 'share', { prose: true }),
        order: order.indexOf(part),
      })),
    };
  });
}

/** Parts that the same groups have stand together; those that no group has are just not known. */
function lackWords(
  parts: readonly string[],
  having: (part: string) => readonly string[],
): string | null {
  const byHolders = new Map<string, string[]>();
  for (const part of parts) {
    const holders = having(part).map(inSentence).join(' and ');
    byHolders.set(holders, [...(byHolders.get(holders) ?? []), inSentence(part)]);
  }
  const words = [...byHolders].map(([holders, names]) => {
    const reason = holders === '' ? 'not known' : `${holders} only`;
    return `${names.join(', ')}: – ${reason}`;
  });
  return words.length === 0 ? null : words.join(' · ');
}

/** `Likes` is `likes` within a sentence, but `EMV` stays as it is. */
export function inSentence(label: string): string {
  return /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}
