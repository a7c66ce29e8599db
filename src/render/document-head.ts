import {
  type Cell,
  type ColumnFormat,
  type Formatter,
  createFormatter,
} from '../languages/number-format.ts';
import type { Language } from '../languages/phrases.ts';
import {
  changesInPoints,
  isFromLittle,
  type NewestRun,
  type ReportCard,
  type ReportDocument,
  type ReportSection,
} from '../report/report-document.ts';
import { type CalendarWords, createCalendarWords, isYearOrMonth } from './calendar-words.ts';

/** The head of a report in words: every format prints these and adds only its own markup. */
export type DocumentHead = ReturnType<typeof createDocumentHead>;

export interface HeadCard {
  readonly label: string;
  readonly value: string;
  /** The posts that a ratio is over; null where these are all. */
  readonly basis: string | null;
  /** Null in a report that compares nothing. */
  readonly change: Change | null;
  /** `€47,748 in 2024`, or `€28,173` and `(May to Jul 2025)` for one line or two; empty when nothing is compared. */
  readonly previous: readonly string[];
  readonly note: string | null;
  readonly figures: ReportCard;
}

/** The change of a figure since the previous period: a percentage, or points for rates. */
export interface Change {
  readonly kind: 'up' | 'down' | 'new' | 'same' | 'unknown';
  /** `34.5%`, `1.0 pp`, `was €23`, `new`, `unchanged`, `–`. */
  readonly text: string;
}

/**
 * @param formatter for formats that write times or figures in their own way
 * @param others the documents whose first sentences stand below the head
 */
export function createDocumentHead(
  document: ReportDocument,
  formatter: Formatter = createFormatter(document),
  others: readonly ReportDocument[] = [],
) {
  const { title, brand, period, previousPeriod, headline, lede, cards, dataAsOf } = document;
  const calendar = createCalendarWords(document);
  const isCompared = previousPeriod !== null && cards.some(({ previous }) => previous !== null);
  return {
    title,
    /** The name of the client or brand; null when there is none. */
    brand: brand?.name ?? null,
    /** The name of the program; null when the brand does not want it to appear. */
    product: (brand?.productMark ?? true) ? productName : null,
    /** A sentence about days that were not read; null when all of them were. */
    headline,
    /** The short name of the period: `2025`, `Nov 2025`, `1 Jan to 7 Jan 2026`, `All dates`. */
    period: calendar.periodName(period),
    /** The short name of the period that figures are compared with; null when nothing is compared. */
    previousPeriod: previousPeriod && calendar.periodName(previousPeriod),
    /** The network, the period in full and the filters, in this order. */
    scope: ['LinkedIn', calendar.period(period), ...document.filters],
    /** The first sentences in parts, one of which may be emphasized; empty when the report has none. */
    lede: lede === null ? [] : textRuns(lede),
    cards: cards.map((card) =>
      headCard(card, isCompared ? previousPeriod : null, calendar, formatter),
    ),
    /** What the figures of the head and of the others' first sentences are; empty where none needs it. */
    terms: termsOf(document, others),
    /** Set when at least one card has a figure of the previous period. */
    isCompared,
    facts: factsOf(document, calendar, formatter),
    /** One phrase for each thing that the figures include or leave out, and then the caveats. */
    coverage: [...document.coverage, ...document.caveats],
    /** `Data as of 4 January 2026, 06:00`, or `No data yet`. */
    dataAsOf:
      dataAsOf === null
        ? formatter.say('No data yet')
        : formatter.say('Data as of {time:text}', { time: timeWords(dataAsOf, formatter) }),
    /** The newest run that the data come from, and the hash of the SQL. */
    source: sourceWords(document.stamp, formatter),
  };
}

/** Each figure is explained once, as the first document does that has it. */
function termsOf({ terms = [] }: ReportDocument, others: readonly ReportDocument[]): string[] {
  const ofOthers = others.flatMap(({ lede, cards, terms: own = [] }) => {
    const leading = cards.find(({ value }) => value !== null)?.figure;
    return own.filter(({ figure }) => lede === null || figure === leading);
  });
  const all = [...terms, ...ofOthers];
  const first = ({ figure }: (typeof all)[number]) => all.find((term) => term.figure === figure);
  return all.filter((term) => first(term) === term).map(({ text }) => text);
}

export const productName = 'postledger';

/** The facts in one line, for formats without a layout for them. */
export function factsLine({ facts }: DocumentHead): string {
  return facts.map(({ term, text }) => `${term}: ${text}`).join(' · ');
}

/** The heading of a section is its finding, or else the first sentence of its description; the line below has the rest. */
export function headingOf({
  finding,
  description,
}: Pick<ReportSection, 'finding' | 'description'>): readonly [heading: string, line: string] {
  if (finding !== null) return [finding, description];
  const end = description.search(/\.(?:\s|$)/u);
  return end < 0
    ? [description, '']
    : [description.slice(0, end), description.slice(end + 1).trim()];
}

/** `▲ 34.5%`, `new`. */
export function changeWords({ kind, text }: Change): string {
  const arrow = changeArrow(kind);
  return arrow === null ? text : `${arrow} ${text}`;
}

/** Null for a change without a direction. */
export function changeArrow(kind: Change['kind']): string | null {
  if (kind === 'up') return '▲';
  return kind === 'down' ? '▼' : null;
}

/** The text between the first two `**` is emphasized; any further asterisks are text. */
function textRuns(text: string) {
  const [, before = text, strong = '', after = ''] = /^(.*?)\*\*(.+?)\*\*(.*)$/su.exec(text) ?? [];
  const runs = [
    { text: before, isStrong: false },
    { text: strong, isStrong: true },
    { text: after, isStrong: false },
  ];
  return runs.filter((run) => run.text !== '');
}

function factsOf(document: ReportDocument, calendar: CalendarWords, formatter: Formatter) {
  const { profiles, previousPeriod, isAtEqualAge, timezone, currency, language, dataAsOf } =
    document;
  const { say } = formatter;
  const compared = () => {
    if (previousPeriod === null) return [];
    const period = calendar.periodName(previousPeriod);
    const text = isAtEqualAge ? say('{period:text}, at equal age', { period }) : period;
    return [{ term: say('Compared with'), text }];
  };
  const asOf = dataAsOf === null ? say('No data yet') : timeWords(dataAsOf, formatter);
  const preparedBy = document.brand?.preparedBy;
  return [
    { term: say('Profiles'), text: profileWords(profiles, formatter) },
    ...compared(),
    { term: say('Time zone'), text: timezone },
    { term: say('Currency'), text: currencyWords(currency, language) },
    { term: say('Data as of'), text: asOf },
    ...(preparedBy === undefined ? [] : [{ term: say('Prepared by'), text: preparedBy }]),
  ];
}

/** More names would make the head of a page long; the sections list them all. */
const maxProfileNames = 5;

function profileWords(profiles: readonly string[], { say }: Formatter): string {
  if (profiles.length === 0) return say('none');
  const names = profiles.slice(0, maxProfileNames).join(', ');
  const more = profiles.length - maxProfileNames;
  return more > 0 ? say('{profiles:text} and {more:count} more', { profiles: names, more }) : names;
}

function currencyWords(currency: string, language: Language): string {
  const name = new Intl.DisplayNames(language.code, { type: 'currency' }).of(currency);
  return name === undefined || name === currency ? currency : `${name} (${currency})`;
}

function timeWords(time: string, formatter: Formatter): string {
  return formatter.format(time, 'datetime', { prose: true });
}

function sourceWords({ run, sqlHash }: ReportDocument['stamp'], formatter: Formatter): string[] {
  return [...(run === null ? [] : [runWords(run, formatter)]), `SQL ${sqlHash}`];
}

function runWords({ runId: run, job, finishedAt }: NewestRun, formatter: Formatter): string {
  const { say } = formatter;
  if (finishedAt === null) return say('Run {run:text} ({job:text}), not finished', { run, job });
  const time = timeWords(finishedAt, formatter);
  return say('Run {run:text} ({job:text}), finished {time:text}', { run, job, time });
}

function headCard(
  card: ReportCard,
  comparedWith: ReportDocument['previousPeriod'],
  calendar: CalendarWords,
  formatter: Formatter,
): HeadCard {
  const { label, value, format, basis, note } = card;
  const words = { label, value: cardFigure(value, format, formatter), basis, note, figures: card };
  if (comparedWith === null) return { ...words, change: null, previous: [] };
  const previous = previousWords(card, comparedWith, calendar, formatter);
  return { ...words, change: changeOf(card, formatter), previous };
}

function previousWords(
  { previous, format }: ReportCard,
  period: ReportDocument['period'],
  calendar: CalendarWords,
  formatter: Formatter,
): string[] {
  const { say } = formatter;
  const value = previous === null ? say('no figure') : cardFigure(previous, format, formatter);
  const when = calendar.periodName(period);
  return isYearOrMonth(period)
    ? [say('{value:text} in {when:text}', { value, when })]
    : [value, `(${when})`];
}

/** A CPM is money, and the largest figures of a report name their currency. */
export function cardFigure(cell: Cell, format: ColumnFormat, formatter: Formatter): string {
  return formatter.format(cell, format === 'cpm' ? 'money_exact' : format, { small: true });
}

/** A figure below 0 has no change: a percentage of it would mean nothing. */
function changeOf({ value, previous, format }: ReportCard, formatter: Formatter): Change {
  const [now, before] = [figureOf(value), figureOf(previous)];
  if (now === null || before === null || before < 0) return { kind: 'unknown', text: '–' };
  const inPoints = changesInPoints(format);
  if (before === 0 && now > 0 && !inPoints) return { kind: 'new', text: formatter.say('new') };
  const change = inPoints ? now - before : now / before - 1;
  if (now === before || roundsToZero(change))
    return { kind: 'same', text: formatter.say('unchanged') };
  const kind = change > 0 ? 'up' : 'down';
  if (!inPoints && isFromLittle(now, before))
    return { kind, text: fromWords(cardFigure(previous, format, formatter), formatter) };
  const text = formatter.format(Math.abs(change), inPoints ? 'pp' : 'change').replace(/^\+/u, '');
  return { kind, text };
}

/** `was €23`, in place of a change that would say less. */
export function fromWords(base: string, { say }: Pick<Formatter, 'say'>): string {
  return say('was {base:text}', { base });
}

/** A change that is printed as 0.0 has no direction. */
export function roundsToZero(change: number): boolean {
  return Math.abs(change) < 0.0005;
}

/** The number in a cell; null in a cell without one. */
export function figureOf(cell: Cell): number | null {
  return typeof cell === 'number' || typeof cell === 'bigint' ? Number(cell) : null;
}
