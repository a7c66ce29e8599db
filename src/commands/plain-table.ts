import { renderTerminalTable, type Paint } from '../render/terminal-table.ts';
import type { ReportColumn } from '../report/report-document.ts';
import type { Output } from './context.ts';

/** What stands in a table, and in which colour where the output has colours. */
export interface PaintedCell {
  readonly text: string;
  readonly paint: Paint;
}

/** A command's own rows as a table: columns that hold nothing but numbers are figures. */
export function plainTable(
  heads: readonly string[],
  rows: readonly (readonly (string | number | PaintedCell)[])[],
  { width, hasColor }: Pick<Output, 'width' | 'hasColor'>,
): string {
  const columns = heads.map((title, index): ReportColumn => {
    const isFigure = rows.every((row) => typeof row[index] === 'number');
    return {
      name: title,
      title,
      format: isFigure ? 'count' : 'text',
      nullNote: null,
      isInHtml: true,
      isPrimary: index === 0,
      calculation: null,
    };
  });
  const words = { locale: 'en-US', currency: 'USD', timezone: 'UTC' };
  const cellColor = (row: number, column: number): Paint => {
    const cell = rows[row]?.[column];
    return typeof cell === 'object' ? cell.paint : String;
  };
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'object' ? cell.text : cell)));
  return renderTerminalTable(
    { columns, rows: texts },
    { width, color: hasColor, cellColor, ...words },
  );
}
