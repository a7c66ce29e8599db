import type { InlineComment } from '../../api/schemas/inline-comments.ts';
import type { PostDetails } from '../../api/schemas/posts.ts';
import {
  commentChannels,
  type Account,
  type CommentChannel,
} from '../../api/schemas/vocabulary.ts';
import { sandboxUuid } from '../identity.ts';
import type { PlannedPost } from './planned-post.ts';
import { between, integerBetween, pick, randomFor, sample, type Random } from './random.ts';
import { texts } from './texts.ts';

type Reply = InlineComment['replies'][number];

const minuteMs = 60_000;

interface ThreadParts {
  readonly seed: number;
  readonly details: PostDetails;
  /** People work on it from its creation to its publication. */
  readonly plan: PlannedPost;
  readonly people: readonly Account[];
  readonly now: Date;
}

/** Makes the threads of one post as they are at `now`. Four in ten posts have some. */
export function makeUpThreads(parts: ThreadParts): InlineComment[] {
  const { seed, details } = parts;
  const random = randomFor(seed, 'comments', details.id);
  const channels = commentChannels.filter((channel) => details.channels.includes(channel));
  if (random() > 0.4 || channels.length === 0) return [];
  return Array.from({ length: integerBetween(1, 4, random) }, (_, index) => {
    const name = `${details.id}-${index}`;
    const draw = randomFor(seed, 'thread', name);
    return makeUpThread(parts, name, pick(channels, draw), draw);
  }).filter(({ replies }) => replies.length > 0);
}

function makeUpThread(
  { seed, details, plan, people, now }: ThreadParts,
  name: string,
  channel: CommentChannel,
  random: Random,
): InlineComment {
  let atMs = Math.round(between(plan.createdAt.getTime(), plan.publishedAt.getTime(), random));
  const all = Array.from({ length: integerBetween(1, 4, random) }, (_, index): Reply => {
    if (index > 0) atMs += integerBetween(5, 600, random) * minuteMs;
    const createdAt = new Date(atMs).toISOString();
    const id = plainId(seed, 'cm', `${name}-${index}`);
    return { id, createdAt, ...makeUpReply(index === 0, people, random) };
  });
  const resolvedMs = atMs + integerBetween(1, 300, random) * minuteMs;
  const words = textOnChannel(details, channel).trim().split(/\s+/u);
  const highlightedText = words.slice(0, integerBetween(1, 6, random)).join(' ');
  const resolved = random() < 0.55 && resolvedMs <= now.getTime();
  const replies = all.filter(({ createdAt }) => createdAt <= now.toISOString());
  return {
    id: plainId(seed, 'th', name),
    resolved,
    channel,
    highlightedText,
    replies,
    createdAt: replies[0]?.createdAt ?? '',
    updatedAt: resolved ? new Date(resolvedMs).toISOString() : (replies.at(-1)?.createdAt ?? ''),
  };
}

/** Makes an id that is not a UUID, like the API's ids of threads and replies. */
function plainId(seed: number, prefix: string, name: string): string {
  return `${prefix}_${sandboxUuid(seed, 'comment', name).replaceAll('-', '').slice(0, 20)}`;
}

function makeUpReply(isFirst: boolean, people: readonly Account[], random: Random) {
  const user = pick(people, random);
  const { firstName, lastName, id } = pick(people, random);
  const text = pick(isFirst ? texts.firstReplies : texts.laterReplies, random);
  const message = text.replaceAll('{mention}', () => `@[${firstName} ${lastName}](${id})`);
  const emoji = random() < 0.4 ? sample(texts.reactions, integerBetween(1, 2, random), random) : [];
  const reactions = emoji.map((each) => ({
    emoji: each,
    users: sample(people, integerBetween(1, 3, random), random),
  }));
  return { user, message, reactions };
}

/** The text that comments quote: the title for channels whose content the API does not show. */
function textOnChannel({ linkedIn, x, title }: PostDetails, channel: CommentChannel): string {
  const copies = { LinkedIn: linkedIn?.copy, Twitter: x?.tweets[0]?.copy };
  const copy = channel in copies ? (copies[channel as keyof typeof copies] ?? '') : '';
  return copy === '' ? title : copy;
}
