import { sentenceDirection } from '../../core/text-direction.ts';
import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';
import { railed } from './rail.ts';

export function definitionsMarkup({ document }: PageContext): Markup | null {
  if (document.definitions.length === 0) return null;
  const pairs = document.definitions.map(
    ({ term, text }) =>
      markup`<div><dt dir="${sentenceDirection(term)}">${term}</dt><dd dir="${sentenceDirection(text)}">${text}</dd></div>\n`,
  );
  return railed(
    'definitions',
    'Definitions',
    null,
    markup`<h3>What the figures rest on</h3>
<dl class="definitions">
${pairs}</dl>
`,
  );
}
