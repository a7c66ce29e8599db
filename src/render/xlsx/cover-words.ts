import { createFormatter } from '../../core/number-format.ts';
import type { ReportDocument } from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import type { RichText } from './string-table.ts';

/** `1 January 2025 – 31 December 2025`, and the filters. */
export function periodWords({ period, filters, covers, ...options }: ReportDocument): string {
  const { from, to } = period;
  const words = from === null && to === null ? `All ${covers}` : rangeWords({ from, to }, options);
  return [words, ...filters].join(' · ');
}

/** What the figures rest on, as labels and values. */
export function reportFacts(document: ReportDocument): [string, string][] {
  const { previousPeriod, profiles, timezone, currency, cards } = document;
  const isCompared = cards.some(({ previous }) => previous !== null);
  return [
    ['Profiles', profiles.length === 0 ? 'none' : profiles.join(', ')],
    [
      'Compared with',
      previousPeriod && isCompared ? rangeWords(previousPeriod, document) : 'nothing',
    ],
    ['Data as of', asOfWords(document)],
    ['Time zone', timezone],
    ['Currency', currencyWords(currency)],
  ];
}

/** `**bold**` marks the one figure of the lede; any further asterisks are text. */
export function ledeText(lede: string): string | RichText {
  const match = /^(?<before>.*?)\*\*(?<figure>.+?)\*\*(?<after>.*)$/su.exec(lede);
  const { before = '', figure, after = '' } = match?.groups ?? {};
  if (figure === undefined) return cellText(lede);
  const runs = [
    { text: cellText(before), isBold: false },
    { text: cellText(figure), isBold: true },
    { text: cellText(after), isBold: false },
  ];
  return { richText: runs.filter((run) => run.text !== '') };
}

interface Days {
  readonly from: string | null;
  readonly to: string | null;
}
type Options = Pick<ReportDocument, 'locale' | 'currency' | 'timezone'>;

function rangeWords({ from, to }: Days, options: Options): string {
  const formatter = createFormatter(options);
  const day = (value: string) => formatter.format(value, 'date', { prose: true });
  if (from === null) return to === null ? 'all' : `until ${day(to)}`;
  return to === null ? `from ${day(from)}` : `${day(from)} – ${day(to)}`;
}

function asOfWords(document: ReportDocument): string {
  if (document.dataAsOf === null) return 'no data yet';
  return createFormatter(document).format(document.dataAsOf, 'datetime', { prose: true });
}

function currencyWords(currency: string): string {
  const name = new Intl.DisplayNames('en', { type: 'currency' }).of(currency);
  return name === undefined || name === currency ? currency : `${name} (${currency})`;
}
