import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isSystemError } from '../core/errors.ts';

export const contentsName = 'contents.json';
/** What a kill leaves of a list that was being written. */
export const unfinishedContents = /^contents\.json\.[0-9a-f-]+\.tmp$/;

/** Every file of an archived part but this list itself, by name, as it lies on disk. */
const contentsListSchema = z.strictObject({
  version: z.literal(1),
  workspace: z.string(),
  run_id: z.string(),
  files: z.array(
    z.strictObject({
      name: z.string(),
      bytes: z.int().nonnegative(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});
export type ContentsList = z.infer<typeof contentsListSchema>;
export type ListedFile = ContentsList['files'][number];

/** The list's JSON with a line for each file, so that a person can search it and compare two of them. */
export function contentsText({ files, ...head }: ContentsList): string {
  const lines = files.map((file) => `    ${JSON.stringify(file)}`).join(',\n');
  return `${JSON.stringify(head).slice(0, -1)},"files":[\n${lines}\n]}\n`;
}

type ReadContents =
  | { readonly text: string; readonly list: ContentsList }
  | { readonly problem: string };

/** A part's list as it lies there, whatever the ledger says of it. */
export async function readContents(path: string): Promise<ReadContents> {
  try {
    const text = await readFile(path, 'utf8');
    return { text, list: contentsListSchema.parse(JSON.parse(text)) };
  } catch (error) {
    if (isSystemError(error)) return { problem: `it cannot be read (${error.message})` };
    const isForeign = error instanceof SyntaxError || error instanceof z.ZodError;
    if (!isForeign) throw error;
    return { problem: 'it is no list of files' };
  }
}

/** A file of a part as a list tells of it. */
export async function describeFile(folder: string, name: string): Promise<ListedFile> {
  const data = await readFile(join(folder, name));
  return { name, bytes: data.byteLength, sha256: sha256Of(data) };
}

export function sha256Of(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
