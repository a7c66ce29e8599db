import { addMonths } from 'date-fns/addMonths';
import { format } from 'date-fns/format';
import { parseISO } from 'date-fns/parseISO';
import type { CompareMode } from '../config/config.ts';
import { type Day, utc } from '../core/calendar.ts';
import { comparedPeriod, type Period } from './period.ts';
import type { ReportDefinition } from './report-catalog.ts';

/** The first day that has to be read for a report, and what it is read for. */
export interface NeededDay {
  readonly day: Day;
  /** A clause that follows the name of the report. */
  readonly reason: string;
}

/** The tables and macros of sql/report that hold the 12 months before the period. */
const earlierTables =
  /\b(?:report_earlier|report_thirteen_months|thirteen_months_of|pairs_over_year)\b/;

/**
 * Returns the first of the days that sql/report/asked_days.sql has for this report: those of its period, of the period that
 * it compares with and, where it shows them, of the 12 months before. Null if the period is open at its beginning.
 * @param definition null if it cannot be read
 */
export function firstNeededDay(
  definition: ReportDefinition | null,
  period: Period,
  compare: CompareMode,
): NeededDay | null {
  const { from } = period;
  if (from === null) return null;
  const compared = definition?.compares === false ? null : comparedPeriod(period, compare);
  const needed = [
    { day: from, reason: 'has all days of its period' },
    ...(compared
      ? [{ day: compared.from, reason: 'compares its period with an earlier one' }]
      : []),
    ...(definition && showsYearBefore(definition, period)
      ? [{ day: yearBeforeMonth(from), reason: 'shows the 12 months before its period' }]
      : []),
  ];
  return needed.reduce((first, next) => (next.day < first.day ? next : first));
}

/** A report has SQL about the 12 months before, or sections about them in a period of a month or two. */
function showsYearBefore({ sql, made, sections }: ReportDefinition, period: Period): boolean {
  const isShort =
    period.from !== null && period.to !== null && monthsOf(period.from, period.to) <= 2;
  if (isShort && sections.some(({ grain }) => grain === 'over year')) return true;
  return [...sql].some(([name, text]) => !made.has(name) && earlierTables.test(text));
}

/** Counts the months of the calendar that the days are in. */
function monthsOf(from: Day, to: Day): number {
  const [start = 0, end = 0] = [from, to].map((day) => {
    const [year = 0, month = 0] = day.split('-').map(Number);
    return 12 * year + month;
  });
  return end - start + 1;
}

function yearBeforeMonth(day: Day): Day {
  const month = parseISO(`${day.slice(0, 7)}-01`, { in: utc });
  return format(addMonths(month, -12), 'yyyy-MM-dd', { in: utc });
}
