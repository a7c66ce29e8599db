import type { Asset } from '../../api/schemas/posts.ts';
import { defaultSandbox, sandboxUuid, type SandboxProfile } from '../identity.ts';
import type { PostType } from './figures.ts';
import type { PlannedPost, PostContent } from './planned-post.ts';
import { integerBetween, logNormal, pickKey, randomFor, type Random } from './random.ts';

/** The kinds of files in posts. */
const image = { extension: 'jpg', mimetype: 'image/jpeg', maxBytes: 3_000_000 };
const video = { extension: 'mp4', mimetype: 'video/mp4', maxBytes: 90_000_000 };
const document = { extension: 'pdf', mimetype: 'application/pdf', maxBytes: 8_000_000 };

/** The heights of files, which are 1,080 pixels wide, with the share of posts that have files of this height. */
const heights = { 608: 0.4, 1080: 0.25, 1350: 0.35 };

type AssetForm = typeof image;

/** The post of the planning tool whose content is made. */
type Planned = Pick<PlannedPost, 'id' | 'title' | 'channels'>;

interface LinkedInParts {
  readonly profile: SandboxProfile;
  readonly type: PostType;
  readonly commentary: string | null;
}

/** Makes the content of a post for LinkedIn, and for X when it is published there too. */
export function linkedInPostContent(
  seed: number,
  { profile: { id, name }, type, commentary }: LinkedInParts,
  planned: Planned,
): PostContent {
  const copy = commentary ?? '';
  const assets = assetsOf(seed, type, planned);
  const linkedIn = { profile: { id, name, detail: handleOf(name) }, copy, assets };
  if (!planned.channels.includes('Twitter')) return { linkedIn };
  const x = { profile: profileOnX(seed, id, name), tweets: [{ copy: shortened(copy), assets }] };
  return { linkedIn, x };
}

/** Makes the tweets of a post for X alone, the first of which has a picture. */
export function tweetsOf(seed: number, planned: Planned, texts: readonly string[]) {
  const picture = asset(seed, planned, 0, image, randomFor(seed, 'assets', planned.id));
  const tweets = texts.map((text, index) => ({
    copy: shortened(text),
    assets: index === 0 ? [picture] : [],
  }));
  return { profile: profileOnX(seed, 'brand', defaultSandbox.workspace.name), tweets };
}

function profileOnX(seed: number, key: string, name: string) {
  return { id: sandboxUuid(seed, 'x-profile', key), name, detail: `@${handleOf(name)}` };
}

function handleOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

/** Shortens a text to the 280 characters of a tweet. */
function shortened(copy: string): string {
  return /^.{0,280}/su.exec(copy)?.[0] ?? '';
}

function assetsOf(seed: number, type: PostType, planned: Planned): Asset[] {
  const random = randomFor(seed, 'assets', planned.id);
  const assetOf = (index: number, form: AssetForm) => asset(seed, planned, index, form, random);
  if (type === 'Video') return [assetOf(0, video)];
  if (type === 'Document') return [assetOf(0, document)];
  if (['Image', 'Celebration', 'Event'].includes(type)) return [assetOf(0, image)];
  if (type !== 'MultiImage') return [];
  const count = integerBetween(2, 6, random);
  return Array.from({ length: count }, (_, index) => assetOf(index, image));
}

function asset(
  seed: number,
  planned: Planned,
  index: number,
  form: AssetForm,
  random: Random,
): Asset {
  const name = `${handleOf(planned.title)}-${index + 1}.${form.extension}`;
  const id = sandboxUuid(seed, 'asset', `${planned.id}-${index}`);
  return {
    id,
    name,
    url: `https://assets.halden-grid.example/${id}/${name}`,
    mimetype: form.mimetype,
    size: integerBetween(Math.floor(form.maxBytes / 20), form.maxBytes, random),
    width: 1080,
    height: Number(pickKey(heights, randomFor(seed, 'height', planned.id))),
    duration: form === video ? drawSeconds(random) : null,
  };
}

/** Draws the length of a video: most take half a minute to a minute, few more than three. */
function drawSeconds(random: Random): number {
  return Math.round(10 * Math.min(600, Math.max(6, logNormal(42, 0.85, random)))) / 10;
}
