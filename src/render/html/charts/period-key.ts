import { addDays } from '../../../core/calendar.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { bars, hatch, rules, swatch } from './marks.ts';

type Period = PageContext['document']['period'];

/** The names of the period and of the one before it: by their year, their months or their days. */
export function periodNames({ document, words, formatter }: PageContext): {
  readonly now: string;
  readonly previous: string | null;
} {
  const { period, previousPeriod } = document;
  /** `Nov 2024 to Oct 2025`, for whole months. */
  const monthsName = ({ from, to }: Period) => {
    const isWhole = from?.endsWith('-01') === true && to !== null && addDays(to, 1).endsWith('-01');
    return isWhole
      ? `${formatter.format(from, 'month')} to ${formatter.format(to, 'month')}`
      : null;
  };
  const nameOf = (each: Period) =>
    words.periodName(each) ?? monthsName(each) ?? words.period(each, 'short');
  return { now: nameOf(period), previous: previousPeriod && nameOf(previousPeriod) };
}

/** A key for what cannot be named on its mark: the previous period, and what is not final. */
export function periodKey(
  {
    hasPrevious,
    hasYoung = false,
    mark = 'bar',
    extra = null,
    id,
  }: {
    readonly hasPrevious: boolean;
    readonly hasYoung?: boolean;
    readonly mark?: 'bar' | 'line';
    /** Words of the chart's own. */
    readonly extra?: string | null;
    readonly id: string;
  },
  context: PageContext,
): Markup | null {
  const { now, previous } = periodNames(context);
  const showsPrevious = hasPrevious && previous !== null;
  if (!showsPrevious && !hasYoung && extra === null) return null;
  const box = { left: 0.5, top: 0.5, width: 9, height: 11 };
  const before = rules([[0, 6, 24, 6]], mark === 'bar' ? 'tick' : 'line before');
  const own =
    mark === 'bar' ? swatch(10, bars([box], 'bar')) : swatch(24, rules([[0, 6, 24, 6]], 'line c1'));
  const young = markup`${hatch(`${id}-key`, 'young')}${bars([box], 'young', `${id}-key`)}`;
  return markup`<p class="key">${showsPrevious && markup`<span>${swatch(24, before)}${previous}</span><span>${own}${now}</span>`}${hasYoung && markup`<span>${swatch(10, young)}${showsPrevious && `${now}, `}not final</span>`}${extra !== null && markup`<span>${extra}</span>`}</p>
`;
}
