import { z } from 'zod';
import { commentRule, text } from './value-kinds.ts';

/** The placeholder that separates the files of clients. */
export const clientPlaceholder = '{client}';

/** What a person writes about a report. */
export interface CommentConfig {
  /** An absolute path with the placeholders `{client} {period} {language} {report} {job}`. */
  readonly file: string;
  /** Set when what is sent waits for it. */
  readonly isRequired: boolean;
}

const commentFile = text(
  'A Markdown file, with the placeholders {client} (its key) {period} {language} {report} {job}: {period} is 2026-10, 2026-Q3, 2026, or 2026-10-01_2026-10-15',
  commentRule,
);

/** Its file is as it is written; see `commentFor`. */
export const commentSchema = z
  .union([
    commentFile.transform((file): CommentConfig => ({ file, isRequired: false })),
    z
      .strictObject({
        file: commentFile,
        required: z
          .boolean()
          .describe('True to hold what is sent until the file says something')
          .default(false),
      })
      .transform(({ file, required }): CommentConfig => ({ file, isRequired: required })),
  ])
  .describe(
    'A Markdown file at the head of page, PDF, workbook and mail; without the file there is none',
  );

/** Returns the comment with an absolute path. A file of each client is none of a report for no client. */
export function commentFor(
  comment: CommentConfig | undefined,
  client: object | null,
  absolute: (path: string) => string,
): CommentConfig | null {
  if (comment === undefined) return null;
  if (client === null && comment.file.includes(clientPlaceholder)) return null;
  return { ...comment, file: absolute(comment.file) };
}
