import exceljs from 'exceljs';

/** A file of a report, see {@link alike}; of a workbook, its cells. */
export async function alikeFile(name, body) {
  if (!name.endsWith('.xlsx')) return alike(body.toString());
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load(body);
  const rows = workbook.worksheets.map((sheet) => [sheet.name, sheet.getSheetValues()]);
  return alike(JSON.stringify(rows));
}

/**
 * A report, an upload or a mail without what tells two runs of one minute apart: their ids and ends, seconds, sums over
 * them and lengths, and the parts that a mail is cut into.
 */
export function alike(text) {
  return readable(text)
    .replace(/\b\d{8}T\d{6}Z-[0-9a-f]{6}\b/g, '<run>')
    .replace(/(<run> \(\w+\)), (finished [^<"\\·]+[^<"\\· ]|not finished)/g, '$1')
    .replace(/\b[0-9a-f]{64}\b/g, '<sum>')
    .replace(/"bytes": \d+/g, '"bytes": <length>')
    .replace(/--_NmP-[0-9a-f]+-/g, '<part>-')
    .replace(/(\d\d:\d\d):\d\d(\.\d+)?/g, '$1');
}

/** Of a mail, what its encodings stand for. */
function readable(text) {
  return text
    .replace(/^(?:[A-Za-z0-9+/]{76}\r\n)+[A-Za-z0-9+/=]+/gm, (lines) =>
      Buffer.from(lines, 'base64').toString(),
    )
    .replace(/=\r\n/g, '');
}
