/**
 * A report, an upload or a mail without what tells two runs of one minute apart: their ids, seconds, sums over them, and the
 * parts that a mail is cut into.
 */
export function alike(text) {
  return readable(text)
    .replace(/\b\d{8}T\d{6}Z-[0-9a-f]{6}\b/g, '<run>')
    .replace(/\b[0-9a-f]{64}\b/g, '<sum>')
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
