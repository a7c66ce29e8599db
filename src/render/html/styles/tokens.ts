import { contrast } from './contrast.ts';

const light = {
  bg: '#ffffff',
  tint: '#f4f6f8',
  ink: '#15191f',
  ink2: '#434b57',
  ink3: '#626b78',
  axis: '#8a929d',
  rule: '#dde1e6',
  accent: '#0b5fa5',
  down: '#b3430a',
  bar: '#1a76c4',
  // Categories in the order in which they are given out, and the two of them that text cannot take.
  c1: '#1a76c4',
  c2: '#de5f0b',
  c3: '#0b3b3a',
  c4: '#8c319b',
  c5: '#5c4d06',
  c6: '#7b8491',
  t2: '#b3430a',
  t4: '#8c319b',
  // The heatmap's colours from low to high, and the ink of figures on the upper three.
  s0: '#eef4fa',
  s1: '#d3e4f2',
  s2: '#a9cbe6',
  s3: '#74a9d3',
  s4: '#3574ac',
  s5: '#175a96',
  s6: '#0a3763',
  on: '#ffffff',
} as const;

const dark: Tokens = {
  bg: '#14171b',
  tint: '#1c2026',
  ink: '#eceff2',
  ink2: '#bcc3cc',
  ink3: '#97a0ac',
  axis: '#77808c',
  rule: '#2c3239',
  accent: '#6cb4ee',
  down: '#f39a66',
  bar: '#4f9ad8',
  c1: '#6cb4ee',
  c2: '#ef8a52',
  c3: '#c4f0dd',
  c4: '#b55ec6',
  c5: '#ecd23f',
  c6: '#7d8794',
  t2: '#f39a66',
  t4: '#cf8edb',
  s0: '#1b242e',
  s1: '#1d3347',
  s2: '#1f4868',
  s3: '#24628f',
  s4: '#3583bb',
  s5: '#62a9df',
  s6: '#a9d4f5',
  on: '#0e1114',
};

/** The reader's own colours: strokes, hatches and figures carry what colour did. */
const forced: Tokens = {
  bg: 'Canvas',
  tint: 'Canvas',
  ink: 'CanvasText',
  ink2: 'CanvasText',
  ink3: 'CanvasText',
  axis: 'CanvasText',
  rule: 'CanvasText',
  accent: 'LinkText',
  down: 'CanvasText',
  bar: 'GrayText',
  c1: 'CanvasText',
  c2: 'CanvasText',
  c3: 'CanvasText',
  c4: 'CanvasText',
  c5: 'CanvasText',
  c6: 'CanvasText',
  t2: 'CanvasText',
  t4: 'CanvasText',
  s0: 'Canvas',
  s1: 'Canvas',
  s2: 'Canvas',
  s3: 'Canvas',
  s4: 'Canvas',
  s5: 'Canvas',
  s6: 'Canvas',
  on: 'CanvasText',
};

type Tokens = Readonly<Record<keyof typeof light, string>>;

/** Text smaller than large needs this much (WCAG 2.2, 1.4.3). */
const leastContrast = 4.5;

/**
 * Light on paper and by default, dark on dark screens. The brand's colour takes the accent's place
 * on each ground on which it can be read.
 */
export function tokenStyles(brandColor: string | null): string {
  return `:root{color-scheme:light;${declare(branded(light, brandColor))}}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;${declare(branded(dark, brandColor))}}}
@media (forced-colors:active){:root{${declare(forced)}}}
`;
}

function branded(tokens: Tokens, color: string | null): Tokens {
  if (color === null || !/^#[0-9a-f]{6}$/iu.test(color)) return tokens;
  return contrast(color, tokens.bg) >= leastContrast ? { ...tokens, accent: color } : tokens;
}

function declare(tokens: Tokens): string {
  return Object.entries(tokens)
    .map(([name, color]) => `--${name}:${color}`)
    .join(';');
}
