import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { defineConfig } from 'rolldown';
import { parseDefinition, parseShared } from './build/report/definition-file.js';

/** Native, or large and imported only when used: they stay packages of their own. What wraps DuckDB's binding is bundled. */
const separate = [
  '@aws-sdk/client-s3',
  '@duckdb/node-bindings',
  'exceljs',
  'pino-pretty',
  'prom-client',
  'undici',
];

/**
 * Puts what the built-in reports' YAML says into the program, so that it has not to be read each time.
 * @type {import('rolldown').Plugin}
 */
const parsedReports = {
  name: 'parsed-reports',
  async load(id) {
    if (basename(id) !== 'parsed-yaml.js') return null;
    const files = (await readdir('reports', { recursive: true })).filter((file) =>
      file.endsWith('.yaml'),
    );
    const entries = files.map(async (file) => {
      const text = await readFile(`reports/${file}`, 'utf8');
      const said = file === 'shared.yaml' ? parseShared(text) : parseDefinition(text, file);
      return [createHash('sha256').update(text).digest('hex'), said];
    });
    const json = JSON.stringify(await Promise.all(entries));
    return `export const parsedYaml = new Map(JSON.parse(${JSON.stringify(json)}));`;
  },
};

/**
 * Puts the files that the program reads beside the program, in the rooms that they have in src/.
 * @type {import('rolldown').Plugin}
 */
const dataFiles = {
  name: 'data-files',
  async generateBundle() {
    const entries = await readdir('src', { recursive: true, withFileTypes: true });
    for (const file of entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.ts'))) {
      const path = join(file.parentPath, file.name);
      this.emitFile({
        type: 'asset',
        fileName: relative('src', path),
        source: await readFile(path),
      });
    }
  },
};

/** What the package ships: few files start faster than some hundred. The modules themselves are in build/. */
export default defineConfig({
  input: { bin: 'build/bin.js', cli: 'build/cli.js', index: 'build/index.js' },
  platform: 'node',
  logLevel: 'warn',
  plugins: [parsedReports, dataFiles],
  external: (id) => separate.some((name) => id === name || id.startsWith(`${name}/`)),
  output: {
    dir: 'dist',
    cleanDir: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
    sourcemap: true,
  },
});
