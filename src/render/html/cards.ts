import type { ReportCard } from '../../report/report-document.ts';
import { maxIndex } from 'd3-array';
import { periodNames } from './charts/figure.ts';
import { figureMarkup } from './cell.ts';
import { changeMarkup, compareWithPrevious } from './change.ts';
import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';
import { cleanAttribute } from './plain-text.ts';
import { cardSpark, sparkline } from './sparkline.ts';
import { textWidth } from './text-width.ts';

/** More than six do not fit into one row. */
const maxCards = 6;

export function cardsMarkup(context: PageContext): Markup | null {
  const cards = context.document.cards.slice(0, maxCards);
  if (cards.length === 0) return null;
  // Where no card has a figure from before, a line on each that says so is noise.
  const isCompared =
    context.document.previousPeriod !== null && cards.some(({ previous }) => previous !== null);
  return markup`<ul class="cards" aria-label="${cleanAttribute(context.say('Key figures'))}">
${cards.map((card) => cardMarkup(card, isCompared, context))}</ul>
`;
}

function cardMarkup(card: ReportCard, isCompared: boolean, context: PageContext): Markup {
  const change = isCompared ? compareWithPrevious(card, context.formatter) : null;
  return markup`<li><p class="label">${card.label}</p>${valueMarkup(card, context)}${change && changeMarkup(change, context.formatter)}${isCompared && previousMarkup(card, context)}${card.note !== null && noteMarkup(card.note, context)}${sparkline(card.trend, trendLabel(card, context), cardSpark)}</li>
`;
}

/** Wider ones, in px of text at 13, do not fit beside five others in full size. */
const maxFullSizeWidth = 80;

function valueMarkup(card: ReportCard, context: PageContext): Markup {
  const text = cardValue(card, context);
  const kind = card.value === null ? ' null' : textWidth(text) > maxFullSizeWidth ? ' long' : '';
  return markup`<p class="value${kind}">${figureMarkup(text)}</p>`;
}

/** A CPM is money, and the largest figures of the page name their currency. */
function cardValue({ value, format }: ReportCard, { formatter }: PageContext): string {
  return formatter.format(value, format === 'cpm' ? 'money_exact' : format);
}

/** What the figure was, and when: in a year or a month by its name, else between its ends. */
function previousMarkup(card: ReportCard, context: PageContext): Markup | null {
  const { say } = context;
  const { previousPeriod } = context.document;
  const { previous: when } = periodNames(context);
  if (!previousPeriod || when === null) return null;
  const isNamed = context.words.periodName(previousPeriod) !== null;
  if (card.previous === null) {
    const words = isNamed ? say('no figure in {when:text}', { when }) : say('no figure before');
    return markup`<p class="previous">${words}</p>`;
  }
  const value = cardValue({ ...card, value: card.previous }, context);
  if (isNamed)
    return markup`<p class="previous">${say('{value:text} in {when:text}', { value, when })}</p>`;
  return markup`<p class="previous">${value} <span>${when}</span></p>`;
}

/** A doubt of the figure stands out; what else is to be said of it does not. */
function noteMarkup(note: string, { say }: PageContext): Markup {
  const isDoubt = note.toLowerCase().includes(say('not final').toLowerCase());
  return markup`<p class="${isDoubt ? 'doubt' : 'previous'}">${note}</p>`;
}

function trendLabel(card: ReportCard, context: PageContext): string {
  const peak = maxIndex(card.trend, (value) => value ?? Number.NEGATIVE_INFINITY);
  const value = cardValue({ ...card, value: card.trend[peak] ?? null }, context);
  const month = monthAfter(context.document.period.from, peak);
  const { label } = card;
  return month === null
    ? context.say('{label:text} by month, highest: {value:text}', { label, value })
    : context.say('{label:text} by month, highest in {month:month}: {value:text}', { label, value, month }); // prettier-ignore
}

function monthAfter(from: string | null, count: number): string | null {
  if (from === null) return null;
  const [year, month] = from.split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, (month ?? 1) - 1 + count, 1)).toISOString().slice(0, 10);
}
