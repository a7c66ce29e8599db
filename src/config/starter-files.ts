import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../core/errors.ts';
import { shareFile, shareFolder } from '../core/private-files.ts';
import { jobsJsonSchemaText } from './jobs-schema.ts';
import { dataRoot, packageRoot } from '../core/package-root.ts';

export interface StarterOptions {
  /** The path of jobs.yaml; the other files are written beside it. */
  readonly file: string;
  /** Set to overwrite existing files. */
  readonly force: boolean;
  /** Set for the example of this package, which reads the sandbox and has a `.env`, too. */
  readonly sandbox: boolean;
}

const starter = join(dataRoot, 'config', 'schema', 'starter');

/**
 * Writes a commented jobs.yaml and a `.env.example` to start from, and `jobs.schema.json`, which the first line of
 * jobs.yaml names for editors. The schema is generated, so it is always overwritten.
 * @returns the absolute paths of the written files
 * @throws UsageError, before anything is written, if another of them exists and `force` is not set
 */
export async function writeStarterFiles({
  file,
  force,
  sandbox,
}: StarterOptions): Promise<string[]> {
  const jobs = resolve(file);
  const folder = dirname(jobs);
  const schema = join(folder, 'jobs.schema.json');
  const jobsTemplate = sandbox ? join(packageRoot, 'jobs.yaml') : join(starter, 'jobs.yaml');
  const envTemplate = sandbox ? join(packageRoot, '.env.example') : join(starter, 'env.example');
  const jobsText = (await readFile(jobsTemplate, 'utf8')).replace(
    /(?<=\$schema=).*/,
    './jobs.schema.json',
  );
  const env = await readFile(envTemplate, 'utf8');
  const texts = new Map([
    [jobs, jobsText],
    [join(folder, '.env.example'), env],
    ...(sandbox ? ([[join(folder, '.env'), env]] as const) : []),
  ]);
  if (!force) refuseExisting([...texts.keys()], folder);
  await shareFolder(folder);
  for (const [path, text] of [...texts, [schema, jobsJsonSchemaText()] as const]) {
    await writeFile(path, text, { mode: 0o600, flag: force || path === schema ? 'w' : 'wx' });
    if (basename(path) !== '.env') await shareFile(path);
  }
  return [...texts.keys(), schema];
}

function refuseExisting(paths: readonly string[], folder: string): void {
  const existing = paths.filter((path) => existsSync(path)).map((path) => basename(path));
  if (existing.length === 0) return;
  const [verb, them] = existing.length === 1 ? ['exists', 'it'] : ['exist', 'them'];
  throw new UsageError(
    `${existing.join(' and ')} ${verb} already in ${folder}: use an empty folder, for example \`mkdir analytics && cd analytics && postledger init\`; to start over here, keep a copy and use --force, which replaces ${them}`,
  );
}
