import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PostledgerError, errorMessage, hasErrorCode } from '../core/errors.ts';
import type { PreviewBoard, PreviewState } from './preview-board.ts';
import { wrapperPage, wrapperPolicy } from './wrapper-page.ts';

class PreviewAddressError extends PostledgerError {
  readonly code = 'PREVIEW_ADDRESS';
  readonly recovery = 'fix-input';
}

export interface PreviewServer {
  /** For example `http://127.0.0.1:4110/5f3PqhrmD0uVYw2bXk7c1A/`. */
  readonly url: string;
  close(): Promise<void>;
}

const host = '127.0.0.1';

/**
 * Serves a board on loopback, below a path that cannot be guessed, so that other users of the machine cannot read
 * it: `…/` is the page around the report, `…/report` the report, `…/events` sends each change. It answers only
 * requests for its own host name, so that no page of the web can read it through a name that points here.
 * @param name of the report
 * @param port 0: any that is free
 * @throws PreviewAddressError when it cannot listen there
 */
export async function startPreviewServer(
  board: PreviewBoard,
  name: string,
  port: number,
): Promise<PreviewServer> {
  const root = `/${randomBytes(16).toString('base64url')}/`;
  const server = createServer((request, response) => {
    const { port: own } = server.address() as AddressInfo;
    const hosts = [`${host}:${own}`, `localhost:${own}`];
    answer(request, response, { board, name, root, hosts });
  });
  server.listen(port, host);
  await once(server, 'listening').catch((cause: unknown) => {
    throw addressError(port, cause);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}${root}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function addressError(port: number, cause: unknown): PreviewAddressError {
  const problem = hasErrorCode(cause, 'EADDRINUSE')
    ? 'another process does. Choose another port with --port, or 0 for any that is free'
    : `${errorMessage(cause)}. Choose another port with --port`;
  const where = `the preview cannot listen on ${host}, port ${port}`;
  return new PreviewAddressError(`${where}: ${problem}`, { cause });
}

interface Service {
  readonly board: PreviewBoard;
  readonly name: string;
  /** The path of its first page, with a slash at both ends. */
  readonly root: string;
  /** What a request may call this server. */
  readonly hosts: readonly string[];
}

function answer(request: IncomingMessage, response: ServerResponse, service: Service): void {
  for (const [header, value] of commonHeaders) response.setHeader(header, value);
  const path = (request.url ?? '').split('?')[0];
  if (!service.hosts.includes((request.headers.host ?? '').toLowerCase())) {
    refuse(response, 421, 'The preview answers only at the address that it printed.');
  } else if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    refuse(response, 405, 'The preview is only read: GET or HEAD.');
  } else if (path === service.root) {
    send(response, wrapperPolicy, wrapperPage(service.name));
  } else if (path === `${service.root}report`) {
    sendReport(response, service.board);
  } else if (path === `${service.root}events`) {
    sendEvents(request, response, service.board);
  } else {
    refuse(response, 404, 'The preview answers only at the address that it printed.');
  }
}

const commonHeaders = [
  ['cache-control', 'no-store'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
] as const;

function sendReport(response: ServerResponse, { html }: PreviewBoard): void {
  if (html === null) refuse(response, 503, 'There is no page yet: its files have mistakes.');
  // the page has a policy of its own
  else send(response, "frame-ancestors 'self'", html);
}

function send(response: ServerResponse, policy: string, html: string): void {
  response.setHeader('content-security-policy', policy);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(html);
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(`${sentence}\n`);
}

/** The state as it is, then each that follows, until the browser goes. */
function sendEvents(request: IncomingMessage, response: ServerResponse, board: PreviewBoard): void {
  response.setHeader('content-type', 'text/event-stream');
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const sendState = (state: PreviewState) => response.write(`data: ${JSON.stringify(state)}\n\n`);
  response.write('retry: 1000\n\n');
  sendState(board.state);
  response.on('close', board.subscribe(sendState));
}
