import { createHash } from 'node:crypto';
import type { ReportDocument } from '../../report/report-document.ts';
import { appendixMarkup } from './appendix.ts';
import { cardsMarkup } from './cards.ts';
import { headerMarkup, type Logo } from './header.ts';
import { markup, type Markup, trusted } from './markup.ts';
import { createPageContext, type PageContext } from './page-context.ts';
import { printFonts, script } from './page-files.ts';
import { shownDocument } from '../shown-document.ts';
import { cleanAttribute } from './plain-text.ts';
import { sectionsMarkup } from './section.ts';
import { styleSheet } from './style-sheet.ts';

export interface HtmlOptions {
  /** The image of the brand, which is embedded in the page; null when there is none. */
  readonly logo: Logo | null;
  /** The other formats of the report, to which the page refers for rows that it leaves out. Defaults to none. */
  readonly formats?: readonly string[];
}

/**
 * One file that loads nothing else: style, script, charts and logo are in it, and its content policy allows nothing
 * more. The same document gives the same bytes. Every text of the document is escaped; only http and https addresses
 * become links.
 */
export function renderHtml(document: ReportDocument, options: HtmlOptions): string {
  return pageOf([createPageContext(shownDocument(document), options.formats ?? [])], options);
}

/** Reports that are only printed, one after the other: without a script, since paper has no controls. */
export function renderPrint(
  documents: readonly [ReportDocument, ...ReportDocument[]],
  options: Pick<HtmlOptions, 'logo'>,
): string {
  const [first, ...more] = documents.map((document, at) => {
    const ids = documents.length === 1 ? '' : `r${at + 1}-`;
    return createPageContext(shownDocument(document), [], { ids, isPaper: true });
  });
  return first === undefined ? '' : pageOf([first, ...more], options);
}

function pageOf(contexts: readonly [PageContext, ...PageContext[]], { logo }: HtmlOptions): string {
  const [context] = contexts;
  const { document, head, isPaper } = context;
  const isOne = contexts.length === 1;
  const foot = footParts(context, isOne);
  const sections = contexts.flatMap((each) => each.document.sections);
  const own = styleSheet({ ...document, sections }, foot.join(' · '));
  const styles = isPaper ? own + printFonts() : own;
  const generator =
    head.product !== null && markup`<meta name="generator" content="${head.product}">\n`;
  const name = isOne ? head.title : context.say('LinkedIn reports');
  const title = [name, head.period, head.brand].filter((part) => part !== null);
  const code = isPaper ? null : script;
  const page = markup`<!DOCTYPE html>
<html lang="${languageOf(document)}"${numeralAttributes(document.locale)}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(contentPolicy(styles, code))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
${generator}<title>${title.join(' · ')}</title>
<style>${trusted(styles)}</style>
</head>
<body${code !== null && scriptWords(context)}>
${contexts.map((each) => reportMarkup(each, logo, each === context && !isOne && contentsMarkup(contexts), foot))}${code !== null && markup`<script>${trusted(code)}</script>\n`}</body>
</html>
`;
  return page.toString();
}

function reportMarkup(
  context: PageContext,
  logo: Logo | null,
  contents: Markup | false,
  foot: readonly string[],
): Markup {
  const { ids } = context;
  return markup`<div class="page"${ids !== '' && markup` id="${ids}report"`}>
${headerMarkup(context, logo)}
${contents}<main>
${cardsMarkup(context)}${sectionsMarkup(context)}${appendixMarkup(context)}</main>
<footer>${foot.map((part) => markup`<p><bdi>${part}</bdi></p>`)}</footer>
</div>
`;
}

/** The reports of the page, each with a link to its first sheet. */
function contentsMarkup([context, ...more]: readonly [PageContext, ...PageContext[]]): Markup {
  const links = more.map(
    ({ head, ids }) => markup`<li><a href="#${ids}report"><bdi>${head.title}</bdi></a></li>`,
  );
  return markup`<nav class="coverage"><p>${context.say('Contents')}</p><ul>${links}</ul></nav>
`;
}

/** Only this style sheet and this script may run, and only images in the page may load. */
function contentPolicy(styles: string, code: string | null): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    `style-src ${hash(styles)}`,
    ...(code === null ? [] : [`script-src ${hash(code)}`]),
    'img-src data:',
    ...(code === null ? ['font-src data:'] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** The name of the report or of the client, and the age of the data; on paper they are at the foot of each sheet. */
function footParts({ document, head, say }: PageContext, isOne: boolean): string[] {
  const report = isOne ? say('report {name:text}', { name: document.name }) : head.brand;
  const parts = [head.product, report, head.period].filter((part) => part !== null);
  return [parts.join(' · '), head.dataAsOf];
}

/** The language for sorting and hyphenation, with the region when the locale is of the same language. */
function languageOf({ locale, language: { code } }: ReportDocument): string {
  return new Intl.Locale(locale).language === code ? locale : code;
}

/** The phrases of the script, as attributes that it reads. */
function scriptWords({ say }: PageContext): Markup {
  const words = {
    show: say('Show'),
    hide: say('Hide'),
    next: say('Show {n:text} more of {all:text}'),
    found: say('{n:text} of {all:text}'),
    more: say('More columns'),
    fewer: say('Fewer columns'),
  };
  return markup`${Object.entries(words).map(([name, text]) => markup` data-${name}="${cleanAttribute(text)}"`)}`;
}

/** The decimal sign and the digits of the locale, by which the script parses printed figures. */
function numeralAttributes(locale: string): Markup {
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5);
  const decimal = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  const digit = new Intl.NumberFormat(locale);
  const digits = Array.from({ length: 10 }, (_, value) => digit.format(value)).join('');
  return markup` data-locale="${locale}" data-decimal="${decimal}" data-digits="${digits}"`;
}
