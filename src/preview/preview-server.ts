import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { closeServer, createLimitedServer, listen } from '../core/http-server.ts';
import type { Log } from '../core/log.ts';
import { wrapperPage, wrapperPolicy } from './wrapper-page.ts';

/** A mistake that prevented a page from being rendered. */
export interface PreviewFault {
  /** For example `reports/hiring/by_month.sql:3:8`. Null if the message contains the location. */
  readonly location: string | null;
  readonly message: string;
}

/** The result of rendering a report once. */
export interface Rendering {
  /** The page. Null if there are faults. */
  readonly html: string | null;
  readonly faults: readonly PreviewFault[];
}

/** The state that browsers ask for. */
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
 * read the page: `…/` is the page around the report, `…/report` the report, and `…/state` says which page that is.
 * @param name the name of the report
 * @param port 0 for any free port
 * @throws ListenError
 */
export async function startPreviewServer(name: string, port: number, log: Log) {
  const root = `/${randomBytes(16).toString('base64url')}/`;
  /** The last page that was rendered without faults. */
  let page: string | null = null;
  let state: PreviewState = { page: 0, madeAt: null, faults: [] };
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    for (const [header, value] of commonHeaders) context.header(header, value);
  });
  app.get(root, (context) =>
    context.html(wrapperPage(name), 200, { 'content-security-policy': wrapperPolicy }),
  );
  app.get(`${root}report`, (context) =>
    page === null
      ? context.text('There is no page yet: its files have mistakes.\n', 503)
      : // the page sets its own policy
        context.html(page, 200, { 'content-security-policy': "frame-ancestors 'self'" }),
  );
  app.get(`${root}state`, (context) => context.json(state));
  app.notFound((context) =>
    context.text('The preview answers only at the address that it printed.\n', 404),
  );
  const server = createLimitedServer(app, log);
  const origin = await listen(server, { name: 'the preview', port });
  return {
    /** For example `http://127.0.0.1:4110/5f3PqhrmD0uVYw2bXk7c1A/`. */
    url: new URL(root, origin).href,
    /** Shows a page, or shows the faults above the last good page. */
    show: ({ html, faults }: Rendering, now: Date) => {
      const { page: count, madeAt } = state;
      page = html ?? page;
      state =
        html === null
          ? { page: count, madeAt, faults }
          : { page: count + 1, madeAt: now.toISOString(), faults };
    },
    close: () => closeServer(server, 0),
  };
}

const commonHeaders = [
  ['cache-control', 'no-store'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
] as const;
