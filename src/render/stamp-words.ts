import type { Formatter } from '../core/number-format.ts';
import type { ReportDocument } from '../report/report-document.ts';

/** What a report was made of, part by part: the newest run of its data, and the hash of its SQL. */
export function stampWords(
  { stamp: { run, sqlHash } }: Pick<ReportDocument, 'stamp'>,
  formatter: Formatter,
): string[] {
  return [...(run === null ? [] : [runWords(run, formatter)]), `SQL ${sqlHash}`];
}

function runWords(
  { runId: run, job, finishedAt }: NonNullable<ReportDocument['stamp']['run']>,
  formatter: Formatter,
): string {
  const time = formatter.format(finishedAt, 'datetime', { prose: true });
  return finishedAt === null
    ? formatter.say('Run {run:text} ({job:text}), not finished', { run, job })
    : formatter.say('Run {run:text} ({job:text}), finished {time:text}', { run, job, time });
}

export const productName = 'postledger';

/** The name of the program that made a report; null where the report's owner wants none. */
export function productMark({ brand }: Pick<ReportDocument, 'brand'>): string | null {
  return (brand?.productMark ?? true) ? productName : null;
}
