import type { Account } from '../../api/schemas/vocabulary.ts';
import { dayMs } from '../../core/calendar.ts';
import { sandboxUuid } from '../identity.ts';
import { integerBetween, randomFor, sample } from './random.ts';
import { workspaceTexts } from './texts.ts';

/** A user of the workspace. */
export type Person = Account & { readonly createdAt: string };

/** The users of the workspace, and who of them acts for it. */
export interface Team {
  readonly owner: Person;
  readonly colleagues: readonly Person[];
  /** The users, starting with the owner. */
  readonly members: readonly Person[];
}

const firstAccountAt = new Date('2014-03-03T09:00:00Z');

/** The users of the workspace. */
export function sandboxTeam(seed: number): Team {
  const [owner, ...colleagues] = workspaceTexts.team.map((name, index) => ({
    id: sandboxUuid(seed, 'user', index),
    firstName: name.firstName,
    lastName: name.lastName,
    email: `${name.mailbox}@halden-grid.example`,
    createdAt: new Date(firstAccountAt.getTime() + index * 17 * dayMs).toISOString(),
  }));
  if (!owner) throw new RangeError('workspace.yaml names nobody');
  return { owner, colleagues, members: [owner, ...colleagues] };
}

/** The fields of a person in comments and events. */
export function accountOf({ id, firstName, lastName, email }: Person): Account {
  return { id, firstName, lastName, email };
}

const engagementKinds = ['like', 'comment', 'repost'] as const;

/** An auto-engagement: a like, comment or repost that a profile adds to a post by itself after publication. */
export interface Engagement {
  readonly id: string;
  readonly postId: string;
  readonly kind: (typeof engagementKinds)[number];
}

/** Makes the auto-engagements of one post. Four in ten posts have some. */
export function engagementsOf(seed: number, postId: string): Engagement[] {
  const random = randomFor(seed, 'engagements', postId);
  if (random() > 0.4) return [];
  const kinds = sample(engagementKinds, integerBetween(1, engagementKinds.length, random), random);
  return kinds.map((kind) => ({
    id: sandboxUuid(seed, 'engagement', `${postId}-${kind}`),
    postId,
    kind,
  }));
}
