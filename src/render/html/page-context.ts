import { createFormatter, type Formatter } from '../../core/number-format.ts';
import type { ReportDocument } from '../../report/report-document.ts';
import { type CalendarWords, createCalendarWords } from './calendar-words.ts';

/** What every part of the page is written with. */
export interface PageContext {
  readonly document: ReportDocument;
  readonly formatter: Formatter;
  readonly words: CalendarWords;
}

export function createPageContext(document: ReportDocument): PageContext {
  return {
    document,
    formatter: createFormatter(document),
    words: createCalendarWords(document.locale, document.timezone),
  };
}

/** Where nothing was found, in the words of the period that was asked for. */
export function emptyWords({ period, covers }: ReportDocument): string {
  return `No ${covers}${period.from === null && period.to === null ? '' : ' in this period'}.`;
}
