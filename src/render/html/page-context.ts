import { createFormatter, type Formatter } from '../../languages/number-format.ts';
import type { ReportDocument } from '../../report/report-document.ts';
import { type CalendarWords, createCalendarWords } from '../calendar-words.ts';
import { createDocumentHead, type DocumentHead } from '../document-head.ts';
import { findPosts, type PostPositions } from './post-folds.ts';

export interface PageContext {
  readonly document: ReportDocument;
  readonly head: DocumentHead;
  readonly formatter: Formatter;
  readonly words: CalendarWords;
  /** The translation of the formatter: every fixed phrase of the page goes through it. */
  readonly say: Formatter['say'];
  /** The name of the other files with all rows, `the CSV and XLSX files`; null when none were written. */
  readonly elsewhere: string | null;
  /** The posts to which rows unfold; null when the page has no list of posts. */
  readonly posts: PostPositions | null;
  /** The begin of the ids of this report, which may share its page with others. */
  readonly ids: string;
  /** Set for a page that is only printed: nothing in it refers to what paper does not have. */
  readonly isPaper: boolean;
}

/** The common names of the formats that hold all rows. */
const fileNames: Readonly<Record<string, string>> = {
  csv: 'CSV',
  xlsx: 'XLSX',
  json: 'JSON',
  parquet: 'Parquet',
  md: 'Markdown',
};

/** @param formats the other formats of the same report */
export function createPageContext(
  document: ReportDocument,
  formats: readonly string[],
  { ids, isPaper }: Pick<PageContext, 'ids' | 'isPaper'> = { ids: '', isPaper: false },
): PageContext {
  const formatter = createFormatter(document);
  return {
    document,
    head: createDocumentHead(document, formatter),
    formatter,
    words: createCalendarWords(document),
    say: formatter.say,
    elsewhere: elsewhereWords(formats, document.language.code, formatter),
    posts: findPosts(document, formatter),
    ids,
    isPaper,
  };
}

function elsewhereWords(
  formats: readonly string[],
  language: string,
  { say }: Formatter,
): string | null {
  const names = Object.entries(fileNames).flatMap(([format, name]) =>
    formats.includes(format) ? [name] : [],
  );
  if (names.length === 0) return null;
  const list = new Intl.ListFormat(language === 'en' ? 'en-GB' : language, { style: 'long' });
  const values = { names: list.format(names), n: names.length };
  return say('the {names:text} {n|file|files}', values);
}
