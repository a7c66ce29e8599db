import {
  postDetailsSchema,
  type Asset,
  type Post,
  type PostDetails,
} from '../api/schemas/posts.ts';
import { wrapTerminal } from '../core/terminal-width.ts';
import { recordLines } from './plain-table.ts';
import {
  colorsOf,
  fieldLines,
  foreignName,
  foreignText,
  indented,
  indentLines,
  localTime,
  nothing,
  type Field,
  type ViewPlace,
} from './view.ts';

type LinkedInContent = NonNullable<PostDetails['linkedIn']>;
type XContent = NonNullable<PostDetails['x']>;
type Tweet = XContent['tweets'][number];

const indent = 2;
const channelsWithContent = new Set(['LinkedIn', 'Twitter', 'X']);

/** One post as a person reads it, whichever operation gave it; no line feed at the end. */
export function postView(post: PostDetails | Post, place: ViewPlace): string {
  const details = postDetailsSchema.safeParse(post).data ?? null;
  const { bold } = colorsOf(place);
  const blocks = [
    wrapTerminal(foreignName(post.title), place.width).map(bold),
    fieldLines(postFields(post, details, place), place),
    details?.linkedIn ? linkedInLines(details.linkedIn, place) : [],
    details?.x ? xLines(details.x, place) : [],
    details ? silentChannelLines(details, place) : [],
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function postFields(post: Post, details: PostDetails | null, place: ViewPlace): Field[] {
  const labels = details?.labels.map(({ name }) => `[${foreignName(name)}]`) ?? [];
  return [
    { name: 'Status', text: foreignName(post.status) },
    { name: 'Channels', text: post.channels.map(foreignName).join(', ') || nothing },
    { name: 'Publish date', text: foreignName(post.publishDate ?? nothing) },
    { name: 'Publish time', text: localTime(post.publishAt, place) },
    ...(labels.length > 0 ? [{ name: 'Labels', text: labels.join(' ') }] : []),
    ...(details ? [{ name: 'Created', text: localTime(details.createdAt, place) }] : []),
    { name: 'Updated', text: localTime(post.updatedAt, place) },
    { name: 'URL', text: foreignName(post.url), isAddress: true },
  ];
}

/** Channels whose content the API does not give. */
function silentChannelLines({ channels }: PostDetails, place: ViewPlace): string[] {
  const silent = channels.filter((channel) => !channelsWithContent.has(channel));
  if (silent.length === 0) return [];
  const sentence = `The API gives no content for ${silent.map(foreignName).join(', ')}.`;
  return wrapTerminal(sentence, place.width).map(colorsOf(place).dim);
}

/** The lines of the post's LinkedIn text and its author. */
function linkedInLines(content: LinkedInContent, place: ViewPlace): string[] {
  const body = messageLines(content, indented(place, indent));
  return [...headLines('LinkedIn', content.profile, place), ...indentLines(body, indent)];
}

/** The lines of the post's text on X, tweet by tweet. */
function xLines({ profile, tweets }: XContent, place: ViewPlace): string[] {
  const body =
    tweets.length === 0
      ? indentLines([colorsOf(place).dim('(no tweets)')], indent)
      : tweets.flatMap((tweet, index) => [
          ...(index === 0 ? [] : ['']),
          ...tweetLines(tweet, index, tweets.length, place),
        ]);
  return [...headLines('X', profile, place), ...body];
}

function headLines(channel: string, profile: LinkedInContent['profile'], place: ViewPlace) {
  const name = `${channel}: ${foreignName(profile.name)} (${foreignName(profile.detail)})`;
  return wrapTerminal(name, place.width).map(colorsOf(place).bold);
}

/** The number hangs to the left of the tweet. */
function tweetLines(tweet: Tweet, index: number, count: number, place: ViewPlace): string[] {
  const hang = String(count).length + 2;
  const number = `${index + 1}.`.padStart(hang - 1);
  const lines = messageLines(tweet, indented(place, indent + hang));
  const tweetBody = lines.map((line, at) => {
    const margin = at === 0 ? `${colorsOf(place).dim(number)} ` : ' '.repeat(hang);
    return line === '' ? '' : margin + line;
  });
  return indentLines(tweetBody, indent);
}

function messageLines({ copy, assets }: Tweet, place: ViewPlace): string[] {
  const text = foreignText(copy);
  const lines = text === '' ? [colorsOf(place).dim('(no text)')] : wrapTerminal(text, place.width);
  const files = assetLines(assets, place);
  return files.length === 0 ? lines : [...lines, '', ...files];
}

function assetLines(assets: readonly Asset[], place: ViewPlace): string[] {
  if (assets.length === 0) return [];
  const heads = ['File', 'Type', 'Size', 'Pixels', 'Duration', 'URL'];
  const rows = assets.map((asset) => [
    foreignName(asset.name),
    foreignName(asset.mimetype),
    fileSize(asset.size, place.locale),
    asset.width > 0 && asset.height > 0 ? `${asset.width}×${asset.height}` : nothing,
    playingTime(asset.duration),
    foreignName(asset.url),
  ]);
  return recordLines({ heads, rows }, place);
}

function fileSize(bytes: number, locale: string): string {
  const isMegabytes = bytes >= 1e6;
  const unit = isMegabytes ? 'megabyte' : 'kilobyte';
  const number = new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 });
  return number.format(bytes / (isMegabytes ? 1e6 : 1e3));
}

/** `1:05`, and `1:02:05` from an hour on. */
function playingTime(duration: number | null): string {
  if (duration === null || duration < 0) return nothing;
  const seconds = Math.round(duration);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  if (seconds >= 3600) parts.unshift(Math.floor(seconds / 3600));
  return parts.map((part, index) => String(part).padStart(index === 0 ? 1 : 2, '0')).join(':');
}
