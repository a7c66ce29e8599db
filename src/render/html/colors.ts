import type { Config } from '../../config/config.ts';

/**
 * The colours of a page: on light screens and on paper, on dark screens, and where the reader has forced colours, when
 * strokes, hatches and figures carry what colour did. A rise and a fall have colours of their own.
 * c1 to c6 are categories in the order in which they are given out, and t1 to t6 the same as text. s0 to s6 are a sequence
 * from low to high, and on is that of figures on its upper three.
 */
const colors = {
  bg: ['#ffffff', '#14171b', 'Canvas'],
  tint: ['#f4f6f8', '#1c2026', 'Canvas'],
  ink: ['#15191f', '#eceff2', 'CanvasText'],
  ink2: ['#434b57', '#bcc3cc', 'CanvasText'],
  ink3: ['#626b78', '#97a0ac', 'CanvasText'],
  axis: ['#8a929d', '#77808c', 'CanvasText'],
  rule: ['#dde1e6', '#2c3239', 'CanvasText'],
  accent: ['#0b5fa5', '#6cb4ee', 'LinkText'],
  up: ['#0b5fa5', '#6cb4ee', 'CanvasText'],
  down: ['#b3430a', '#f39a66', 'CanvasText'],
  bar: ['#1a76c4', '#4f9ad8', 'GrayText'],
  c1: ['#1a76c4', '#6cb4ee', 'CanvasText'],
  c2: ['#de5f0b', '#ef8a52', 'CanvasText'],
  c3: ['#0b3b3a', '#c4f0dd', 'CanvasText'],
  c4: ['#8c319b', '#b55ec6', 'CanvasText'],
  c5: ['#5c4d06', '#ecd23f', 'CanvasText'],
  c6: ['#7b8491', '#7d8794', 'CanvasText'],
  t1: ['#1a76c4', '#6cb4ee', 'CanvasText'],
  t2: ['#b3430a', '#f39a66', 'CanvasText'],
  t3: ['#0b3b3a', '#c4f0dd', 'CanvasText'],
  t4: ['#8c319b', '#cf8edb', 'CanvasText'],
  t5: ['#5c4d06', '#ecd23f', 'CanvasText'],
  t6: ['#626b78', '#97a0ac', 'CanvasText'],
  s0: ['#eef4fa', '#1b242e', 'Canvas'],
  s1: ['#d3e4f2', '#1d3347', 'Canvas'],
  s2: ['#a9cbe6', '#1f4868', 'Canvas'],
  s3: ['#74a9d3', '#24628f', 'Canvas'],
  s4: ['#3574ac', '#3583bb', 'Canvas'],
  s5: ['#175a96', '#62a9df', 'Canvas'],
  s6: ['#0a3763', '#a9d4f5', 'Canvas'],
  on: ['#ffffff', '#0e1114', 'CanvasText'],
} as const;

/** The colour of a brand is that of links, bars and the first series on each ground on which it is legible. */
const brandColors: readonly string[] = ['accent', 'bar', 'c1', 't1'];

/** The dashes of the lines of c1 to c6, which tell them apart as well. */
const dashes = ['none', '7 3', '2 3', '9 3 2 3', '12 4', 'none'];

/** @param brand the brand's colour as `#rrggbb`; null without one */
export function colorStyles(brand: string | null): string {
  const rule = (place: 0 | 1 | 2, scheme: readonly string[]) => {
    const isBrand = brand !== null && isLegible(brand, colors.bg[place]);
    const tokens = Object.entries(colors).map(
      ([name, color]) =>
        `--${name}:${isBrand && brandColors.includes(name) ? brand : color[place]}`,
    );
    return `:root{${[...scheme, ...tokens].join(';')}}`;
  };
  const steps = Array.from({ length: 7 }, (_, step) => `.s${step}{fill:var(--s${step})}`);
  const categories = dashes.map(
    (dash, at) => `.c${at + 1}{--c:var(--c${at + 1});--t:var(--t${at + 1});--d:${dash}}`,
  );
  return `${rule(0, ['color-scheme:light'])}
@media screen and (prefers-color-scheme:dark){${rule(1, ['color-scheme:dark'])}}
@media (forced-colors:active){${rule(2, [])}}
${[...steps, ...categories].join('')}`;
}

/** The contrast that normal text needs (WCAG 2.2, 1.4.3). */
const minContrast = 4.5;

/** Finds brand colours in which text and lines could not be read. */
export function colorDoubts({ brand, clients }: Config): string[] {
  const given = [brand, ...[...clients.values()].map((client) => client.brand)].flatMap(
    (each) => each?.color ?? [],
  );
  return [...new Set(given)]
    .filter((color) => !isLegible(color))
    .map(
      (color) =>
        `brand.color ${color} cannot be read on white, so charts and links keep their blue there; name a darker one`,
    );
}

/** True for a `#rrggbb` colour in which text can be read on the ground. */
function isLegible(color: string, ground: string = colors.bg[0]): boolean {
  const areGiven = [color, ground].every((each) => /^#[0-9a-f]{6}$/iu.test(each));
  return areGiven && contrast(color, ground) >= minContrast;
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
