/** `A` for 1, `AA` for 27. */
export function columnLetters(column: number): string {
  const rest = (column - 1) % 26;
  const letter = String.fromCharCode(65 + rest);
  const before = (column - 1 - rest) / 26;
  return before === 0 ? letter : columnLetters(before) + letter;
}

/** `B5:B16`: one column from row to row, all from 1. */
export function columnRange(column: number, firstRow: number, lastRow: number): string {
  const letters = columnLetters(column);
  return `${letters}${firstRow}:${letters}${lastRow}`;
}

/** `$B$5`: the same cell wherever a formula is moved. */
export function fixedCell(column: number, row: number): string {
  return `$${columnLetters(column)}$${row}`;
}

/** `'by_month'!` before an address: quoted, since names may have blanks and dashes. */
export function sheetPrefix(sheet: string): string {
  return `'${sheet.replaceAll("'", "''")}'!`;
}
