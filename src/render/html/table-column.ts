import type { Cell } from '../../report/report-document.ts';
import type { Markup } from './markup.ts';

/** A column as the page shows it: one of the section's, or a drawing of several. */
export interface TableColumn {
  readonly title: string;
  /** How the script compares its cells; null: it does not. */
  readonly sort: 'text' | 'number' | 'value' | null;
  readonly isText: boolean;
  /** Kept on narrow pages, as is the one that the rows are sorted by. */
  readonly isPrimary: boolean;
  /** The one by which the rows are sorted, descending. */
  readonly isKey: boolean;
  /** Set apart from the figures to its left. */
  readonly isDrawn: boolean;
  /** What the cell is made of; null for a drawing. */
  readonly read: (row: readonly Cell[]) => Cell;
  readonly cell: (row: readonly Cell[], index: number) => Markup;
  /** What `data-v` holds where the printed form does not sort. */
  readonly value: (row: readonly Cell[]) => string | null;
  /** Null: it cannot be totalled, and stays empty. */
  readonly total: (cells: readonly Cell[]) => Markup | null;
}
