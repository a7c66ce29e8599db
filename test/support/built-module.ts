import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '..', '..');

/** The address of a module of the built program, by its path in `build`: a plain process runs no TypeScript. */
export function builtUrl(path: string): string {
  return pathToFileURL(join(root, 'build', path)).href;
}
