import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';
import { hasContent, railed, sectionMarkup } from './section.ts';

/** The folded end of the page: supporting sections, definitions and the source of the data. */
export function appendixMarkup(context: PageContext): Markup {
  const { document } = context;
  const isPrinted = document.copy?.appendix === true;
  const sections = document.sections
    .filter((section) => section.isAppendix && hasContent(section, document))
    .map((section) => ({ title: section.title, drawn: sectionMarkup(section, context) }));
  const parts = [...sections, ...definitionsPart(context), sourcePart(context)];
  const contents = parts.map(({ title }) => title).join(', ');
  return markup`<details class="appendix${isPrinted && ' printed'}"><summary><h2>${context.say('Appendix')}</h2> <bdi>${contents}</bdi></summary>
${parts.map(({ drawn }) => drawn)}</details>
`;
}

interface AppendixPart {
  readonly title: string;
  readonly drawn: Markup;
}

function definitionsPart({ document, say, ids }: PageContext): AppendixPart[] {
  if (document.definitions.length === 0) return [];
  const title = say('Definitions');
  const pairs = document.definitions.map(
    ({ term, text }) => markup`<div><dt>${term}</dt><dd>${text}</dd></div>\n`,
  );
  const body = markup`<h3>${say('What the figures rest on')}</h3>
<dl class="definitions">
${pairs}</dl>
`;
  return [{ title, drawn: railed(`${ids}definitions`, title, null, body) }];
}

function sourcePart({ head, say, ids }: PageContext): AppendixPart {
  const title = say('Source');
  const words = head.source.map((part) => markup`<p><bdi>${part}</bdi></p>\n`);
  const body = markup`<h3>${say('What the report was made of')}</h3>
<div class="stamp">
${words}</div>
`;
  return { title, drawn: railed(`${ids}source`, title, null, body) };
}
