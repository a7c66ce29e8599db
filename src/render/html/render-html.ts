import { createHash } from 'node:crypto';
import type { ReportDocument } from '../../report/report-document.ts';
import { appendixMarkup } from './appendix.ts';
import { cardsMarkup } from './cards.ts';
import { headerMarkup, type Logo } from './header.ts';
import { markup, type Markup, trusted } from './markup.ts';
import { createPageContext, type PageContext } from './page-context.ts';
import { script } from './page-files.ts';
import { shownDocument } from '../shown-document.ts';
import { cleanAttribute } from './plain-text.ts';
import { sectionsMarkup } from './section.ts';
import { styleSheet } from './style-sheet.ts';

export interface HtmlOptions {
  /** The image of the brand, which is embedded in the page; null when there is none. */
  readonly logo: Logo | null;
  /** The other formats of the report, to which the page refers for rows that it leaves out. Defaults to none. */
  readonly formats?: readonly string[];
  /** Set when the appendix is printed, too. */
  readonly printsAppendix?: boolean;
}

/**
 * One file that loads nothing else: style, script, charts and logo are in it, and its content policy allows nothing
 * more. The same document gives the same bytes. Every text of the document is escaped; only http and https addresses
 * become links.
 */
export function renderHtml(whole: ReportDocument, options: HtmlOptions): string {
  const document = shownDocument(whole);
  const context = createPageContext(document, options.formats ?? []);
  const { head } = context;
  const foot = footParts(context);
  const styles = styleSheet(document, foot.join(' · '));
  const generator =
    head.product !== null && markup`<meta name="generator" content="${head.product}">\n`;
  const title = [head.title, head.period, head.brand].filter((part) => part !== null);
  const page = markup`<!DOCTYPE html>
<html lang="${languageOf(document)}"${numeralAttributes(document.locale)}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(contentPolicy(styles, script))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
${generator}<title>${title.join(' · ')}</title>
<style>${trusted(styles)}</style>
</head>
<body${scriptWords(context)}>
<div class="page">
${headerMarkup(context, options.logo)}
<main>
${cardsMarkup(context)}${sectionsMarkup(context)}${appendixMarkup(context, options.printsAppendix ?? false)}</main>
<footer>${foot.map((part) => markup`<p><bdi>${part}</bdi></p>`)}</footer>
</div>
<script>${trusted(script)}</script>
</body>
</html>
`;
  return page.toString();
}

/** Only this style sheet and this script may run, and only images in the page may load. */
function contentPolicy(styles: string, code: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    `style-src ${hash(styles)}`,
    `script-src ${hash(code)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** The report and the age of its data; on paper they are at the foot of each sheet. */
function footParts({ document, head, say }: PageContext): string[] {
  const report = say('report {name:text}', { name: document.name });
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
