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

type ColorName = keyof typeof colors;

/**
 * The colours of a brand on a light or a dark ground: of links, bars, the first series and the sequence. A dark ground takes
 * a lighter tone of a colour that could not be read on it; a light ground keeps its blue. Rise and fall keep their colours.
 */
function brandColors(
  brand: string | null,
  theme: 0 | 1,
): Readonly<Partial<Record<ColorName, string>>> {
  const tone = brand && (theme === 1 ? lightened(brand, colors.bg[1]) : brand);
  if (tone === null || !isLegible(tone, colors.bg[theme])) return {};
  const [ground, ink, end] = [colors.bg[theme], colors.ink[theme], theme === 0 ? black : white];
  // figures in the lower cells are of the ink, so these stay far enough from it
  const share =
    steps.find((each) => contrast(mixed(ground, tone, each), ink) >= minContrast) ?? 0.1;
  const low = [0.13, 0.35, 0.65, 1].map((part) => mixed(ground, tone, part * share));
  const high = [0, 0.28, 0.55].map((part) => mixed(tone, end, part));
  const sequence = Object.fromEntries(
    [...low, ...high].map((color, step) => [`s${step}`, color] as const),
  );
  return { accent: tone, bar: tone, c1: tone, t1: tone, ...sequence };
}

const [black, white] = ['#000000', '#ffffff'];
/** The shares of a colour in a tone of it, from the largest on. */
const steps = [0.6, 0.5, 0.4, 0.3, 0.2];

/** The colour, or the first lighter tone of it that can be read on a dark ground. */
function lightened(color: string, ground: string): string {
  const tones = Array.from({ length: 10 }, (_, step) => mixed(color, white, step / 10));
  return tones.find((tone) => isLegible(tone, ground)) ?? white;
}

/** A mix of two `#rrggbb` colours. @param share that of the second */
function mixed(first: string, second: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [from, to] = [first, second].map((color) => Number.parseInt(color.slice(at, at + 2), 16));
    const level = (from ?? 0) + ((to ?? 0) - (from ?? 0)) * share;
    return Math.round(level).toString(16).padStart(2, '0');
  });
  return `#${parts.join('')}`;
}

/** The colours on a light ground, as `#rrggbb`. @param brand the brand's colour; null without one */
export function lightColors(brand: string | null): Readonly<Record<ColorName, string>> {
  const usual = Object.entries(colors).map(([name, [light]]) => [name, light] as const);
  return { ...(Object.fromEntries(usual) as Record<ColorName, string>), ...brandColors(brand, 0) };
}

/**
 * The styles of a chart that is drawn alone and on light ground, for a program that knows neither variables nor media: its
 * colours are written out.
 * @param styles the style sheet of charts on pages
 */
export function pictureStyles(styles: string, brand: string | null): string {
  const known: Readonly<Record<string, string>> = lightColors(brand);
  const plain = styles
    .replaceAll(/@[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/gu, '')
    .replaceAll(/\.(?:target|event) ~ \.over/gu, '.over');
  const categories = dashes.map((dash, at) => {
    const own: Readonly<Record<string, string>> = {
      c: `var(--c${at + 1})`,
      t: `var(--t${at + 1})`,
      d: dash,
    };
    return { look: `.c${at + 1}`, own };
  });
  const written = (text: string) =>
    text.replaceAll(/var\(--(\w+)(?:,[^()]*)?\)/gu, (_, name: string) => known[name] ?? 'none');
  const rules = [...plain.matchAll(/([^{}]+)\{([^{}]*)\}/gu)].flatMap(
    ([, names = '', body = '']) => {
      const selectors = names.split(',').filter((name) => !/[:>~[]/u.test(name));
      const rule = (look: string, text: string) =>
        selectors.length === 0
          ? []
          : [`${selectors.map((name) => name + look).join(',')}{${text}}`];
      const ofCategory = /var\(--([ctd])(?:, ?((?:[^()]|\([^()]*\))*))?\)/gu;
      if (!ofCategory.test(body)) return rule('', written(body));
      const usual = body.replaceAll(
        ofCategory,
        (_, _name: string, other?: string) => other ?? 'none',
      );
      const variants = categories.flatMap(({ look, own }) =>
        rule(look, written(body.replaceAll(ofCategory, (_, name: string) => own[name] ?? 'none'))),
      );
      return [...rule('', written(usual)), ...variants];
    },
  );
  const sequence = Array.from({ length: 7 }, (_, step) =>
    written(`.s${step}{fill:var(--s${step})}`),
  );
  return [...sequence, ...rules].join('');
}

/** The dashes of the lines of c1 to c6, which tell them apart as well. */
const dashes = ['none', '7 3', '2 3', '9 3 2 3', '12 4', 'none'];

/** @param brand the brand's colour as `#rrggbb`; null without one */
export function colorStyles(brand: string | null): string {
  const rule = (theme: 0 | 1 | 2, scheme: readonly string[]) => {
    const own: Readonly<Record<string, string>> = theme === 2 ? {} : brandColors(brand, theme);
    const tokens = Object.entries(colors).map(
      ([name, color]) => `--${name}:${own[name] ?? color[theme]}`,
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
