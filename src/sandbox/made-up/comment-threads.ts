import type { InlineComment } from '../../api/schemas/inline-comments.ts';
import {
  commentChannels,
  type Account,
  type CommentChannel,
} from '../../api/schemas/vocabulary.ts';
import { sandboxUuid } from '../identity.ts';
import type { PostDetails } from '../../api/schemas/posts.ts';
import type { TimeSpan } from './planned-post.ts';
import { between, integerBetween, pick, randomFor, sample, type Random } from './random.ts';
import { texts } from './texts.ts';

type Reply = InlineComment['replies'][number];

const minuteMs = 60_000;

/** Makes the threads of one post as they are at `now`. Four in ten posts have some. */
export function makeUpThreads(
  seed: number,
  details: PostDetails,
  work: TimeSpan,
  people: readonly Account[],
  now: Date,
): InlineComment[] {
  const random = randomFor(seed, 'comments', details.id);
  const channels = commentChannels.filter((channel) => details.channels.includes(channel));
  if (random() > 0.4 || channels.length === 0) return [];
  return Array.from({ length: integerBetween(1, 4, random) }, (_, index) => {
    const name = `${details.id}-${index}`;
    const draw = randomFor(seed, 'thread', name);
    return makeUpThread(seed, name, pick(channels, draw), { details, work, people, random: draw });
  }).flatMap((thread) => threadAt(thread, now) ?? []);
}

interface ThreadParts {
  readonly details: PostDetails;
  readonly work: TimeSpan;
  readonly people: readonly Account[];
  readonly random: Random;
}

interface Thread {
  readonly id: string;
  readonly channel: CommentChannel;
  readonly highlightedText: string;
  readonly replies: readonly Reply[];
  readonly resolvedAt: Date | null;
}

function makeUpThread(
  seed: number,
  name: string,
  channel: CommentChannel,
  { details, work, people, random }: ThreadParts,
): Thread {
  let atMs = Math.round(between(work.from.getTime(), work.to.getTime(), random));
  const replies = Array.from({ length: integerBetween(1, 4, random) }, (_, index) => {
    if (index > 0) atMs += integerBetween(5, 600, random) * minuteMs;
    const id = plainId(seed, 'cm', `${name}-${index}`);
    const messages = index === 0 ? texts.firstReplies : texts.laterReplies;
    return makeUpReply(id, messages, new Date(atMs), { people, random });
  });
  const resolvedAt = new Date(atMs + integerBetween(1, 300, random) * minuteMs);
  return {
    id: plainId(seed, 'th', name),
    channel,
    highlightedText: highlight(textOnChannel(details, channel), random),
    replies,
    resolvedAt: random() < 0.55 ? resolvedAt : null,
  };
}

/** Makes an id that is not a UUID, like the API's ids of threads and replies. */
function plainId(seed: number, prefix: string, name: string): string {
  return `${prefix}_${sandboxUuid(seed, 'comment', name).replaceAll('-', '').slice(0, 20)}`;
}

function makeUpReply(
  id: string,
  messages: readonly string[],
  createdAt: Date,
  { people, random }: Pick<ThreadParts, 'people' | 'random'>,
): Reply {
  const user = pick(people, random);
  const called = pick(people, random);
  const mention = `@[${called.firstName} ${called.lastName}](${called.id})`;
  return {
    id,
    user,
    message: pick(messages, random).replaceAll('{mention}', () => mention),
    createdAt: createdAt.toISOString(),
    reactions: random() < 0.4 ? drawReactions(people, random) : [],
  };
}

function drawReactions(people: readonly Account[], random: Random): Reply['reactions'] {
  return sample(texts.reactions, integerBetween(1, 2, random), random).map((emoji) => ({
    emoji,
    users: sample(people, integerBetween(1, 3, random), random),
  }));
}

/** The text that comments quote: the title for channels whose content the API does not show. */
function textOnChannel({ linkedIn, x, title }: PostDetails, channel: CommentChannel): string {
  const copies = new Map<CommentChannel, string | undefined>([
    ['LinkedIn', linkedIn?.copy],
    ['Twitter', x?.tweets[0]?.copy],
  ]);
  const copy = copies.get(channel) ?? '';
  return copy === '' ? title : copy;
}

/** The first few words. */
function highlight(text: string, random: Random): string {
  return text
    .trim()
    .split(/\s+/u)
    .slice(0, integerBetween(1, 6, random))
    .join(' ');
}

function threadAt(thread: Thread, now: Date): InlineComment | null {
  const { id, channel, highlightedText, resolvedAt } = thread;
  const replies = thread.replies.filter(({ createdAt }) => Date.parse(createdAt) <= now.getTime());
  const [first, last] = [replies[0], replies.at(-1)];
  if (!first || !last) return null;
  const resolved = resolvedAt !== null && resolvedAt <= now;
  return {
    id,
    resolved,
    channel,
    highlightedText,
    replies,
    createdAt: first.createdAt,
    updatedAt: resolved ? resolvedAt.toISOString() : last.createdAt,
  };
}
