import { addDays } from '../../../core/calendar.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { youngHatch } from './hatch.ts';

export interface KeyParts {
  readonly hasPrevious: boolean;
  readonly hasYoung: boolean;
  /** How values of the period are drawn. */
  readonly mark: 'bar' | 'line';
  /** Spans of the chart's own. */
  readonly extras: readonly (Markup | null)[];
  /** The id of the key's hatch. */
  readonly hatch: string;
}

/** The names of the period and of the one before it: by their year, their months or their days. */
export function periodNames({ document, words, formatter }: PageContext): {
  readonly now: string;
  readonly previous: string | null;
} {
  const { period, previousPeriod } = document;
  const nameOf = (each: typeof period) =>
    words.periodName(each) ?? monthsName(each, formatter) ?? words.period(each, 'short');
  return { now: nameOf(period), previous: previousPeriod && nameOf(previousPeriod) };
}

/** `Nov 2024 to Oct 2025`, for whole months. */
function monthsName(
  { from, to }: PageContext['document']['period'],
  formatter: PageContext['formatter'],
): string | null {
  if (from === null || to === null || !from.endsWith('-01')) return null;
  if (!addDays(to, 1).endsWith('-01')) return null;
  return `${formatter.format(from, 'month')} to ${formatter.format(to, 'month')}`;
}

/** A key only for what cannot be named on its mark: previous period, not final, a unit left out. */
export function periodKey(
  { hasPrevious, hasYoung, mark, extras, hatch }: KeyParts,
  context: PageContext,
): Markup | null {
  const { now, previous } = periodNames(context);
  const showsPrevious = hasPrevious && previous !== null;
  if (!showsPrevious && !hasYoung && extras.every((extra) => extra === null)) return null;
  const before =
    showsPrevious &&
    markup`<span>${marksBefore[mark]}${previous}</span><span>${swatches[mark]}${now}</span>`;
  const young =
    hasYoung &&
    markup`<span><svg width="10" height="12" aria-hidden="true">${youngHatch(hatch)}<path class="young" fill="url(#${hatch})" d="M.5.5h9v11h-9z"/></svg>${showsPrevious && `${now}, `}not final</span>`;
  return markup`<p class="key">${before}${young}${extras}</p>
`;
}

const marksBefore = {
  bar: markup`<svg width="24" height="12" aria-hidden="true"><path class="tick" d="M0 6H24"/></svg>`,
  line: markup`<svg width="24" height="12" aria-hidden="true"><path class="line before" d="M0 6H24"/></svg>`,
} as const;

const swatches = {
  bar: markup`<svg width="10" height="12" aria-hidden="true"><path class="bar" d="M0 0H10V12H0z"/></svg>`,
  line: markup`<svg width="24" height="12" aria-hidden="true"><path class="line c1" d="M0 6H24"/></svg>`,
} as const;
