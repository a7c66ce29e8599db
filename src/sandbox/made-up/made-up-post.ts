import { dayMs, type Day } from '../../core/calendar.ts';
import { sandboxUuid, type ProfileKind, type SandboxProfile } from '../identity.ts';
import type { Account } from './account.ts';
import { composeCommentary, topics } from './commentary.ts';
import { drawFinalFigures, type FinalFigures } from './final-figures.ts';
import { planPost, type PlannedPost } from './planned-post.ts';
import { isCampaignRunning } from './planning.ts';
import { typeShares, type PostType } from './post-type.ts';
import { integerBetween, logNormal, pickWeighted, randomFor, type Random } from './random.ts';
import { drawSlots } from './slots.ts';
import type { Topic } from './topic.ts';

/** A LinkedIn post with everything about it that does not change with time. */
export interface MadeUpPost {
  readonly id: string;
  readonly url: string;
  readonly profile: SandboxProfile;
  readonly type: PostType;
  readonly publishedAt: Date;
  /** In UTC, the workspace's zone. */
  readonly publishedOn: Day;
  readonly commentary: string | null;
  readonly figures: FinalFigures;
  readonly reporting: Reporting;
  /** The post that it was published from; null when it was written on LinkedIn. */
  readonly planned: PlannedPost | null;
}

/** What the service ever learns of a post's figures. */
interface Reporting {
  /** `some`: all but impressions and what follows from them. */
  readonly extent: 'all' | 'some' | 'none';
  /** A like or a share that was undone and is counted as −1, as real services do now and then. */
  readonly undone: 'like' | 'share' | null;
  /** Age from which a video's figures are there; null: never. */
  readonly videoSyncAgeMs: number | null;
  /** How fast the figures grow beside others. */
  readonly speed: number;
  readonly hasEmv: boolean;
}

/** Names one post of the stream: the n-th of a profile on a day. */
export interface Publication {
  readonly account: Account;
  readonly day: Day;
  readonly ordinal: number;
  readonly publishedAt: Date;
}

/** The same post for the same arguments; each part of it has random numbers of its own. */
export function makeUpPost(seed: number, publication: Publication): MadeUpPost {
  const { account, day, ordinal, publishedAt } = publication;
  const name = `${account.index}-${day}-${ordinal}`;
  const draw = (part: string) => randomFor(seed, 'post', name, part);
  const type = pickWeighted(typeShares, draw('type'));
  const topic = drawTopic(account.profile.kind, day, draw('topic'));
  const slots = drawSlots(publishedAt.getUTCFullYear(), draw('slots'));
  const commentary = composeCommentary(topic, type, slots, draw('text'));
  const about = { name, topic, type, slots, publishedAt, commentary, account };
  return {
    id: sandboxUuid(seed, 'linkedin-post', name),
    url: `https://www.linkedin.com/feed/update/urn:li:share:${shareId(publishedAt, draw('url'))}/`,
    profile: account.profile,
    type,
    publishedAt,
    publishedOn: day,
    commentary,
    figures: drawFinalFigures(account, type, publishedAt, draw('figures')),
    reporting: drawReporting(draw('reporting')),
    planned: planPost(seed, about, draw('planned')),
  };
}

/** Topics with a campaign that is running come up more often. */
export function drawTopic(kind: ProfileKind, day: Day, random: Random): Topic {
  const fitting = topics.filter(({ isPersonal }) => !(isPersonal && kind === 'page'));
  const weighted = fitting.map((topic) => {
    const isRunning = topic.campaign !== null && isCampaignRunning(topic.campaign, day);
    return [topic, isRunning ? 2.2 : 1] as const;
  });
  return pickWeighted(weighted, random);
}

/** LinkedIn's ids hold the time of publication in Unix milliseconds above their lowest 22 bits. */
function shareId(publishedAt: Date, random: Random): bigint {
  return (BigInt(publishedAt.getTime()) << 22n) | BigInt(integerBetween(0, 2 ** 22 - 1, random));
}

function drawReporting(random: Random): Reporting {
  const extent = pickWeighted(
    [
      ['all', 0.982],
      ['some', 0.006],
      ['none', 0.012],
    ] as const,
    random,
  );
  const undone = pickWeighted(
    [
      [null, 0.993],
      ['share', 0.005],
      ['like', 0.002],
    ] as const,
    random,
  );
  const videoSyncAgeMs = random() < 0.04 ? null : (0.5 + 2 * random()) * dayMs;
  return {
    extent,
    undone,
    videoSyncAgeMs,
    speed: logNormal(1, 0.3, random),
    hasEmv: random() > 0.03,
  };
}
