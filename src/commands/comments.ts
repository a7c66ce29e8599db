import type { InlineComment } from '../api/schemas/inline-comments.ts';
import { commentChannels } from '../api/schemas/vocabulary.ts';
import { fitTerminal, wrapTerminal } from '../core/terminal-width.ts';
import type { Register } from './context.ts';
import { oneOf, parseUuid, parseYesOrNo } from './option-values.ts';
import {
  colorsOf,
  foreignName,
  foreignText,
  indented,
  indentLines,
  localTime,
  personName,
  type ViewPlace,
} from './view.ts';
import { plural } from '../core/wording.ts';
import { readsWorkspace } from './workspace-call.ts';

export const registerComments: Register = (program, invoke) => {
  const list = program
    .command('comments')
    .command('list')
    .description("show the threads of comments on a post's text")
    .argument('<postId>', "the post's id, a UUID", parseUuid)
    .option(
      '--channel <name>',
      `of one channel: ${commentChannels.join(', ')}`,
      oneOf(commentChannels),
    )
    .option('--resolved <true|false>', 'resolved ones, or open ones, alone', parseYesOrNo)
    .addHelpText(
      'after',
      `
Examples:
  $ postledger comments list 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11
  $ postledger comments list 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11 --channel LinkedIn --resolved false`,
    );
  readsWorkspace(list, invoke, (call, [postId], { channel, resolved }) =>
    call.print(
      () => call.client.listInlineComments(postId, { channel, resolved }, call.context),
      ({ inlineComments }, place) =>
        inlineCommentsView(inlineComments, place, { channel, resolved }),
    ),
  );
};

type Reply = InlineComment['replies'][number];
type Reaction = Reply['reactions'][number];

/** The command's filters. */
interface CommentFilters {
  readonly channel?: string | undefined;
  readonly resolved?: boolean | undefined;
}

/** More people than this are counted, not named. */
const mostNames = 3;
/** An emoji is short; what others send as one need not be. */
const emojiWidth = 24;

/** A post's threads of comments and how many there are; no line feed at the end. */
export function inlineCommentsView(
  threads: readonly InlineComment[],
  place: ViewPlace,
  { channel, resolved }: CommentFilters = {},
): string {
  const flags = [
    ...(channel === undefined ? [] : [`--channel ${channel}`]),
    ...(resolved === undefined ? [] : [`--resolved ${String(resolved)}`]),
  ].join(' ');
  if (threads.length === 0) {
    return flags === ''
      ? 'No inline comments on this post.'
      : `No inline comments with ${flags} on this post; leave that out to see all.`;
  }
  const blocks = threads.map((thread) => threadLines(thread, place).join('\n'));
  const settled = threads.filter((thread) => thread.resolved).length;
  const counts = `${plural(threads.length, 'thread')}${flags === '' ? `, ${settled} resolved` : ` with ${flags}`}`;
  return [...blocks, colorsOf(place).bold(counts)].join('\n\n');
}

/** A resolved thread is dimmed as a whole, without colours of its own. */
function threadLines(thread: InlineComment, place: ViewPlace): string[] {
  if (!thread.resolved) return openThreadLines(thread, place);
  const { dim } = colorsOf(place);
  return openThreadLines(thread, { ...place, hasColor: false }).map((line) => line && dim(line));
}

function openThreadLines(thread: InlineComment, place: ViewPlace): string[] {
  const colors = colorsOf(place);
  const state = thread.resolved ? 'resolved' : 'open';
  const quote = wrapTerminal(foreignText(thread.highlightedText), indented(place, 2).width);
  const head = wrapTerminal(`${foreignName(thread.channel)} · ${state}`, place.width);
  const replies = thread.replies.flatMap((reply) => [
    '',
    ...indentLines(replyLines(reply, indented(place, 2)), 2),
  ]);
  return [
    ...head.map(colors.bold),
    ...quote.map((line) => `${colors.dim('│')} ${line}`.trimEnd()),
    ...(replies.length > 0 ? replies : ['', indentLines([colors.dim('(no replies)')], 2)[0] ?? '']),
  ];
}

/** The message is indented further than the name, so that it cannot pass for another person's reply. */
function replyLines({ user, createdAt, message, reactions }: Reply, place: ViewPlace): string[] {
  const text = foreignText(message);
  const inner = indented(place, 2);
  const body = [
    ...(text === ''
      ? [colorsOf(place).dim('(no text)')]
      : wrapTerminal(showMentions(text), inner.width)),
    ...wrapTerminal(reactions.map(reactionText).join('  '), inner.width).filter(Boolean),
  ];
  const when = localTime(createdAt, place);
  return [...whoAndWhen(personName(user), when, place), ...indentLines(body, 2)];
}

/** Puts name and time on one line if both fit, else the time below the name. */
function whoAndWhen(name: string, when: string, place: ViewPlace): string[] {
  const { bold, dim } = colorsOf(place);
  const together = wrapTerminal(`${name}  ${when}`, place.width);
  if (together.length === 1) return [`${bold(name)}  ${dim(when)}`];
  return [...wrapTerminal(name, place.width).map(bold), dim(when)];
}

function reactionText({ emoji, users }: Reaction): string {
  const count = `${fitTerminal(foreignName(emoji), emojiWidth)} × ${users.length}`;
  if (users.length === 0 || users.length > mostNames) return count;
  return `${count} (${users.map(personName).join(', ')})`;
}

/**
 * `@[Display Name](userId)`: the name may hold brackets and parentheses and ends at the first `](…)`
 * whose middle can be an identifier; what does not come to such an end is no mention.
 */
const mention = /@\[((?:(?!@\[)[^\n])+?)\]\([^\s()[\]]+\)/gu;

/** Mentions are written as `@Display Name`. */
function showMentions(message: string): string {
  return message.replace(mention, (whole, name: string) =>
    name.trim() === '' ? whole : `@${name.trim()}`,
  );
}
