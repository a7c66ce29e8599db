import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen } from '../core/http-server.ts';
import { wrapperPage, wrapperPolicy } from './wrapper-page.ts';

/** A mistake that prevented a page from being rendered. */
export interface PreviewFault {
  /** For example `reports/hiring/by_month.sql:3:8`. Null if the message contains the place. */
  readonly place: string | null;
  readonly message: string;
}

/** The result of rendering a report once. */
export interface Rendering {
  /** The page. Null if there are faults. */
  readonly html: string | null;
  readonly faults: readonly PreviewFault[];
}

/** The state that is sent to browsers. */
export interface PreviewState {
  /**
   * The number of the current page, from 1. It is 0 before the first page, and stays the same while there are
   * faults.
   */
  readonly page: number;
  /** The time at which that page was made, ISO 8601 in UTC. Null before the first page. */
  readonly madeAt: string | null;
  readonly faults: readonly PreviewFault[];
}

export type PreviewServer = Awaited<ReturnType<typeof startPreviewServer>>;

/**
 * Serves a report's page on loopback. The path cannot be guessed, so that other users of the machine cannot
 * read the page: `…/` is the page around the report, `…/report` the report, and `…/events` sends each change.
 * @param name the name of the report
 * @param port 0 for any free port
 * @throws ListenError
 */
export async function startPreviewServer(name: string, port: number) {
  const shown: Shown = {
    html: null,
    state: { page: 0, madeAt: null, faults: [] },
    browsers: new Set(),
  };
  const root = `/${randomBytes(16).toString('base64url')}/`;
  const server = createServer((request, response) => {
    answer(request, response, { shown, name, root });
  });
  const origin = await listen(server, { name: 'the preview', port });
  return {
    /** For example `http://127.0.0.1:4110/5f3PqhrmD0uVYw2bXk7c1A/`. */
    url: new URL(root, origin).href,
    /** Shows a page, or shows the faults above the last good page. */
    show: ({ html, faults }: Rendering, now: Date) => {
      const { page, madeAt } = shown.state;
      shown.html = html ?? shown.html;
      shown.state =
        html === null
          ? { page, madeAt, faults }
          : { page: page + 1, madeAt: now.toISOString(), faults };
      for (const browser of shown.browsers) sendState(browser, shown);
    },
    close: () => closeServer(server, 0),
  };
}

/** The pages and states that browsers see. */
interface Shown {
  /** The last page that was rendered without faults. */
  html: string | null;
  state: PreviewState;
  /** The browsers that wait for the next state. */
  readonly browsers: Set<ServerResponse>;
}

interface Service {
  readonly shown: Shown;
  readonly name: string;
  /** The path of the first page, with a slash at both ends. */
  readonly root: string;
}

function answer(request: IncomingMessage, response: ServerResponse, service: Service): void {
  for (const [header, value] of commonHeaders) response.setHeader(header, value);
  const path = (request.url ?? '').split('?')[0];
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    refuse(response, 405, 'The preview accepts only GET and HEAD.');
  } else if (path === service.root) {
    send(response, wrapperPolicy, wrapperPage(service.name));
  } else if (path === `${service.root}report`) {
    sendReport(response, service.shown);
  } else if (path === `${service.root}events`) {
    sendEvents(request, response, service.shown);
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

function sendReport(response: ServerResponse, { html }: Shown): void {
  if (html === null) refuse(response, 503, 'There is no page yet: its files have mistakes.');
  // the page sets its own policy
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

/** Sends the current state and then each further one until the browser disconnects. */
function sendEvents(request: IncomingMessage, response: ServerResponse, shown: Shown): void {
  response.setHeader('content-type', 'text/event-stream');
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  response.write('retry: 1000\n\n');
  sendState(response, shown);
  shown.browsers.add(response);
  response.on('close', () => shown.browsers.delete(response));
}

function sendState(response: ServerResponse, { state }: Shown): void {
  response.write(`data: ${JSON.stringify(state)}\n\n`);
}
