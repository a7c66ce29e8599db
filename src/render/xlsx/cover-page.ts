import { createFormatter } from '../../core/number-format.ts';
import { terminalWidth } from '../../core/terminal-width.ts';
import type { ReportDocument } from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import type { SheetFormula } from './formulas.ts';
import type { RichText, SheetCell, SheetWriter } from './sheet-writer.ts';
import { type CellStyle, styles } from './styles.ts';
import { columnLetters } from './table-place.ts';

/** In characters: a margin, labels, three columns of figures, room for text. */
const widths = [2, 28, 20, 20, 12, 38];
/** First and last column of what spans the page, and of the cells beside a label. */
const across = [2, 6] as const;
const beside = [3, 6] as const;
const acrossCharacters = 124;
const besideCharacters = 96;
const lineHeight = 13;

/** The rows of a page of text and figures, from the top down. */
export class CoverPage {
  readonly #sheet: SheetWriter;

  constructor(sheet: SheetWriter) {
    this.#sheet = sheet;
    sheet.setWidths(widths);
  }

  gap(height: number): void {
    this.#sheet.addRow([], { height });
  }

  /** The number of the row that comes next, from 1. */
  get nextRow(): number {
    return this.#sheet.rows + 1;
  }

  /** @returns the number of the row */
  row(cells: readonly (SheetCell | null)[]): number {
    this.#sheet.addRow([null, ...cells], { height: 17 });
    return this.#sheet.rows;
  }

  /** One text across the page, which wraps where its style does. */
  line(
    value: string | RichText | SheetFormula,
    style: CellStyle & { readonly font: { readonly size?: number } },
  ): void {
    const text = plainText(value);
    const size = style.font.size ?? 10;
    const lines = 'alignment' in style ? lineCount(text, (acrossCharacters * 10) / size) : 1;
    const height = 6 + lines * lineHeight * (size / 10);
    this.#sheet.addRow([null, { value, style }], { height, merge: across });
  }

  /** A term, and a text that wraps beside it. */
  entry(term: SheetCell | null, text: string): void {
    const value = { value: cellText(text), style: styles.wrappedText };
    const height = 4 + lineHeight * lineCount(text, besideCharacters);
    this.#sheet.addRow([null, term, value], { height, merge: beside });
  }

  /** Lets only numbers above 0 into a cell; the message says so. */
  allowPositive(column: number, row: number, message: string): void {
    this.#sheet.setPositive(`${columnLetters(column)}${row}`, message);
  }

  /** Begins a part of the page, with a rule under its heads. */
  heading(title: string, figures: readonly string[] = []): void {
    this.gap(20);
    const heads = Array.from({ length: 5 }, (_, index) => {
      if (index === 0) return { value: title, style: styles.blockHead };
      return { value: figures[index - 1] ?? null, style: styles.blockFigureHead };
    });
    this.#sheet.addRow([null, ...heads], { height: 18 });
    this.gap(4);
  }
}

function plainText(value: string | RichText | SheetFormula): string {
  if (typeof value === 'string') return value;
  if ('formula' in value) return String(value.result);
  return value.richText.map((run) => run.text).join('');
}

/** Excel sets no height for merged cells, so the lines are counted: a little too many rather than too few. */
function lineCount(text: string, characters: number): number {
  const lines = text
    .split('\n')
    .map((line) => Math.max(1, Math.ceil(terminalWidth(line) / characters)));
  return lines.reduce((sum, count) => sum + count, 0);
}

/** `1 January 2025 – 31 December 2025`, and the filters. */
export function periodWords({ period, filters, covers, ...options }: ReportDocument): string {
  const { from, to } = period;
  const { say } = createFormatter(options);
  const all = () => say(covers === 'posts' ? 'All posts' : 'All removed posts');
  const words = from === null && to === null ? all() : rangeWords({ from, to }, options);
  return [words, ...filters].join(' · ');
}

/** What the figures rest on, as labels and values. */
export function reportFacts(document: ReportDocument): [string, string][] {
  const { previousPeriod, profiles, timezone, brand } = document;
  const { say } = createFormatter(document);
  const preparedBy = brand?.preparedBy;
  return [
    [say('Profiles'), profiles.length === 0 ? say('none') : profiles.join(', ')],
    [
      say('Compared with'),
      previousPeriod === null ? say('nothing') : rangeWords(previousPeriod, document),
    ],
    [say('Data as of'), asOfWords(document)],
    [say('Time zone'), timezone],
    [say('Currency'), currencyWords(document)],
    ...(preparedBy === undefined
      ? []
      : [[say('Prepared by'), preparedBy] satisfies [string, string]]),
  ];
}

/** `**bold**` marks the one figure of the lede; any further asterisks are text. */
export function ledeText(lede: string): string | RichText {
  const match = /^(?<before>.*?)\*\*(?<figure>.+?)\*\*(?<after>.*)$/su.exec(lede);
  const { before = '', figure, after = '' } = match?.groups ?? {};
  if (figure === undefined) return cellText(lede);
  const runs = [
    { text: cellText(before), font: styles.lede.font },
    { text: cellText(figure), font: { ...styles.lede.font, bold: true } },
    { text: cellText(after), font: styles.lede.font },
  ];
  return { richText: runs.filter((run) => run.text !== '') };
}

interface Days {
  readonly from: string | null;
  readonly to: string | null;
}
type Options = Pick<ReportDocument, 'locale' | 'currency' | 'timezone' | 'language'>;

function rangeWords({ from, to }: Days, options: Options): string {
  const formatter = createFormatter(options);
  const day = (value: string) => formatter.format(value, 'date', { prose: true });
  if (from !== null && to !== null) return `${day(from)} – ${day(to)}`;
  if (from !== null) return formatter.say('from {day:text}', { day: day(from) });
  return to === null ? formatter.say('all') : formatter.say('until {day:text}', { day: day(to) });
}

function asOfWords(document: ReportDocument): string {
  const formatter = createFormatter(document);
  if (document.dataAsOf === null) return formatter.say('no data yet');
  return formatter.format(document.dataAsOf, 'datetime', { prose: true });
}

function currencyWords({ currency, language }: ReportDocument): string {
  const name = new Intl.DisplayNames(language.code, { type: 'currency' }).of(currency);
  return name === undefined || name === currency ? currency : `${name} (${currency})`;
}
