import { terminalWidth } from '../../core/terminal-width.ts';
import { cellText } from './cell-text.ts';
import type { RichText, SheetCell, SheetWriter } from './sheet-writer.ts';
import { type CellStyle, styles } from './styles.ts';

/** The widths in characters of a margin, labels, three columns of figures and notes. */
const widths = [2, 44, 16, 16, 12, 32];
/** The first and last columns of lines across the page, and of text next to a label. */
const across = [2, 6] as const;
const beside = [3, 6] as const;
const acrossCharacters = 126;
const besideCharacters = 80;
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

  row(cells: readonly (SheetCell | null)[]): void {
    this.#sheet.addRow([null, ...cells], { height: 17 });
  }

  /** Writes a text across the page, which wraps if its style does. */
  line(
    value: string | RichText,
    style: CellStyle & { readonly font: { readonly size?: number } },
  ): void {
    const text = plainText(value);
    const size = style.font.size ?? 10;
    const lines = 'alignment' in style ? lineCount(text, (acrossCharacters * 10) / size) : 1;
    const height = 6 + lines * lineHeight * (size / 10);
    this.#sheet.addRow([null, { value, style }], { height, merge: across });
  }

  /** Writes a term with a text next to it that wraps. */
  entry(term: SheetCell | null, text: string): void {
    const value = { value: cellText(text), style: styles.wrappedText };
    const height = 4 + lineHeight * lineCount(text, besideCharacters);
    this.#sheet.addRow([null, term, value], { height, merge: beside });
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

function plainText(value: string | RichText): string {
  if (typeof value === 'string') return value;
  return value.richText.map((run) => run.text).join('');
}

/** Excel sets no height for merged cells, so the lines are counted: a little too many rather than too few. */
function lineCount(text: string, characters: number): number {
  const lines = text
    .split('\n')
    .map((line) => Math.max(1, Math.ceil(terminalWidth(line) / characters)));
  return lines.reduce((sum, count) => sum + count, 0);
}
