import { cleanAttribute } from './plain-text.ts';
import { headedComment, markdownHtml } from '../comment.ts';
import { markup, type Markup, trusted } from './markup.ts';
import type { PageContext } from './page-context.ts';

/** The brand's image, read by the caller. */
export interface Logo {
  readonly mime: string;
  readonly bytes: Uint8Array;
}

/** The head of the page without its cards, which are part of the main content. */
export function headerMarkup(context: PageContext, logo: Logo | null): Markup {
  const { title, scope } = context.head;
  const parts = scope.map((part, index) => markup`${index > 0 && ' · '}<bdi>${part}</bdi>`);
  return markup`<header>
${brandMarkup(context, logo)}<h1>${title}</h1>
<p class="period">${parts}</p>
${ledeMarkup(context)}${commentMarkup(context)}${factsMarkup(context)}${coverageMarkup(context)}</header>`;
}

function brandMarkup({ head, say }: PageContext, logo: Logo | null): Markup | null {
  const name = head.brand ?? (logo ? null : head.product);
  if (name === null && logo === null) return null;
  const words = name !== null && markup`<bdi>${name}</bdi>`;
  const image = logo ? logoMarkup(logo, name, say('Logo')) : markup`<span class="mark"></span>`;
  return markup`<p class="brand">${image}${words}</p>
`;
}

/** A screen reader hears the name of the brand once: from the text beside the logo, else from the logo. */
function logoMarkup(logo: Logo, name: string | null, unnamed: string): Markup {
  const data = Buffer.from(logo.bytes).toString('base64');
  const description = name === null ? unnamed : '';
  return markup`<img alt="${cleanAttribute(description)}" src="data:${cleanAttribute(logo.mime)};base64,${data}">`;
}

function ledeMarkup({ head: { lede } }: PageContext): Markup | null {
  if (lede.length === 0) return null;
  const runs = lede.map(({ text, isStrong }) =>
    isStrong ? markup`<strong>${text}</strong>` : markup`${text}`,
  );
  return markup`<p class="lede">${runs}</p>
`;
}

function commentMarkup({ document: { comment }, say }: PageContext): Markup | null {
  if (comment === null) return null;
  const html = markdownHtml(headedComment(comment, say('Comment')), String, {});
  return markup`<div class="comment" dir="auto">
${trusted(html)}</div>
`;
}

function factsMarkup({ head }: PageContext): Markup {
  return markup`<dl class="facts">
${head.facts.map(({ term, text }) => markup`<div><dt>${term}</dt><dd><bdi>${text}</bdi></dd></div>\n`)}</dl>
`;
}

function coverageMarkup({ head: { coverage }, say, ids }: PageContext): Markup | null {
  if (coverage.length === 0) return null;
  const items = coverage.map((item) => markup`<li><bdi>${item}</bdi></li>`);
  return markup`<div class="coverage"><p id="${ids}coverage">${say('Coverage')}</p><ul aria-labelledby="${ids}coverage">${items}</ul></div>
`;
}
