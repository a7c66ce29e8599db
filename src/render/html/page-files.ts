import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataRoot } from '../../core/package-root.ts';

function readPageFile(name: string): string {
  return readFileSync(join(dataRoot, 'render', 'html', 'page', name), 'utf8');
}

export const screenStyles = readStyles(['tokens', 'page', 'tables', 'charts']);
/** What takes back some of them on small screens and on paper. */
export const mediaStyles = readStyles(['narrow', 'print']);

/** What a browser that runs scripts adds: sorting, finding, unfolding. The page can be read without it. */
export const script = readPageFile('page.js');

/** Without comments and the white space between rules; white space in strings is reduced, too. */
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
