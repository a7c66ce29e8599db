import { createHash } from 'node:crypto';
import { SeededRandom } from '../seeded-random.mjs';

const types = ['Text', 'Article', 'Image', 'Video', 'Poll', 'Document', 'Repost', 'MultiImage'];
const texts = [
  'Plain words.',
  'Curly “quotes”, a dash – and 𝗯𝗼𝗹𝗱 letters 🎉\n\nand lines',
  '=SUM(A1:A9) +1 -1 @you',
  'שלום \u202Eabc\u202C e\u0301',
  null,
];

/**
 * A workspace whose figures grow with each generation, and whose linked posts are retitled with each: what
 * the service would answer if nothing ever went wrong.
 */
export class Truth {
  generation = 0;
  profiles;
  #posts;

  /** @param name no two of which share an id; firstDay,days posts are spread over, a few a week */
  constructor({ seed, name, firstDay, days }) {
    const random = new SeededRandom(seed);
    this.profiles = ['Fjord', 'Pine'].map((each) => ({
      id: uuid(`${name} profile ${each}`),
      name: each,
    }));
    this.#posts = this.profiles.flatMap(({ id: profileId }, profile) =>
      Array.from({ length: Math.floor(days / 5) }, (_, index) => {
        const at = Date.parse(firstDay) + (index * 5 + profile + random.next()) * 86_400_000;
        return makePost(profileId, `${name} ${profile} ${index}`, new Date(at), random);
      }),
    );
  }

  /** As the API gives them, newest first. @param from,to days, both included */
  recordsOf(profileId, from, to, generation = this.generation) {
    return this.#posts
      .filter((post) => post.profileId === profileId)
      .filter(
        ({ publishedAt }) => publishedAt.slice(0, 10) >= from && publishedAt.slice(0, 10) <= to,
      )
      .map((post) => recordOf(post, generation))
      .reverse();
  }

  /** Every post with its profile. */
  all() {
    return this.#posts.map((post) => ({
      profileId: post.profileId,
      record: recordOf(post, this.generation),
    }));
  }

  /** A post with its profile, as it was in a generation. */
  find(id, generation) {
    const post = this.#posts.find((each) => each.id === id);
    return { profileId: post.profileId, record: recordOf(post, generation) };
  }

  /** The answer of GET /posts/{id}; null where there is no such post. */
  detailsOf(postId) {
    const post = this.#posts.find(({ linkedId }) => linkedId === postId);
    return post ? { post: detailsOf(post, this.generation) } : null;
  }
}

function makePost(profileId, key, publishedAt, random) {
  return {
    id: uuid(`linkedin ${key}`),
    profileId,
    publishedAt: publishedAt.toISOString(),
    type: random.pick(types),
    commentary: random.pick(texts),
    linkedId: random.isChance(0.25) ? uuid(`post ${key}`) : null,
    impressions: random.integer(10, 50_000),
    rate: random.next(),
    hasLabels: random.isChance(0.7),
    hasCampaign: random.isChance(0.5),
  };
}

function recordOf(post, generation) {
  const impressionCount = post.impressions + generation * 97;
  const videoCounts = post.type === 'Video' ? [31, 29, 470] : [null, null, null];
  const [videoViewCount, videoViewerCount, videoWatchTimeSeconds] = videoCounts.map(
    (count) => count && count + generation,
  );
  return {
    id: post.id,
    url: `https://www.linkedin.com/feed/update/urn:li:share:${post.id}`,
    commentary: post.commentary,
    type: post.type,
    publishedAt: post.publishedAt,
    likeCount: Math.floor(post.impressions / 50) + generation,
    commentCount: generation,
    shareCount: 3,
    clickCount: Math.floor(post.impressions / 20) + 2 * generation,
    saveCount: null,
    sendCount: null,
    impressionCount,
    engagement: post.rate / (generation + 1),
    emv: (impressionCount * 31.7) / 1000,
    videoViewCount,
    videoViewerCount,
    videoWatchTimeSeconds,
    servicePost: post.linkedId && linkOf(post, generation),
  };
}

function linkOf(post, generation) {
  return {
    id: post.linkedId,
    title: titleOf(post, generation),
    labels: labelsOf(post).map(({ id, name }) => ({ name, labelId: id })),
    campaign: post.hasCampaign ? { id: uuid('campaign'), name: 'Spring' } : null,
  };
}

function detailsOf(post, generation) {
  const { profileId, linkedId, publishedAt } = post;
  return {
    id: linkedId,
    url: `https://app.example.com/posts/${linkedId}`,
    title: titleOf(post, generation),
    channels: ['LinkedIn'],
    status: 'Posted',
    publishDate: publishedAt.slice(0, 10),
    publishAt: publishedAt,
    updatedAt: publishedAt,
    createdAt: publishedAt,
    labels: labelsOf(post),
    linkedIn: {
      profile: { id: profileId, name: 'Fjord', detail: 'fjord' },
      copy: post.commentary ?? '',
      assets: [],
    },
  };
}

function titleOf({ linkedId }, generation) {
  return `Title ${linkedId.slice(0, 4)}, edition ${generation}`;
}

function labelsOf({ hasLabels }) {
  const label = { id: uuid('label'), name: 'Launch', color: '#0b5fa5', backgroundColor: '#ffffff' };
  return hasLabels ? [label] : [];
}

function uuid(name) {
  const hex = createHash('sha1').update(name).digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-a$4-$5');
}
