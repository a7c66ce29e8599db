import type { Period } from '../workspace-content.ts';
import { sandboxUuid } from '../identity.ts';
import type { Person } from './people.ts';
import { between, integerBetween, pick, randomFor, sample, type Random } from './random.ts';

/** An approval with the time at which it is given; null: never. */
export interface MadeUpApproval {
  readonly id: string;
  readonly approver: Person;
  readonly isBlocking: boolean;
  readonly message: string;
  readonly createdAt: Date;
  readonly approvedAt: Date | null;
}

const messages = [
  '',
  'Please check the figures before it goes out.',
  'Kan du se på dette før fredag?',
  'Is the customer fine with being named?',
  'Nur noch einmal die Umlaute prüfen, bitte 🙏',
  'Legal has seen it. Only your OK is missing.',
  '请确认第二段的数字。',
  'هل يمكنك مراجعة النص العربي؟',
] as const;

/** The approvals that a review brings. The one that the post waits for ends the review. */
export function makeUpApprovals(
  seed: number,
  postId: string,
  review: Period,
  approvers: readonly Person[],
): MadeUpApproval[] {
  const random = randomFor(seed, 'approvals', postId);
  const asked = sample(approvers, integerBetween(1, 3, random), random);
  const startMs = review.from.getTime() + Math.round(random() * 20_000);
  return asked.map((approver, index) => {
    const isBlocking = index === 0 || random() < 0.3;
    return {
      id: approvalId(seed, postId, approver.id),
      approver,
      isBlocking,
      message: pick(messages, random),
      createdAt: new Date(Math.min(startMs, review.to.getTime()) + index * 1000),
      approvedAt: index === 0 ? review.to : drawApproval(review, isBlocking, random),
    };
  });
}

/** A person is asked at most once for a post. */
export function approvalId(seed: number, postId: string, personId: string): string {
  return sandboxUuid(seed, 'approval', `${postId}-${personId}`);
}

/** Some never answer where nothing waits for them. */
function drawApproval({ from, to }: Period, isBlocking: boolean, random: Random): Date | null {
  const share = between(0.1, 0.95, random);
  const isAnswered = random() < 0.75 || isBlocking;
  const ms = from.getTime() + Math.round(share * (to.getTime() - from.getTime()));
  return isAnswered ? new Date(ms) : null;
}
