import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { readIfPresent } from '../core/found-files.ts';
import type { GroupMail } from '../pipeline/known-deliveries.ts';
import { commentForm } from '../render/comment-form.ts';
import { cleanText } from '../render/html/plain-text.ts';
import type { ReviewForm } from './review-app.ts';

/** How the names of the fields begin. */
const field = 'comment';

/** The file of a comment. */
export interface Comment {
  readonly field: string;
  readonly path: string;
  /** Null: there is no file. */
  readonly raw: string | null;
  /** What its field offers: the text of the file, else the form with the figures. */
  readonly text: string;
}

export async function readComments(mails: readonly GroupMail[]): Promise<Comment[]> {
  const documents = new Map(
    mails.flatMap(({ rendered: { mail } }) =>
      (mail?.commentFiles ?? []).map((path) => [path, mail?.documents[0]] as const),
    ),
  );
  return Promise.all(
    [...documents].map(async ([path, document], index) => {
      const raw = await readIfPresent(path);
      const text = raw ?? (document ? commentForm(document) : '');
      return { field: index === 0 ? field : `${field}-${index + 1}`, path, raw, text };
    }),
  );
}

/** A text as a browser sends it back. */
export function plain(text: string): string {
  return cleanText(text.replaceAll(/\r\n?/g, '\n')).trimEnd();
}

/** @returns null if the form has no such field */
export function textIn({ texts }: ReviewForm, field: string): string | null {
  const text = texts.get(field);
  return text === undefined ? null : plain(text);
}

/** The texts of all comments that a form has. */
export function allTextsIn({ texts }: ReviewForm): string[] {
  return [...texts].flatMap(([name, text]) => (name.startsWith(field) ? [plain(text)] : []));
}

export async function writeComment(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, text === '' ? '' : `${text}\n`);
}
