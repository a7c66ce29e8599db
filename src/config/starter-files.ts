import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../core/errors.ts';
import { shareFile, shareFolder } from '../core/private-files.ts';
import { jobsJsonSchemaText } from './jobs-schema.ts';
import { dataRoot } from '../core/package-root.ts';

export interface StarterOptions {
  /** The path of jobs.yaml; the other files are written beside it. */
  readonly file: string;
  /** Set to overwrite existing files. */
  readonly force: boolean;
}

const templates = join(dataRoot, 'config', 'schema', 'starter');

/**
 * Writes a commented jobs.yaml and a `.env.example` to start from, and `jobs.schema.json`, which the first line of
 * jobs.yaml names for editors. The schema is generated, so it is always overwritten.
 * @returns the absolute paths of the written files
 * @throws UsageError, before anything is written, if one of the first two exists and `force` is not set
 */
export async function writeStarterFiles({ file, force }: StarterOptions): Promise<string[]> {
  const jobs = resolve(file);
  const folder = dirname(jobs);
  const env = join(folder, '.env.example');
  const schema = join(folder, 'jobs.schema.json');
  if (!force) refuseExisting([jobs, env], folder);
  await shareFolder(folder);
  const written = [jobs, env, schema];
  const flag = force ? 'w' : 'wx';
  await writeFile(jobs, await readFile(join(templates, 'jobs.yaml')), { flag });
  await writeFile(env, await readFile(join(templates, 'env.example')), { flag });
  await writeFile(schema, jobsJsonSchemaText());
  for (const path of written) await shareFile(path);
  return written;
}

function refuseExisting(paths: readonly string[], folder: string): void {
  const existing = paths.filter((path) => existsSync(path)).map((path) => basename(path));
  if (existing.length === 0) return;
  const [verb, them] = existing.length === 1 ? ['exists', 'it'] : ['exist', 'them'];
  throw new UsageError(
    `${existing.join(' and ')} ${verb} already in ${folder}: use an empty folder, for example \`mkdir analytics && cd analytics && postledger init\`; to start over here, keep a copy and use --force, which replaces ${them}`,
  );
}
