import { stripTerminalControls } from '../core/terminal-text.ts';

type PlainCell = string | number;

/** A table for a terminal or a log: heads, a rule, aligned columns, figures right. */
export function plainTable(
  heads: readonly string[],
  rows: readonly (readonly PlainCell[])[],
): string {
  const isFigure = heads.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const texts = rows.map((row) => row.map(cellText));
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...texts.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => pad(cell, widths[column] ?? 0, isFigure[column] === true))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [line(heads), rule, ...texts.map(line)].join('\n');
}

function cellText(cell: PlainCell): string {
  return typeof cell === 'number' ? cell.toLocaleString('en-US') : stripTerminalControls(cell);
}

function pad(text: string, width: number, isFigure: boolean): string {
  return isFigure ? text.padStart(width) : text.padEnd(width);
}
