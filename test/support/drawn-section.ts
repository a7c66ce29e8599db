import { drawChart } from '../../src/render/html/chart.ts';
import { createPageContext } from '../../src/render/html/page-context.ts';
import type { ReportDocument, ReportSection } from '../../src/report/report-document.ts';
import { documentOf } from './document-parts.ts';

export interface DrawnSection {
  /** The two pictures' markup. */
  readonly wide: string;
  readonly narrow: string;
  /** Pictures and key. */
  readonly figure: string;
  readonly notes: readonly string[];
  readonly showsAllValues: boolean;
}

const sample = documentOf([], { previousPeriod: { from: '2024-01-01', to: '2024-12-31' } });
const context = createPageContext(sample, []);

/** The section's chart, in a document of its own or beside other sections; its texts are empty if there is none. */
export function drawnSection(
  section: ReportSection,
  changes: Partial<ReportDocument> = {},
): DrawnSection {
  const document = { ...sample, sections: [section], ...changes };
  const isSample = Object.keys(changes).length === 0;
  const own = isSample ? { ...context, document } : createPageContext(document, []);
  const chart = drawChart(section, 's1', own);
  const figure = chart?.figure.toString() ?? '';
  const drawing = (width: string) =>
    new RegExp(`<svg class="${width}"[^]*?</svg>`, 'u').exec(figure)?.[0] ?? '';
  return {
    figure,
    wide: drawing('wide'),
    narrow: drawing('narrow'),
    notes: chart?.notes ?? [],
    showsAllValues: chart?.showsAllValues ?? false,
  };
}

export interface SvgText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly look: string;
}

export function svgTexts(svg: string): SvgText[] {
  return [...svg.matchAll(/<text x="([^"]*)" y="([^"]*)"(?: class="([^"]*)")?>([^<]*)/gu)].map(
    ([, x, y, look, text]) => ({ x: Number(x), y: Number(y), look: look ?? '', text: text ?? '' }),
  );
}

export function wordsOf(svg: string): string[] {
  return svgTexts(svg).map(({ text }) => text);
}

/** The text that says exactly this; a test that asks for it has it. */
export function textOf(svg: string, text: string): SvgText {
  const found = svgTexts(svg).find((each) => each.text === text);
  if (!found) throw new Error(`no text "${text}" among ${JSON.stringify(wordsOf(svg))}`);
  return found;
}

/** The `d` of paths whose class is exactly this. */
export function pathsOf(svg: string, look: string): string[] {
  return [...svg.matchAll(/<path ([^>]*)>/gu)].flatMap(([, attributes = '']) => {
    const found = new RegExp(`(?:^| )class="${look}"`, 'u').test(attributes);
    return found ? [/(?:^| )d="([^"]*)"/u.exec(attributes)?.[1] ?? ''] : [];
  });
}

/** The corners that a path of M, L, H, V and their relative forms passes, a list a subpath, in px. */
export function cornersOf(path: string): [number, number][][] {
  const parts: [number, number][][] = [];
  let [x, y] = [0, 0];
  for (const [, command = '', tail = ''] of path.matchAll(/([MLHVmlhvz])([^MLHVmlhvz]*)/gu)) {
    const [a = 0, b = 0] = (tail.match(/-?(?:\d*\.\d+|\d+)/gu) ?? []).map(Number);
    if (command === 'M' || command === 'L') [x, y] = [a, b];
    if (command === 'l') [x, y] = [x + a, y + b];
    if (command === 'H') x = a;
    if (command === 'h') x += a;
    if (command === 'V') y = a;
    if (command === 'v') y += a;
    if (command === 'M') parts.push([]);
    if (command !== 'z') parts.at(-1)?.push([x, y]);
  }
  return parts;
}
