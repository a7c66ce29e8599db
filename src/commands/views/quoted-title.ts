import type { PostDetails } from '../../api/schemas/posts.ts';
import { fitTerminal } from '../../core/terminal-text.ts';
import { foreignName } from './foreign-text.ts';

const mostColumns = 60;

/** A post's title within a question: nothing in it can look like the rest of the question. */
export function quotedTitle({ title }: Pick<PostDetails, 'title'>): string {
  return `"${fitTerminal(foreignName(title).replaceAll('"', "'"), mostColumns)}"`;
}
