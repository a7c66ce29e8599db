import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Clock } from '../core/clock.ts';
import type { ReviewHtml } from '../render/html/review-page.ts';
import { FailedLinks } from './failed-links.ts';

/** What a form of the page sends. */
export interface ReviewForm {
  readonly action: string;
  /** The version of the page that the form was on. */
  readonly version: string;
  /** Why it is not sent. */
  readonly note: string;
  /** The texts of comments by the names of their fields. */
  readonly texts: ReadonlyMap<string, string>;
}

/** What a link shows. */
export interface ReviewAnswer extends ReviewHtml {
  readonly status: 200 | 404 | 409 | 429 | 503;
}

export interface ShownFile {
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** True if a browser shows it; others are downloaded. */
  readonly isPage: boolean;
}

/** The page of one reader's link. */
export interface ReviewPage {
  show(): Promise<ReviewAnswer>;
  /** @returns null if there is no such file */
  file(version: string, name: string): Promise<ShownFile | null>;
  /** @returns null once it is done: the page shows it */
  act(form: ReviewForm): Promise<ReviewAnswer | null>;
}

export interface ReviewPages {
  /** @returns null unless the key is that of a reader of the group today */
  open(group: string, key: string): Promise<ReviewPage | null>;
  message(kind: 'unknown' | 'often' | 'failed'): Promise<ReviewHtml>;
}

const maxFormBytes = 1 << 20;

/** Nothing of these pages is kept, referred to, framed elsewhere or run. */
const headers = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
};

/** What a mail or a page of a report may load, which has its styles inside: nothing from anywhere. */
const shownPolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

export interface ReviewParts {
  readonly pages: ReviewPages;
  readonly clock: Clock;
  /** Returns the address of the sender, by which failed links are counted. */
  readonly senderOf: (context: Context) => string;
}

/** Creates the pages of held mails, below `/review`. A wrong link and none at all are answered alike. */
export function createReviewApp({ pages, clock, senderOf }: ReviewParts): Hono {
  const app = new Hono();
  const failed = new FailedLinks(clock);
  const refuse = async (context: Context) => {
    const seconds = failed.add(senderOf(context));
    const page = await pages.message(seconds === null ? 'unknown' : 'often');
    if (seconds !== null) context.header('retry-after', String(seconds));
    return send(context, { ...page, status: seconds === null ? 404 : 429 });
  };
  const open = async (context: Context) => {
    const { group = '', key = '' } = context.req.param();
    return pages.open(group, key);
  };
  const tooLarge = async (context: Context) =>
    send(context, { ...(await pages.message('failed')), status: 413 });
  app.use(setHeaders);
  app.get('/:group/:key', async (context) => {
    const page = await open(context);
    return page === null ? refuse(context) : send(context, await page.show());
  });
  app.get('/:group/:key/:version/:name', async (context) => {
    const page = await open(context);
    const { version, name } = context.req.param();
    const file = (await page?.file(version, name)) ?? null;
    if (page === null) return refuse(context);
    if (file === null) return send(context, { ...(await pages.message('unknown')), status: 404 });
    context.header('content-type', file.type);
    if (file.isPage) context.header('content-security-policy', shownPolicy);
    else
      context.header(
        'content-disposition',
        `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      );
    return context.body(file.content);
  });
  // the key cannot be the request, which the limit replaces where its length is not known
  const opened = new WeakMap<Context, ReviewPage>();
  app.post(
    '/:group/:key',
    async (context, next) => {
      const page = await open(context);
      if (page === null) return refuse(context);
      opened.set(context, page);
      return next();
    },
    bodyLimit({ maxSize: maxFormBytes, onError: tooLarge }),
    async (context) => {
      const page = opened.get(context);
      if (page === undefined) return refuse(context);
      const answer = await page.act(await readForm(context));
      if (answer !== null) return send(context, answer);
      // relative, since a proxy may put the pages below another path
      return context.body(null, 303, { location: context.req.param('key') });
    },
  );
  app.all('*', refuse);
  return app;
}

const setHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
};

function send(
  context: Context,
  { html, policy, status }: ReviewHtml & { readonly status: ContentfulStatusCode },
): Response {
  context.header('content-security-policy', policy);
  return context.html(html, status);
}

async function readForm({ req }: Context): Promise<ReviewForm> {
  const body = await req.parseBody().catch(() => ({}));
  const texts = new Map(
    Object.entries(body).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    ),
  );
  const textOf = (name: string) => texts.get(name) ?? '';
  return { action: textOf('action'), version: textOf('version'), note: textOf('note'), texts };
}
