/** A place in a text: line and column from 1, the column in UTF-16 units, as editors count. */
export interface SqlPlace {
  readonly line: number;
  readonly column: number;
}

/** @param position bytes of the text's UTF-8 before the place, as DuckDB counts */
export function sqlPlace(text: string, position: number): SqlPlace {
  return placeAfter(Buffer.from(text).subarray(0, position).toString());
}

/** Of what follows `before`. */
export function placeAfter(before: string): SqlPlace {
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
