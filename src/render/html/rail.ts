import { markup, type Markup } from './markup.ts';

/** A section of the page: its name in the rail, the rest beside it. */
export function railed(id: string, title: string, basis: string | null, body: Markup): Markup {
  return markup`<section aria-labelledby="${id}">
<header><h2 id="${id}"><bdi>${title}</bdi></h2>${basis !== null && markup`<p>${basis}</p>`}</header>
<div class="body">
${body}</div>
</section>
`;
}
