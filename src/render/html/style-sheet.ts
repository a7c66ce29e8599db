import { max } from 'd3-array';
import type { Paper } from '../../config/config.ts';
import type { ReportDocument } from '../../report/report-document.ts';
import { paperOf } from '../paper.ts';
import { colorStyles } from './colors.ts';
import { mediaStyles, screenStyles } from './page-files.ts';

/** The style sheet of the page: colours, fixed rules, columns by number and the foot of printed sheets. */
export function styleSheet(
  document: Pick<ReportDocument, 'brand' | 'sections' | 'copy' | 'locale'>,
  foot: string,
): string {
  const { brand, sections } = document;
  // Tables of posts have a rank and a leading cell of their own.
  const columns = (max(sections, (section) => section.columns.length) ?? 0) + 2;
  return [
    pageMargins(foot, paperOf(document)),
    colorStyles(brand?.color ?? null),
    screenStyles,
    columnStyles(columns),
    mediaStyles,
  ].join('\n');
}

/** The foot of printed sheets with the report and the page number; it replaces the foot of the page. */
function pageMargins(foot: string, paper: Paper): string {
  const look = 'font:8pt Report,Arial,sans-serif;color:#626b78';
  return `@page{size:${paper === 'a4' ? 'A4' : 'letter'};margin:14mm 13mm 15mm;@bottom-left{content:"${cssText(foot)}";${look}}@bottom-right{content:counter(page) " / " counter(pages);${look}}}`;
}

/** All but letters, digits and a few marks are escaped by code point, so that no text can end the string. */
function cssText(text: string): string {
  return text.replace(
    /[^A-Za-z0-9 ,:]/gu,
    (character) => `\\${(character.codePointAt(0) ?? 0x20).toString(16)} `,
  );
}

/** The styles of columns by number (words, drawing, key figure, may hide), so that cells need no classes. */
function columnStyles(columns: number): string {
  const numbers = Array.from({ length: columns }, (_, index) => index + 1);
  const select = (letter: string) =>
    numbers.map((number) => `.${letter}${number} tr>:nth-child(${number})`).join(',');
  const hide = numbers
    .map((number) => `.js .m${number}:not(.all) tr>:nth-child(${number})`)
    .join(',');
  return `${select('t')}{text-align:left}
${select('d')}{padding-left:24px}
${numbers.map((number) => `.k${number} td:nth-child(${number})`).join(',')}{font-weight:650}
@media screen and (max-width:560px){${hide}{display:none}}
`;
}
