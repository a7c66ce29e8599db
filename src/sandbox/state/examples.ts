import { postStatuses, type PostStatus } from '../../api/schemas/vocabulary.ts';
import type { Engagement } from '../made-up/engagements.ts';
import type { Team } from '../made-up/people.ts';
import type { BookedPost } from './booked-post.ts';

/** Ids to try: a few of each, the same for the same seed, clock and requests. */
export interface Examples {
  /** By status, without those in the trash; those for LinkedIn first, then by publication, latest first. */
  readonly posts: Readonly<Record<PostStatus, readonly string[]>>;
  readonly posts_with_approvals: readonly string[];
  readonly posts_with_comments: readonly string[];
  readonly linkedin_posts: readonly string[];
  readonly engagements: readonly {
    readonly id: string;
    readonly post_id: string;
    readonly kind: string;
  }[];
  readonly ideas: readonly string[];
  readonly users: readonly { readonly id: string; readonly name: string; readonly email: string }[];
  readonly in_trash: { readonly posts: readonly string[]; readonly ideas: readonly string[] };
  readonly deleted_posts: readonly string[];
}

/** What there is to choose from. */
interface Supply {
  /** In the order in which examples are to be taken. */
  readonly posts: readonly BookedPost[];
  readonly hasApprovals: (post: BookedPost) => boolean;
  readonly hasComments: (post: BookedPost) => boolean;
  readonly engagementsOf: (post: BookedPost) => readonly Engagement[];
  readonly linkedInPostIds: Iterable<string>;
  readonly ideaIds: readonly string[];
  readonly archivedIdeaIds: readonly string[];
  readonly postIdsInTrash: readonly string[];
  readonly deletedPostIds: readonly string[];
  readonly team: Team;
}

const fewCount = 5;

export function chooseExamples(supply: Supply): Examples {
  const { posts, team } = supply;
  return {
    posts: chooseByStatus(posts),
    posts_with_approvals: choosePostIds(posts, supply.hasApprovals),
    posts_with_comments: choosePostIds(posts, supply.hasComments),
    linkedin_posts: few(supply.linkedInPostIds),
    engagements: chooseEngagements(supply),
    ideas: few(supply.ideaIds),
    users: team.members.map(({ id, firstName, lastName, email }) => ({
      id,
      name: `${firstName} ${lastName}`,
      email,
    })),
    in_trash: { posts: few(supply.postIdsInTrash), ideas: few(supply.archivedIdeaIds) },
    deleted_posts: few(supply.deletedPostIds),
  };
}

/** Stops looking when it has enough: most posts have to be made up to be looked at. */
function few<Item>(items: Iterable<Item>): Item[] {
  const chosen: Item[] = [];
  for (const item of items) {
    chosen.push(item);
    if (chosen.length === fewCount) break;
  }
  return chosen;
}

function chooseByStatus(posts: readonly BookedPost[]): Record<PostStatus, string[]> {
  const entries = postStatuses.map((status) => [
    status,
    choosePostIds(posts, (post) => post.status === status && !post.isInTrash),
  ]);
  return Object.fromEntries(entries) as Record<PostStatus, string[]>;
}

function choosePostIds(
  posts: readonly BookedPost[],
  isSo: (post: BookedPost) => boolean,
): string[] {
  return few(idsOfThose(posts, isSo));
}

function* idsOfThose(
  posts: readonly BookedPost[],
  isSo: (post: BookedPost) => boolean,
): Iterable<string> {
  for (const post of posts) if (isSo(post)) yield post.plan.id;
}

function chooseEngagements({ posts, engagementsOf }: Supply): Examples['engagements'] {
  const engagements = few(engagementsOfAll(posts, engagementsOf));
  return engagements.map(({ id, postId, kind }) => ({ id, post_id: postId, kind }));
}

function* engagementsOfAll(
  posts: readonly BookedPost[],
  engagementsOf: Supply['engagementsOf'],
): Iterable<Engagement> {
  for (const post of posts) yield* engagementsOf(post);
}
