import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataRoot } from '../../core/package-root.ts';

function readPageFile(name: string): string {
  return readFileSync(join(dataRoot, 'render', 'html', 'page', name), 'utf8');
}

export const screenStyles = readStyles(['page', 'tables', 'charts']);
/** The styles that override others on small screens and on paper. */
export const mediaStyles = readStyles(['narrow', 'print']);

export const indexStyles = readStyles(['index']);

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
