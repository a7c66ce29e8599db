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
  const isHttp = 'code' in error && String(error.code).startsWith('HPE_');
  return isHttp ? refusals.badRequest('Bad Request: this is no HTTP request') : null;
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
