import { renderTerminalTable } from '../render/terminal-table.ts';
import type { ReportColumn } from '../report/report-document.ts';
import type { Output } from './context.ts';

/** A command's own rows as a table: columns that hold nothing but numbers are figures. */
export function plainTable(
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  { width, hasColor }: Output,
): string {
  const columns = heads.map((title, index): ReportColumn => {
    const isFigure = rows.every((row) => typeof row[index] === 'number');
    return {
      name: title,
      title,
      format: isFigure ? 'count' : 'text',
      nullNote: null,
      isInHtml: true,
      isPrimary: true,
    };
  });
  const words = { locale: 'en-US', currency: 'USD', timezone: 'UTC' };
  return renderTerminalTable({ columns, rows }, { width, color: hasColor, ...words });
}
