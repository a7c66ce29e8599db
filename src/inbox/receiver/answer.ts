import type { Exchange } from './exchange.ts';
import { declaredLength } from './incoming-body.ts';
import { refusalBody, type Refusal } from './refusals.ts';

export interface Answer {
  readonly status: number;
  /** JSON. */
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Connection {
  /** A body of up to so many bytes is read to its end, to keep the connection. */
  readonly bodyBytes: number;
  readonly lingerMs: number;
  /** No further request is taken on it. */
  readonly isLast: boolean;
}

export function refusalAnswer(refusal: Refusal): Answer {
  const { status, headers } = refusal;
  return { status, body: refusalBody(refusal), ...(headers && { headers }) };
}

/** What every answer has, and its own. */
export function answerHeaders({ body, headers }: Answer): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    ...headers,
  };
}

/** Sends the answer, and sees to what is still coming in. */
export function sendAnswer(exchange: Exchange, answer: Answer, connection: Connection): void {
  const { response } = exchange;
  const isCut = exchange.isBroken || isMoreComing(exchange, connection.bodyBytes);
  if (isCut || connection.isLast) response.shouldKeepAlive = false;
  response.writeHead(answer.status, answerHeaders(answer));
  if (isCut && !exchange.isBroken) endSlowly(exchange, answer.body, connection.lingerMs);
  else {
    response.end(answer.body);
    if (!exchange.isBroken && !exchange.request.complete) readRest(exchange, connection.lingerMs);
  }
}

/** To keep the connection, but not for as long as the sender likes. */
function readRest({ request }: Exchange, lingerMs: number): void {
  // no stop waits for it: Node tells of no end of a request that was answered before its connection broke
  const cut = setTimeout(() => request.socket.destroy(), lingerMs).unref();
  const keep = () => clearTimeout(cut);
  request.once('close', keep).once('end', keep).resume();
}

/** Whether the sender has more to send than is worth reading for the sake of the connection. */
function isMoreComing({ request, isContinueAwaited, body }: Exchange, bodyBytes: number): boolean {
  if (request.complete) return false;
  if (isContinueAwaited && body === null) return true;
  const length = declaredLength(request);
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  return isChunked || (length !== null && length > bodyBytes);
}

/**
 * Keeps reading for a while, without keeping anything: a connection that is closed under a sender's hands
 * is reset, and the answer lost with it (RFC 9112, 9.6).
 */
function endSlowly({ request, response }: Exchange, body: string, lingerMs: number): void {
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs);
  response.write(body);
  request.once('close', end).once('end', end).resume();
}
