import { createHash } from 'node:crypto';
import type { ReportDocument } from '../../report/report-document.ts';
import { productMark } from '../stamp-words.ts';
import { appendixMarkup } from './appendix.ts';
import { cardsMarkup } from './cards.ts';
import {
  asOfSentence,
  brandMarkup,
  coverageMarkup,
  factsMarkup,
  type Logo,
  titleMarkup,
} from './header.ts';
import { markup, type Markup, trusted } from './markup.ts';
import { createPageContext, type PageContext } from './page-context.ts';
import { script } from './page-files.ts';
import { cleanAttribute } from './plain-text.ts';
import { sectionsMarkup } from './section.ts';
import { styleSheet } from './style-sheet.ts';

export interface HtmlOptions {
  /** The brand's image; the page holds it, so that it asks for nothing. Null without one. */
  readonly logo: Logo | null;
  /** In which the report was written beside the page, for what the page leaves out; none unless given. */
  readonly formats?: readonly string[];
  /** Whether the appendix is on paper too; by default it is not. */
  readonly printsAppendix?: boolean;
}

/**
 * One file that asks for nothing: style, script, charts and logo are in it, and its content policy
 * lets nothing else in. The same document gives the same bytes. Every text of the document is
 * escaped; only http and https addresses become links.
 */
export function renderHtml(document: ReportDocument, options: HtmlOptions): string {
  const context = createPageContext(document, options.formats ?? []);
  const styles = styleSheet(document, footParts(context).join(' · '));
  const product = productMark(document);
  const generator = product !== null && markup`<meta name="generator" content="${product}">\n`;
  const page = markup`<!DOCTYPE html>
<html lang="${languageOf(document)}"${numeralAttributes(document.locale)}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(contentPolicy(styles, script))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
${generator}<title>${pageTitle(context)}</title>
<style>${trusted(styles)}</style>
</head>
<body${scriptWords(context)}>
<div class="page">
<header>
${brandMarkup(context, options.logo)}${titleMarkup(context)}${factsMarkup(context)}${coverageMarkup(context)}</header>
<main>
${cardsMarkup(context)}${sectionsMarkup(context)}${appendixMarkup(context, options.printsAppendix ?? false)}</main>
<footer>${footParts(context).map((part) => markup`<p><bdi>${part}</bdi></p>`)}</footer>
</div>
<script>${trusted(script)}</script>
</body>
</html>
`;
  return page.toString();
}

/** Nothing may load and nothing may run but this very style sheet and script; images are in the page. */
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

/** What was asked for, and when its data was read; paper has it at the foot of each sheet. */
function footParts(context: PageContext): string[] {
  const { name, period } = context.document;
  const report = context.say('report {name:text}', { name });
  const parts = [productMark(context.document), report, periodCode(period, context)];
  return [parts.filter((part) => part !== null).join(' · '), asOfSentence(context)];
}

/** As one would type it on the command line. */
function periodCode({ from, to }: ReportDocument['period'], { say }: PageContext): string {
  if (from !== null && to !== null) return say('{from:text} to {to:text}', { from, to });
  if (from !== null) return say('from {day:text}', { day: from });
  return to === null ? say('all dates') : say('to {day:text}', { day: to });
}

function pageTitle({ document, words }: PageContext): string {
  const brand = document.brand?.name ?? null;
  return [document.title, words.period(document.period, 'short'), brand]
    .filter((part) => part !== null)
    .join(' · ');
}

/** With the region of the locale where that is of the language: browsers sort and hyphenate by it. */
function languageOf({ locale, language: { code } }: ReportDocument): string {
  return new Intl.Locale(locale).language === code ? locale : code;
}

/** What the script writes, by the names under which it reads them. */
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

/** By which the script reads printed figures: the decimal sign and the ten digits of the locale. */
function numeralAttributes(locale: string): Markup {
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5);
  const decimal = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  const digit = new Intl.NumberFormat(locale);
  const digits = Array.from({ length: 10 }, (_, value) => digit.format(value)).join('');
  return markup` data-locale="${locale}" data-decimal="${decimal}" data-digits="${digits}"`;
}
