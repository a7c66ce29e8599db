import type { YamlProblem } from './definition-file.ts';
import type {
  Dimension,
  Figure,
  SectionDefinition,
  SharedFile,
  WrittenSection,
} from './definition-schema.ts';
import {
  type Grouped,
  type ShownFigure,
  groupedSection,
  chartOf,
  mergedColumns,
  ownSection,
} from './grouped-section.ts';
import { sqlOf } from './grouped-sql.ts';

/** A report of which each section has its SQL, whether that is a file or follows from a dimension. */
export interface WrittenOut {
  readonly sections: readonly SectionDefinition[];
  /** The SQL that follows, by the name of the file that it stands for. */
  readonly sql: ReadonlyMap<string, string>;
  readonly problems: readonly YamlProblem[];
}

/** The dimensions that `by: time` chooses from. */
const grains = ['week', 'month', 'quarter'] as const;

/**
 * Writes out the sections of report.yaml that are `by` a dimension: their titles, keys and charts, and the SQL of their
 * rows, sentences, notes and bases, and of what the report's sections share.
 * @param leading the figure that the document leads with, where that is not the report's own
 */
export function writeOut(
  file: Grouped['file'],
  shared: SharedFile,
  leading = file.figure,
): WrittenOut {
  const dimensions = byName<Dimension>(shared.dimensions);
  const figures = byName<Figure>(shared.figures);
  const problems: YamlProblem[] = [];
  const find = <Found>(
    known: ReadonlyMap<string, Found>,
    name: string | null,
    keyPath: YamlProblem['keyPath'],
  ): Found | null => {
    const found = name === null ? undefined : known.get(name);
    if (found === undefined && name !== null) {
      const message = `${name} is not one of ${[...known.keys()].join(', ')}`;
      problems.push({ keyPath, message });
    }
    return found ?? null;
  };
  const main =
    file.groups === null ? find(figures, file.figure, ['figure']) : ownFigure(file, figures);
  const other = leading === file.figure ? null : find(figures, leading, ['figure']);
  const led = main && (other === null ? main : { ...other, scope: main.scope });
  const groups: Grouped[] = [];
  const sections = file.sections
    .map((written) => withShared(written, shared.sections))
    .flatMap((written, index): SectionDefinition[] => {
      const { by } = written;
      const at = ['sections', index];
      if (by === undefined) {
        for (const key of ['title', 'description'] as const) {
          const message = `missing; only a section \`by\` a dimension, or one of ${Object.keys(shared.sections).join(', ')}, can do without`;
          if (written[key] === undefined) problems.push({ keyPath: [...at, key], message });
        }
        return [{ ...ownSection(written, index), figure: led?.title ?? null }];
      }
      const figure = written.figure ? find(figures, written.figure, [...at, 'figure']) : main;
      if (figure === null) {
        if (!written.figure && file.figure === null)
          problems.push({
            keyPath: [...at, 'by'],
            message: 'the report has no `figure`; name one',
          });
        return [];
      }
      const names = Array.isArray(by) ? by : [by];
      const found = (names.includes('time') ? grains : [null]).flatMap((grain): Grouped[] => {
        const own = names.map((name) =>
          find(dimensions, name === 'time' ? grain : name, [...at, 'by']),
        );
        const known = own.filter((dimension) => dimension !== null);
        if (known.length < own.length) return [];
        const plain = { file, written, index, dimensions: known, figure, isOverYear: false };
        const grouped = { ...plain, led: figure === main && led !== null ? led : figure };
        if (!isOverYearToo(grouped)) return [grouped];
        const overYear = { ...grouped, isOverYear: true };
        return by === 'time' ? [overYear, grouped] : [grouped, overYear];
      });
      groups.push(...found);
      return found.map(groupedSection);
    });
  return {
    sections,
    sql: main === null || groups.length === 0 ? new Map() : sqlOf(groups, main),
    problems,
  };
}

/** Tells whether a section of a month or two stands beside one about 12 months: one by time, or a heat map. */
function isOverYearToo(grouped: Grouped): boolean {
  const { file, written, dimensions } = grouped;
  if (file.groups !== null || typeof written.chart === 'object') return false;
  if (written.by === 'time') return dimensions[0]?.name === 'week';
  return chartOf(grouped)?.kind === 'heatmap';
}

/** Returns the figure of a report with groups of its own, of which it may be any column. */
function ownFigure(
  { figure, columns }: Grouped['file'],
  figures: ReadonlyMap<string, ShownFigure>,
): ShownFigure | null {
  if (figure === null) return null;
  const own = { name: figure, title: columns[figure]?.title ?? figure };
  const without = { previous: null, target: null, young: null };
  return figures.get(figure) ?? { ...own, ...without, scope: 'posts', counted: 'posts' };
}

/** A section without a title is the shared one of its name, beside what report.yaml says of it. */
function withShared(written: WrittenSection, shared: SharedFile['sections']): WrittenSection {
  const { by, name = '', title, description, empty, appendix, key, columns } = written;
  const usual = by === undefined && title === undefined ? shared[name] : undefined;
  if (usual === undefined) return written;
  return {
    ...written,
    ...usual,
    description: description ?? usual.description,
    empty: empty ?? usual.empty,
    appendix: appendix || usual.appendix,
    key: key.length > 0 ? key : usual.key,
    columns: mergedColumns(usual.columns, columns),
  };
}

function byName<Entry extends { readonly name: string }>(
  entries: Readonly<Record<string, Omit<Entry, 'name'>>>,
): ReadonlyMap<string, Entry> {
  return new Map(
    Object.entries(entries).map(([name, entry]) => [name, { name, ...entry } as Entry]),
  );
}
