/** Records of a text as RFC 4180 has it: a field that is empty and not quoted is null. */
export function csvRows(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|$)/gy;
  let row: (string | null)[] = [];
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) throw new Error(`no CSV at ${field.lastIndex}`);
    const [, raw = '', end] = match;
    row.push(
      raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw === '' ? null : raw,
    );
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
