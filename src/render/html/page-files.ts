import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../../core/once.ts';
import { dataRoot } from '../../core/package-root.ts';

function readPageFile(name: string): string {
  return readFileSync(join(dataRoot, 'render', 'html', 'page', name), 'utf8');
}

export const screenStyles = readStyles(['page', 'tables', 'charts']);
/** The styles that override others on small screens and on paper. */
export const mediaStyles = readStyles(['narrow', 'print']);

/** The cuts of the font of pictures and PDFs: regular and semibold. */
export const fontFiles = ['inter-regular.ttf', 'inter-semibold.ttf'].map((name) =>
  join(dataRoot, 'render', 'fonts', name),
);

/**
 * The font of a page that is only printed. Chromium draws the outlines of other cuts of Inter, and of variable fonts, as
 * pictures (Type 3), in which many readers find no digits; a TrueType cut stays a font.
 */
export const printFonts = once(() => {
  const faces = fontFiles.map((file, at) => {
    const data = readFileSync(file).toString('base64');
    const weight = at === 0 ? '100 500' : '501 900';
    return `@font-face{font-family:"Report";font-weight:${weight};src:url(data:font/ttf;base64,${data})}`;
  });
  return `${faces.join('')}body,button,input{font-family:"Report","Liberation Sans","DejaVu Sans",sans-serif}`;
});

/** The styles of charts alone. */
export const chartStyles = readStyles(['charts']);

export const indexStyles = readStyles(['index']);

export const reviewStyles = readStyles(['page', 'review']);

/** The script for sorting, searching and unfolding, without comments and indents. The page can be read without it. */
export const script = readPageFile('page.js')
  .replace(/^ *\/\*\*.*?\*\/\n/gmsu, '')
  .replace(/^ +/gmu, '');

/** The style sheet without comments and white space between rules; white space in strings is reduced, too. */
function readStyles(names: readonly string[]): string {
  return names
    .map((name) => readPageFile(`${name}.css`))
    .join('')
    .replace(/\/\*.*?\*\//gsu, '')
    .replace(/\s+/gu, ' ')
    .replace(/ ?([{};,]) ?/gu, '$1')
    .replace(/: /gu, ':')
    .replace(/;\}/gu, '}')
    .trim();
}
