import { postDetailsSchema, type Post, type PostDetails } from '../../api/schemas/posts.ts';
import { wrapTerminal } from '../../core/terminal-text.ts';
import { addressField, fieldLines, textField, type Field } from './fields.ts';
import { foreignName } from './foreign-text.ts';
import { labelTagLines } from './label-tags.ts';
import { localTime } from './local-time.ts';
import { linkedInLines, xLines } from './post-content.ts';
import { colorsOf, nothing, type ViewPlace } from './view-place.ts';

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
  const created = details && textField('Created', localTime(details.createdAt, place));
  return [
    textField('Status', foreignName(post.status)),
    textField('Channels', post.channels.map(foreignName).join(', ') || nothing),
    textField('Publish date', foreignName(post.publishDate ?? nothing)),
    textField('Publish time', localTime(post.publishAt, place)),
    ...(details && details.labels.length > 0 ? [labelsField(details)] : []),
    ...(created ? [created] : []),
    textField('Updated', localTime(post.updatedAt, place)),
    addressField('URL', foreignName(post.url)),
  ];
}

/** Channels whose content the API does not give. */
function silentChannelLines({ channels }: PostDetails, place: ViewPlace): string[] {
  const silent = channels.filter((channel) => !channelsWithContent.has(channel));
  if (silent.length === 0) return [];
  const sentence = `The API gives no content for ${silent.map(foreignName).join(', ')}.`;
  return wrapTerminal(sentence, place.width).map(colorsOf(place).dim);
}

function labelsField({ labels }: PostDetails): Field {
  return { name: 'Labels', lines: (place) => labelTagLines(labels, place) };
}
