import type { Formatter } from '../languages/number-format.ts';
import type { Cell, ReportColumn, ReportSection } from '../report/report-document.ts';
import type { CalendarWords } from './calendar-words.ts';
import { shorten } from './html/plain-text.ts';

/** How a post leads its row in a list of posts. */
export interface ShownPost {
  /** Its text, or else its title; a phrase where it has neither. */
  readonly text: string;
  /** Its title where that is not its text; null without one. */
  readonly title: string | null;
  /** Its address as it was read, which may be no link. */
  readonly url: string | null;
  /** The day of its publication in the report's time zone; null where that is not known. */
  readonly day: string | null;
  /** What it is the best by, its profile and type, its campaign and labels. */
  readonly names: readonly string[];
  /** What is said about it: that it was removed, or is not final. */
  readonly remarks: readonly string[];
}

/** The columns that make up the lead of a row; they have the same names in every report. */
const leadNames = [
  'rank',
  'best_by',
  'commentary',
  'title',
  'url',
  'published_at',
  'profile',
  'type',
  'campaign',
  'labels',
  'is_removed',
  'is_young',
];

/** Tells whether a column of posts stands beside the lead of their rows. */
export function isBesideLead({ name, isInHtml }: ReportColumn): boolean {
  return isInHtml && !leadNames.includes(name);
}

/** A name of any length may come from outside; the line below a post is for a glance. */
const maxNameCharacters = 80;

interface PostWords {
  readonly calendar: CalendarWords;
  readonly say: Formatter['say'];
  readonly withYear: boolean;
}

/** Reads the posts of a section from its rows. */
export function createPostReader(
  { columns }: ReportSection,
  { calendar, say, withYear }: PostWords,
): (row: readonly Cell[]) => ShownPost {
  const indexes = new Map(columns.map(({ name }, index) => [name, index]));
  const bestBy = columns[indexes.get('best_by') ?? -1];
  const remarks = [
    { name: 'is_removed', word: say('removed') },
    { name: 'is_young', word: say('not final') },
  ].filter(({ name }) => columns[indexes.get(name) ?? -1]?.isInHtml);
  return (row) => {
    const read = (name: string) => row[indexes.get(name) ?? -1] ?? null;
    const textOf = (name: string) => {
      const cell = read(name);
      return typeof cell === 'string' && cell.trim() !== '' ? cell : null;
    };
    const [text, title] = [textOf('commentary'), textOf('title')];
    const published = textOf('published_at');
    const labels = read('labels');
    const best = textOf('best_by');
    const names = [
      best !== null && bestBy?.isInHtml === true ? `${bestBy.title} ${best}` : null,
      ...['profile', 'type', 'campaign'].map(textOf),
      labelWords(labels),
    ];
    return {
      text: text ?? title ?? say('Post without text'),
      title: text === null ? null : title,
      url: textOf('url'),
      day: published === null ? null : calendar.postDay(published, { withYear }),
      names: names.flatMap((name) => (name === null ? [] : shorten(name, maxNameCharacters))),
      remarks: remarks.flatMap(({ name, word }) => (read(name) === true ? word : [])),
    };
  };
}

function labelWords(labels: Cell): string | null {
  return Array.isArray(labels) && labels.length > 0 ? labels.join(', ') : null;
}
