import { createHash } from 'node:crypto';
import type { Brand } from '../../config/config.ts';
import type { Day } from '../../core/calendar.ts';
import {
  createFormatter,
  type Formatter,
  type FormatterOptions,
} from '../../languages/number-format.ts';
import type { Language } from '../../languages/phrases.ts';
import { createCalendarWords, type CalendarWords } from '../calendar-words.ts';
import { productName } from '../document-head.ts';
import { markup, type Markup, trusted } from './markup.ts';
import { indexStyles } from './page-files.ts';
import { railed } from './section.ts';
import { styleSheet } from './style-sheet.ts';

/** The outcome of a report for one recipient. A held one waits for approval, for days, or for its recipient. */
export type IndexedState = keyof ReturnType<typeof stateWords>;

export interface IndexedReport {
  readonly client: { readonly name: string } | null;
  readonly title: string;
  /** The first sentence of the report; null if it has none. */
  readonly lede: string | null;
  /** The language of its title and its first sentence. */
  readonly language: string;
  readonly from: Day | null;
  readonly to: Day | null;
  /** Links relative to the list. */
  readonly files: readonly { readonly format: string; readonly href: string }[];
  readonly is_incomplete: boolean;
  /** Set for a report on the readings, which is for those who run postledger. */
  readonly is_of_readings: boolean;
  readonly error: string | null;
  readonly deliveries: readonly { readonly state: IndexedState; readonly to: string }[];
}

export interface IndexOptions extends FormatterOptions {
  readonly language: Language;
  readonly brand: Brand | null;
  /** The id of the site that writes the list. */
  readonly site: string;
  /** The number of deliveries of the site that wait or failed. */
  readonly waiting: number;
  readonly now: Date;
}

/** Returns the site of a page that `renderReportIndex` made; null for another page. */
export function siteOfIndex(page: string): string | null {
  return /<body class="index" data-site="([^"]*)">/.exec(page)?.[1] ?? null;
}

/** The list of reports as one page without a script. Every text is escaped. */
export function renderReportIndex(
  reports: readonly IndexedReport[],
  options: IndexOptions,
): string {
  const { language, brand, now, waiting } = options;
  const formatter = createFormatter(options);
  const { say } = formatter;
  const calendar = createCalendarWords(options);
  const time = formatter.format(now.toISOString(), 'datetime', { prose: true });
  const subtitle = say('{n:count} {n|report|reports}, {time:text}', { n: reports.length, time });
  const name = brand?.name ?? ((brand?.productMark ?? true) ? productName : null);
  const styles = `${styleSheet({ ...options, sections: [] }, say('Reports'))}${indexStyles}`;
  const hash = createHash('sha256').update(styles).digest('base64');
  const page = markup`<!DOCTYPE html>
<html lang="${language.code}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${[say('Reports'), name].filter((part) => part !== null).join(' · ')}</title>
<style>${trusted(styles)}</style>
</head>
<body class="index" data-site="${options.site}">
<div class="page">
<header>
${name !== null && markup`<p class="brand"><span class="mark"></span><bdi>${name}</bdi></p>\n`}<h1>${say('Reports')}</h1>
<p class="period">${subtitle}</p>
${waiting > 0 && markup`<p class="bad">${say('{n:count} {n|delivery waits or has failed|deliveries wait or have failed}: see postledger deliver list', { n: waiting })}</p>\n`}</header>
<main>
${groupsOf(reports, options).map((group, index) => groupMarkup(group, index, formatter, calendar))}</main>
</div>
</body>
</html>
`;
  return page.toString();
}

type Group = readonly [IndexedReport, ...IndexedReport[]];

/** Those on the readings, those of each client, by its name, and those for none; each by period, the newest first, and title. */
function groupsOf(reports: readonly IndexedReport[], { language, locale }: IndexOptions): Group[] {
  const { compare } = new Intl.Collator([language.code, locale]);
  const groups = new Map<string, [IndexedReport, ...IndexedReport[]]>();
  const nameOf = ({ client, is_of_readings: isOfReadings }: IndexedReport) =>
    client === null ? (isOfReadings ? '0' : '2') : `1${client.name}`;
  const last = ({ from, to }: IndexedReport) => `${to ?? '9'} ${from ?? ''}`;
  const byTime = (a: IndexedReport, b: IndexedReport) =>
    compare(last(b), last(a)) || compare(a.title, b.title);
  for (const report of [...reports].sort(byTime)) {
    const group = groups.get(nameOf(report));
    if (group) group.push(report);
    else groups.set(nameOf(report), [report]);
  }
  return [...groups.values()].sort(([a], [b]) => compare(nameOf(a), nameOf(b)));
}

function groupMarkup(
  group: Group,
  index: number,
  formatter: Formatter,
  calendar: CalendarWords,
): Markup {
  const { say } = formatter;
  const [{ client, is_of_readings: isOfReadings }] = group;
  const heads = [say('Report'), say('Period'), say('State'), say('Files')];
  const rows = group.map((report) => rowMarkup(report, formatter, calendar));
  return railed(
    `g${index + 1}`,
    client?.name ?? (isOfReadings ? say('Readings and runs') : say('Without a client')),
    say('{n:count} {n|report|reports}', { n: group.length }),
    markup`<table>
<thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows}</tbody>
</table>
`,
  );
}

function rowMarkup(report: IndexedReport, { say }: Formatter, calendar: CalendarWords): Markup {
  const { title, lede, language, files, error } = report;
  const [first] = files;
  const name = first
    ? markup`<a href="${first.href}"><bdi>${title}</bdi></a>`
    : markup`<bdi>${title}</bdi>`;
  const links = files.map(
    ({ format, href }, index) =>
      markup`${index > 0 && ' · '}<a href="${href}">${format.toUpperCase()}</a>`,
  );
  return markup`<tr><th scope="row" lang="${language}">${name}${lede !== null && markup`<small>${lede}</small>`}</th><td>${calendar.periodName(report)}</td><td>${statesOf(report, say)}${error !== null && markup`<small lang="en"><bdi>${error}</bdi></small>`}</td><td>${links}</td></tr>
`;
}

/** A line for each recipient, after what is wrong with the report itself. */
function statesOf(
  { is_incomplete: isIncomplete, error, deliveries }: IndexedReport,
  say: Formatter['say'],
): Markup[] {
  const waitsForDays = deliveries.some(({ state }) => state === 'days');
  const own = [
    ...(error === null ? [] : [markup`<p class="bad">${say('Failed')}</p>`]),
    ...(isIncomplete && !waitsForDays ? [markup`<p class="bad">${say('Incomplete')}</p>`] : []),
  ];
  const sent = deliveries.map(({ state, to }) => {
    const isBad = ['days', 'recipient', 'failed', 'unknown'].includes(state);
    return markup`<p${isBad && markup` class="bad"`}>${stateWords(say)[state]} <bdi>${to}</bdi></p>`;
  });
  const all = [...own, ...sent];
  return all.length > 0 ? all : [markup`<p>${say('Written')}</p>`];
}

function stateWords(say: Formatter['say']) {
  return {
    sent: say('Sent to'),
    queued: say('Not sent yet:'),
    approval: say('Waits for approval:'),
    comment: say('Waits for its comment:'),
    days: say('Waits for missing days:'),
    recipient: say('No longer a recipient:'),
    failed: say('Refused:'),
    unknown: say('May not have arrived:'),
    discarded: say('Not sent:'),
  };
}
