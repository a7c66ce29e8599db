import { sentenceDirection } from '../../core/text-direction.ts';
import { productMark } from '../stamp-words.ts';
import { cleanAttribute } from './plain-text.ts';
import { markup, type Markup } from './markup.ts';
import type { PageContext } from './page-context.ts';

/** The bytes of the brand's image, read by the caller. */
export interface Logo {
  readonly mime: string;
  readonly bytes: Uint8Array;
}

export function brandMarkup({ document, say }: PageContext, logo: Logo | null): Markup | null {
  const name = document.brand?.name ?? (logo ? null : productMark(document));
  if (name === null && logo === null) return null;
  const words = name !== null && markup`<bdi>${name}</bdi>`;
  return markup`<p class="brand">${logo ? logoMarkup(logo, name, say('Logo')) : markup`<span class="mark"></span>`}${words}</p>
`;
}

/** Beside its name a logo says nothing more to a listener; alone it is the name. */
function logoMarkup(logo: Logo, name: string | null, unnamed: string): Markup {
  const data = Buffer.from(logo.bytes).toString('base64');
  const description = name === null ? unnamed : '';
  return markup`<img alt="${cleanAttribute(description)}" src="data:${cleanAttribute(logo.mime)};base64,${data}">`;
}

export function titleMarkup(context: PageContext): Markup {
  const { document, words } = context;
  const period = ['LinkedIn, ' + words.period(document.period, 'long'), ...document.filters];
  return markup`<h1 dir="${sentenceDirection(document.title)}">${document.title}</h1>
<p class="period">${joined(period.map((part) => markup`<bdi>${part}</bdi>`))}</p>
${document.lede !== null && ledeMarkup(document.lede)}`;
}

/** `**bold**` marks the one figure; any further asterisks are text. */
function ledeMarkup(lede: string): Markup {
  const match = /^(?<before>.*?)\*\*(?<figure>.+?)\*\*(?<after>.*)$/su.exec(lede);
  const { before = lede, figure, after = '' } = match?.groups ?? {};
  return markup`<p class="lede" dir="${sentenceDirection(lede)}">${before}${figure !== undefined && markup`<strong>${figure}</strong>`}${after}</p>
`;
}

export function factsMarkup(context: PageContext): Markup {
  const { document, say } = context;
  const preparedBy = document.brand?.preparedBy;
  const facts = [
    [say('Profiles'), profileWords(context)],
    [say('Compared with'), comparisonWords(context)],
    [say('Time zone'), document.timezone],
    [say('Currency'), currencyWords(document)],
    [say('Data as of'), asOfWords(context)],
    ...(preparedBy === undefined ? [] : [[say('Prepared by'), preparedBy] as const]),
  ] as const;
  return markup`<dl class="facts">
${facts.map(([term, text]) => markup`<div><dt>${term}</dt><dd><bdi>${text}</bdi></dd></div>\n`)}</dl>
`;
}

export function coverageMarkup({ document, say }: PageContext): Markup | null {
  if (document.coverage.length === 0) return null;
  return markup`<div class="coverage"><p id="coverage">${say('Coverage')}</p><ul aria-labelledby="coverage">${document.coverage.map((item) => markup`<li><bdi>${item}</bdi></li>`)}</ul></div>
`;
}

/** When the newest reading was taken, in the report's zone. */
export function asOfSentence({ document, say }: PageContext): string {
  if (document.dataAsOf === null) return say('No data yet');
  return say('Data as of {time:datetime}', { time: document.dataAsOf });
}

function asOfWords({ document, formatter, say }: PageContext): string {
  return document.dataAsOf === null
    ? say('no data yet')
    : formatter.format(document.dataAsOf, 'datetime');
}

function profileWords({ document: { profiles }, formatter, say }: PageContext): string {
  if (profiles.length === 0) return say('none');
  return profiles.length <= 2 ? profiles.join(', ') : formatter.format(profiles.length, 'count');
}

function comparisonWords({ document, words, say }: PageContext): string {
  if (!document.previousPeriod) return say('nothing');
  const period = words.period(document.previousPeriod, 'short');
  return document.isAtEqualAge ? say('{period:text}, at equal age', { period }) : period;
}

function currencyWords({ currency, language }: PageContext['document']): string {
  const name = new Intl.DisplayNames(language.code, { type: 'currency' }).of(currency);
  return name === undefined || name === currency ? currency : `${name} (${currency})`;
}

function joined(parts: readonly Markup[]): Markup[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [markup` · `, part]));
}
