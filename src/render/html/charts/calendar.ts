import { max, min, range } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { ChartSpec } from '../../../report/report-document.ts';
import { timePosition } from '../../chart-axis.ts';
import { markup, type Markup } from '../markup.ts';
import { cutToWidth, textWidth } from '../text-width.ts';
import { axisLabels, axisTexts } from './axes.ts';
import {
  type Chart,
  type ChartScope,
  type Drawing,
  type Frame,
  leftOutNotes,
  swatch,
} from './figure.ts';
import { bars, type Box, hatch, type Rule, rules, text } from './marks.ts';

type CalendarSpec = Extract<ChartSpec, { kind: 'calendar' }>;

/** The looks of levels 0 to 3, which differ in shape as well: empty, hatched, of half the height, and full. */
const looks = ['frame missing', 'missing', 's2', 's4'] as const;
const [hatched, half] = [1, 2];

/** The last 13 weeks are drawn, of the first names; the table has all. */
const [maxDays, maxNames] = [91, 60];
const cellHeight = 16;

/** A row for each name with a cell for each day; null when there are none. */
export function calendarChart(spec: CalendarSpec, { rows, context, id }: ChartScope): Chart | null {
  const all = rows.map((row) => ({
    name: row.text(spec.row),
    state: row.text(spec.part),
    level: row.number(spec.level) ?? 0,
    from: timePosition(row.cell(spec.x), 'day') ?? 0,
    /** The day after its last. */
    end: (timePosition(row.cell(spec.to), 'day') ?? 0) + 1,
  }));
  const end = max(all, (stretch) => stretch.end) ?? 0;
  const earliest = min(all, ({ from }) => from) ?? 0;
  const first = Math.max(end - maxDays, earliest);
  const allNames = [...new Set(all.map(({ name }) => name))];
  const names = allNames.slice(0, maxNames);
  const shown = all.filter((stretch) => stretch.end > first && names.includes(stretch.name));
  const states = new Map(shown.map(({ level, state }) => [level, state]));
  const draw = ({ width, isNarrow, id: prefix }: Frame): Drawing => {
    const words = names.map((name) => cutToWidth(name, isNarrow ? width : width * 0.3));
    const left = isNarrow ? 0 : (max(words, textWidth) ?? 0) + 14;
    const [rise, above] = isNarrow ? [40, 18] : [24, 0];
    const x = scaleLinear([first, end], [left + 0.5, width - 0.5]);
    const bottom = names.length * rise;
    const boxes = shown.map(({ name, level, from, end: until }) => {
      const start = x(Math.max(first, from));
      const top = names.indexOf(name) * rise + above;
      return { level, box: { left: start, top, width: x(until) - start, height: cellHeight } };
    });
    // lines in the colour of the page divide all rows into days
    const cuts = range(first + 1, end).map((day): Rule => [x(day), 0, x(day), bottom]);
    const categories = range(first, end).map((position) => ({ position }));
    const days = { kind: 'day', format: 'date', categories, step: 1 } as const;
    const labels = axisLabels(days, x, context);
    const axis = axisTexts(labels, x, { bottom, right: width });
    const titles = words.map((name, row) => text(0, row * rise + 12.5, name, 'low bidi'));
    return {
      height: axis.height,
      marks: markup`${cells(boxes, prefix)}${rules(cuts, 'cut')}${titles}${axis.marks}`,
    };
  };
  const box = { left: 0.5, top: 0.5, width: 19, height: 11 };
  const key = [3, 2, 1, 0].map((level) => {
    const mark = swatch(20, cells([{ level, box }], `${id}-${level}`));
    const words = states.get(level);
    return words === undefined ? null : { mark, words };
  });
  const notes = leftOutNotes(names.length, allNames.length, context);
  if (earliest < first) notes.push(context.say('The last 13 weeks are drawn.'));
  return shown.length === 0 ? null : { key, draw, showsAllValues: false, notes };
}

function cells(
  boxes: readonly { readonly level: number; readonly box: Box }[],
  id: string,
): Markup {
  const lower = (box: Box) => ({ ...box, top: box.top + box.height / 2, height: box.height / 2 });
  const pattern = `${id}-hatch`;
  const drawn = looks.map((look, at) => {
    const own = boxes.filter(({ level }) => level === at).map(({ box }) => box);
    return bars(at === half ? own.map(lower) : own, look, at === hatched ? pattern : undefined);
  });
  return markup`${hatch(pattern, 'hatch')}${drawn}`;
}
