import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError, hasErrorCode } from '../core/errors.ts';
import { shareFile, shareFolder } from '../core/private-files.ts';
import { jobsJsonSchemaText } from './json-schema.ts';

export interface StarterOptions {
  /** Where jobs.yaml is to be; the other files go beside it. */
  readonly file: string;
  /** Whether files that exist are written over. */
  readonly force: boolean;
}

const templates = fileURLToPath(new URL('../../schema/starter/', import.meta.url));

/**
 * Writes a commented jobs.yaml and a `.env.example` to start from, and `jobs.schema.json`, which the first
 * line of jobs.yaml names for editors. The schema is generated, so it is always written anew.
 * @returns the absolute paths of what was written
 * @throws UsageError when one of the two exists already and `force` is not set; then nothing is written
 */
export async function writeStarterFiles({ file, force }: StarterOptions): Promise<string[]> {
  const jobs = resolve(file);
  const folder = dirname(jobs);
  const own = [
    { path: jobs, text: await readFile(join(templates, 'jobs.yaml'), 'utf8') },
    {
      path: join(folder, '.env.example'),
      text: await readFile(join(templates, 'env.example'), 'utf8'),
    },
  ];
  if (!force)
    await refuseExisting(
      own.map(({ path }) => path),
      folder,
    );
  const schema = { path: join(folder, 'jobs.schema.json'), text: jobsJsonSchemaText() };
  await shareFolder(folder);
  for (const { path, text } of own) await writeFile(path, text, { flag: force ? 'w' : 'wx' });
  await writeFile(schema.path, schema.text);
  const written = [...own.map(({ path }) => path), schema.path];
  for (const path of written) await shareFile(path);
  return written;
}

async function refuseExisting(paths: readonly string[], folder: string): Promise<void> {
  const existing: string[] = [];
  for (const path of paths) if (await isPresent(path)) existing.push(basename(path));
  if (existing.length === 0) return;
  const [verb, them] = existing.length === 1 ? ['exists', 'it'] : ['exist', 'them'];
  throw new UsageError(
    `${existing.join(' and ')} ${verb} already in ${folder}: use an empty folder, for example \`mkdir analytics && cd analytics && postledger init\`; to start over here, keep a copy and use --force, which replaces ${them}`,
  );
}

async function isPresent(path: string): Promise<boolean> {
  try {
    await readFile(path);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
}
