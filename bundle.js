// Makes dist/ from build/, which tsc writes: `npm run build`. With --check it only tells by its exit code whether dist/ is
// newer than its sources.
import { createHash } from 'node:crypto';
import { chmod, readFile, readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { build, defineConfig } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { jobsJsonSchemaText } from './build/config/jobs-schema.js';
import { parseDefinition, parseShared } from './build/report/definition-file.js';

if (process.argv.includes('--check')) process.exit((await isCurrent()) ? 0 : 1);

/** Returns true if no source, nor a folder of sources, was changed after the last file of dist/ was written. */
async function isCurrent() {
  const below = async (folder) =>
    (await readdir(folder, { recursive: true })).map((path) => join(folder, path));
  const sources = [...(await below('src')), ...(await below('reports')), 'src', 'package.json'];
  const modified = await Promise.all([...sources, 'bundle.js'].map((path) => stat(path)));
  const { mtimeMs: builtMs } = await stat('dist/index.d.ts');
  return modified.every(({ mtimeMs }) => mtimeMs <= builtMs);
}

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
 * Bundles what a module of ours requires when it first needs it: rolldown looks at calls of `require` only where a module
 * has none of its own.
 * @type {import('rolldown').Plugin}
 */
const requiredPackages = {
  name: 'required-packages',
  transform: {
    filter: { id: { exclude: /node_modules/ } },
    handler: (code) => code.replace('const require = createRequire(import.meta.url);', ''),
  },
};

/**
 * Replaces a call that Node warns of outside node_modules, on the terminal of whoever writes a workbook.
 * @type {import('rolldown').Plugin}
 */
const currentBuffers = {
  name: 'current-buffers',
  transform: {
    filter: { id: /node_modules[\\/]archiver-utils/ },
    handler: (code) => code.replaceAll('new Buffer(', 'Buffer.from('),
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
      const source = await readFile(path);
      this.emitFile({ type: 'asset', fileName: relative('src', path), source });
    }
    // it is asked for by its path, since nothing imports it
    const wasm = await readFile('node_modules/@resvg/resvg-wasm/index_bg.wasm');
    this.emitFile({ type: 'asset', fileName: 'render/resvg.wasm', source: wasm });
    // for the editor of whoever opens this repository's jobs.yaml
    const source = jobsJsonSchemaText();
    this.emitFile({ type: 'asset', fileName: 'config/schema/jobs.schema.json', source });
  },
};

/** Packages that name their licence in package.json and have its text nowhere. */
const withoutText = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-login',
  '@aws-sdk/nested-clients',
  '@resvg/resvg-wasm',
  'saxes',
  'standardwebhooks',
];

/**
 * Writes the licence of each bundled package into one file. A package without the text of its licence fails the build.
 * @type {import('rolldown').Plugin}
 */
const licenses = {
  name: 'licenses',
  async generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
    const folders = chunks.flatMap(({ moduleIds }) => moduleIds.flatMap(packageFolder));
    const texts = [...new Set(folders)].sort().map(readLicense);
    const source = (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES', source });
  },
};

/** The folder of the package that has this module; none for a module of ours. */
function packageFolder(id) {
  const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? [];
  return folder === undefined ? [] : [folder.replace('\0', '')];
}

async function readLicense(folder) {
  const { name, version, license, author, repository } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const head = `${name}@${version}, ${license}`;
  if (withoutText.includes(name)) {
    return `${head}, by ${author?.name ?? author ?? repository}: https://spdx.org/licenses/${license}.html\n`;
  }
  const texts = await licenseTexts(folder);
  if (!license || texts.length === 0) throw new Error(`${head} has no licence text`);
  return [head, ...texts].map((text) => `${text.trim()}\n`).join('\n');
}

/** The files of a package that hold its licence and notices; where there are none, the last part of its README. */
async function licenseTexts(folder) {
  const files = await readdir(folder);
  const named = files.filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  if (named.length > 0) {
    return Promise.all(named.map((file) => readFile(join(folder, file), 'utf8')));
  }
  const readme = files.includes('README.md')
    ? await readFile(join(folder, 'README.md'), 'utf8')
    : '';
  return /^## license\n[^]*Permission is hereby granted[^]*/im.exec(readme) ?? [];
}

/** What the package ships: few files start faster than some hundred, and what they import need not be installed. */
const program = defineConfig({
  input: { bin: 'build/bin.js', cli: 'build/cli.js', index: 'build/index.js' },
  platform: 'node',
  logLevel: 'warn',
  plugins: [parsedReports, requiredPackages, currentBuffers, dataFiles, licenses],
  // the one is native; the other is asked for by a reader of zip files in buckets, which nothing calls
  external: (id, importer) =>
    id === '@duckdb/node-bindings' ||
    (id === '@aws-sdk/client-s3' && importer?.includes(`${sep}unzipper${sep}`)),
  output: { dir: 'dist', cleanDir: true, chunkFileNames: 'chunks/[name]-[hash].js' },
});

/** The library's types in one file, with those of zod, whose users need no zod of their own. */
const types = defineConfig({
  input: { index: 'build/index.d.ts' },
  logLevel: 'warn',
  checks: { bundlerTimings: false, pluginTimings: false },
  plugins: [
    dts({ dtsInput: true, emitDtsOnly: true, resolve: ['zod'] }),
    {
      name: 'zod-comments',
      // zod's comments hold for the next line, and here would stand on the same one
      renderChunk: (code) => code.replaceAll('@ts-ignore Cast variance */', '$&\n'),
    },
  ],
  output: { dir: 'dist' },
});

await build(program);
// in a checkout, npx starts it as it is
await chmod('dist/bin.js', 0o755);
await build(types);
