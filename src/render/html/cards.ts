import type { ReportCard } from '../../report/report-document.ts';
import { maxIndex } from 'd3-array';
import { changeMarkup, compareWithPrevious } from './change.ts';
import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';
import { cardSpark, sparkline } from './sparkline.ts';

/** More than six no longer stand in one row. */
const maxCards = 6;

export function cardsMarkup(context: PageContext): Markup | null {
  const cards = context.document.cards.slice(0, maxCards);
  if (cards.length === 0) return null;
  return markup`<ul class="cards" aria-label="Key figures">
${cards.map((card) => cardMarkup(card, context))}</ul>
`;
}

function cardMarkup(card: ReportCard, context: PageContext): Markup {
  const { formatter, document } = context;
  const change = document.previousPeriod ? compareWithPrevious(card, formatter) : null;
  return markup`<li><p class="label">${card.label}</p><p class="${card.value === null ? 'value null' : 'value'}">${cardValue(card, context)}</p>${change && changeMarkup(change)}${previousMarkup(card, context)}${card.note !== null && markup`<p class="doubt">${card.note}</p>`}${sparkline(card.trend, trendLabel(card, context), cardSpark)}</li>
`;
}

/** A CPM is money, and the largest figures of the page name their currency. */
function cardValue({ value, format }: ReportCard, { formatter }: PageContext): string {
  return formatter.format(value, format === 'cpm' ? 'money_exact' : format);
}

function previousMarkup(card: ReportCard, context: PageContext): Markup | null {
  const { previousPeriod } = context.document;
  if (!previousPeriod) return null;
  const name = context.words.periodName(previousPeriod);
  // The days themselves stand once above, under "Compared with".
  const words = name === null ? 'before' : `in ${name}`;
  const value =
    card.previous === null ? 'no figure' : cardValue({ ...card, value: card.previous }, context);
  return markup`<p class="previous">${value} ${words}</p>`;
}

function trendLabel(card: ReportCard, context: PageContext): string {
  const peak = maxIndex(card.trend, (value) => value ?? Number.NEGATIVE_INFINITY);
  const value = cardValue({ ...card, value: card.trend[peak] ?? null }, context);
  const month = monthAfter(context.document.period.from, peak);
  const when = month === null ? '' : ` in ${context.formatter.format(month, 'month')}`;
  return `${card.label} by month, highest${when}: ${value}`;
}

function monthAfter(from: string | null, count: number): string | null {
  if (from === null) return null;
  const [year, month] = from.split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, (month ?? 1) - 1 + count, 1)).toISOString().slice(0, 10);
}
