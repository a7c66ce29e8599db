import { markup, type Markup } from '../markup.ts';

/** The bars' colour in strokes, for what is not final. Each drawing needs its own: a hidden one lends none. */
export function youngHatch(id: string): Markup {
  return markup`<pattern id="${id}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="young" d="M1 0V5"/></pattern>`;
}
