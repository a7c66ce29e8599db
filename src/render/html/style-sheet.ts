import { max } from 'd3-array';
import type { ReportDocument } from '../../report/report-document.ts';
import { mediaStyles, screenStyles } from './page-files.ts';

/** The style sheet of the page: fixed rules, the colour of the brand, columns by place and the foot of printed sheets. */
export function styleSheet(
  { brand, sections }: Pick<ReportDocument, 'brand' | 'sections'>,
  foot: string,
): string {
  // Tables of posts have a rank and a leading cell of their own.
  const columns = (max(sections, (section) => section.columns.length) ?? 0) + 2;
  return [
    pageMargins(foot),
    screenStyles,
    accentStyles(brand?.color ?? null),
    columnStyles(columns),
    mediaStyles,
  ].join('\n');
}

/** The foot of printed sheets with the report and the page number; it replaces the foot of the page. */
function pageMargins(foot: string): string {
  const look = 'font:8pt Inter,Arial,sans-serif;color:#626b78';
  return `@page{size:A4;margin:14mm 13mm 15mm;@bottom-left{content:"${cssText(foot)}";${look}}@bottom-right{content:counter(page) " / " counter(pages);${look}}}`;
}

/** All but letters, digits and a few marks are escaped by code point, so that no text can end the string. */
function cssText(text: string): string {
  return text.replace(
    /[^A-Za-z0-9 ,:]/gu,
    (character) => `\\${(character.codePointAt(0) ?? 0x20).toString(16)} `,
  );
}

/** The contrast that normal text needs (WCAG 2.2, 1.4.3). */
const minContrast = 4.5;

/** The grounds of the page, and the colours on them without a brand. */
const usualColors = {
  '#ffffff': { accent: '#0b5fa5', bar: '#1a76c4', c1: '#1a76c4' },
  '#14171b': { accent: '#6cb4ee', bar: '#4f9ad8', c1: '#6cb4ee' },
} as const;

/** The colour of the brand is that of links, bars and the first series on each ground on which it is legible. */
function accentStyles(color: string | null): string {
  const rule = (ground: keyof typeof usualColors) => {
    const usual = usualColors[ground];
    const { accent, bar, c1 } =
      color !== null && isLegible(color, ground) ? { accent: color, bar: color, c1: color } : usual;
    return `:root{--accent:${accent};--bar:${bar};--c1:${c1}}`;
  };
  return `${rule('#ffffff')}
@media screen and (prefers-color-scheme:dark){${rule('#14171b')}}
@media (forced-colors:active){:root{--accent:LinkText;--bar:GrayText;--c1:CanvasText}}`;
}

/** True for a `#rrggbb` colour in which text can be read on the ground. */
export function isLegible(color: string, ground = '#ffffff'): boolean {
  return /^#[0-9a-f]{6}$/iu.test(color) && contrast(color, ground) >= minContrast;
}

/** The contrast ratio of two `#rrggbb` colours, 1 to 21 (WCAG 2.2, relative luminance). */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const level = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The styles of columns by place (words, drawing, key figure, may hide), so that cells need no classes. */
function columnStyles(columns: number): string {
  const places = Array.from({ length: columns }, (_, index) => index + 1);
  const select = (letter: string) =>
    places.map((place) => `.${letter}${place} tr>:nth-child(${place})`).join(',');
  const hide = places.map((place) => `.js .m${place}:not(.all) tr>:nth-child(${place})`).join(',');
  return `${select('t')}{text-align:left}
${select('d')}{padding-left:24px}
${places.map((place) => `.k${place} td:nth-child(${place})`).join(',')}{font-weight:650}
@media screen and (max-width:560px){${hide}{display:none}}
`;
}
