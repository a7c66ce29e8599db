import type { PostDetails } from '../../api/schemas/posts.ts';
import { wrapTerminal } from '../../core/terminal-text.ts';
import { assetLines } from './asset-lines.ts';
import { foreignName, foreignText } from './foreign-text.ts';
import { colorsOf, indented, indentLines, type ViewPlace } from './view-place.ts';

type LinkedInContent = NonNullable<PostDetails['linkedIn']>;
type XContent = NonNullable<PostDetails['x']>;
type Tweet = XContent['tweets'][number];

const indent = 2;

/** What the post says on LinkedIn, and as whom. */
export function linkedInLines(content: LinkedInContent, place: ViewPlace): string[] {
  const body = messageLines(content, indented(place, indent));
  return [...headLines('LinkedIn', content.profile, place), ...indentLines(body, indent)];
}

/** What the post says on X, tweet by tweet. */
export function xLines({ profile, tweets }: XContent, place: ViewPlace): string[] {
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
