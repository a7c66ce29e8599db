import { maxIndex } from 'd3-array';
import { dayAt, timePosition } from '../chart-axis.ts';
import { type Change, type HeadCard, cardFigure, changeArrow } from '../document-head.ts';
import { figureMarkup, signedChange } from './cell.ts';
import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';
import { cleanAttribute } from './plain-text.ts';
import { cardSpark, sparkline } from './sparkline.ts';
import { textWidth } from './text-width.ts';

/** More cards than this do not fit in one row. */
const maxCards = 6;

export function cardsMarkup(context: PageContext): Markup | null {
  const cards = context.head.cards.slice(0, maxCards);
  if (cards.length === 0) return null;
  return markup`<ul class="cards" aria-label="${cleanAttribute(context.say('Key figures'))}">
${cards.map((card) => cardMarkup(card, context))}</ul>
${termsMarkup(context)}`;
}

/** What the key figures are, in one line. */
export function termsMarkup({ head: { terms } }: PageContext): Markup | null {
  if (terms.length === 0) return null;
  return markup`<p class="note">${terms.join(' · ')}</p>
`;
}

function cardMarkup(card: HeadCard, context: PageContext): Markup {
  const { label, basis, change, previous, note, figures } = card;
  const parts = [
    markup`<p class="label">${label}</p>`,
    valueMarkup(card),
    basis !== null && markup`<p class="previous">${basis}</p>`,
    change && changeMarkup(change, context),
    previous.length > 0 && previousMarkup(previous),
    note !== null && noteMarkup(note, context),
    sparkline(figures.trend, trendLabel(card, context), cardSpark),
  ];
  return markup`<li>${parts}</li>
`;
}

/** Wider figures are set smaller, so that six cards fit in one row; in px of text at 13 px. */
const maxFullSizeWidth = 80;

function valueMarkup({ value, figures }: HeadCard): Markup {
  const long = textWidth(value) > maxFullSizeWidth ? ' long' : '';
  const kind = figures.value === null ? ' null' : long;
  return markup`<p class="value${kind}">${figureMarkup(value)}</p>`;
}

function changeMarkup(change: Change, context: PageContext): Markup {
  const kind = changeArrow(change.kind) === null ? '' : ` ${change.kind}`;
  return markup`<p class="change${kind}">${signedChange(change, context)}</p>`;
}

function previousMarkup([figure = '', when]: HeadCard['previous']): Markup {
  return markup`<p class="previous">${figure}${when !== undefined && markup` <span>${when}</span>`}</p>`;
}

/** A note that casts doubt on the figure stands out; other notes do not. */
function noteMarkup(note: string, { say }: PageContext): Markup {
  const isDoubt = note.toLowerCase().includes(say('not final').toLowerCase());
  return markup`<p class="${isDoubt ? 'doubt' : 'previous'}">${note}</p>`;
}

function trendLabel({ label, figures: { trend, format } }: HeadCard, context: PageContext): string {
  const { document, formatter, say } = context;
  const peak = maxIndex(trend, (value) => value ?? Number.NEGATIVE_INFINITY);
  const value = cardFigure(trend[peak] ?? null, format, formatter);
  const { from } = document.period;
  if (from === null) return say('{label:text} by month, highest: {value:text}', { label, value });
  const month = dayAt((timePosition(from, 'month') ?? 0) + peak, 'month');
  return say('{label:text} by month, highest in {month:month}: {value:text}', {
    label,
    value,
    month,
  });
}
