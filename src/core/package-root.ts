import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

/** The folder of package.json. This module is in its src/ or build/, or bundled in dist/. */
export const packageRoot = findRoot(here);

/** The folder of the files that the program reads: src/ for modules that run from there, else their copies in dist/. */
export const dataRoot = join(
  packageRoot,
  here === join(packageRoot, 'src', 'core') ? 'src' : 'dist',
);

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}
