import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { hasErrorCode } from '../../core/errors.ts';
import { answerHeaders, type Answer } from './answer.ts';
import type { ReceiverLimits } from './limits.ts';
import { refusals, type Refusal } from './refusals.ts';

/**
 * What is wrong with bytes that Node could not read as a request; null when the sender has left, so that
 * there is nobody to tell.
 */
export function brokenRequestRefusal(error: Error, limits: ReceiverLimits): Refusal | null {
  if (hasErrorCode(error, 'ERR_HTTP_REQUEST_TIMEOUT')) return refusals.tooSlow;
  if (hasErrorCode(error, 'HPE_HEADER_OVERFLOW')) {
    return refusals.headersTooLarge(limits.headerBytes);
  }
  if (hasErrorCode(error, 'HPE_CHUNK_EXTENSIONS_OVERFLOW')) {
    return refusals.tooLarge(limits.bodyBytes);
  }
  if (hasErrorCode(error, 'HPE_INVALID_METHOD') && isRequestLine(error)) {
    return refusals.notImplemented('use POST');
  }
  const isHttp = 'code' in error && String(error.code).startsWith('HPE_');
  return isHttp ? refusals.badRequest('Bad Request: this is no HTTP request') : null;
}

/** With a method that there is not: Node gives the bytes, and where it could not go on. */
function isRequestLine(error: Error): boolean {
  if (!('rawPacket' in error && Buffer.isBuffer(error.rawPacket))) return false;
  const bytes = error.rawPacket.toString('latin1');
  const stoppedAt = 'bytesParsed' in error ? Number(error.bytesParsed) : 0;
  const start = bytes.slice(0, stoppedAt).search(/[A-Z]*$/i);
  return /^[A-Z][\w-]* \S+ HTTP\/1\.[01]\r\n/i.test(bytes.slice(start));
}

/** For the log. */
export function brokenRequestReason(error: Error): string {
  const hasEnded = hasErrorCode(error, 'HPE_INVALID_EOF_STATE');
  return hasEnded ? 'the sender stopped in the middle of a request' : error.message;
}

/**
 * Writes an answer where Node has made no response to write it with, and closes the connection slowly.
 * @param now for the answer's Date
 */
export function writeRawAnswer(
  socket: Socket,
  answer: Answer,
  { now, lingerMs }: { readonly now: Date; readonly lingerMs: number },
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(rawText(answer, now));
  const cut = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(cut));
}

function rawText(answer: Answer, now: Date): string {
  const { status, body } = answer;
  const headers = { date: now.toUTCString(), connection: 'close', ...answerHeaders(answer) };
  const fields = Object.entries(headers);
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n${body}`;
}
