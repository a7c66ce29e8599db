import type { PostType } from './figures.ts';
import { integerBetween, pick, pickKey, sample, type Random } from './random.ts';
import { texts, type Topic } from './texts.ts';

export type Slots = Readonly<Record<string, string>>;

const thousands = new Intl.NumberFormat('en-US');

/** The values for the slots of one post. */
export function drawSlots(year: number, random: Random): Slots {
  const [place = '', other = ''] = sample(texts.places, 2, random);
  return {
    place,
    other,
    person: pick(texts.firstNames, random),
    n: String(integerBetween(3, 48, random)),
    big: thousands.format(integerBetween(12, 98, random) * 100),
    pct: String(integerBetween(4, 38, random)),
    minutes: String(integerBetween(9, 55, random)),
    year: String(year),
  };
}

/** Fills the slots of a text. A word in braces that is not a slot stays as it is. */
export function fillSlots(text: string, slots: Slots): string {
  return text.replace(/\{(\w+)\}/g, (braced, name: string) => slots[name] ?? braced);
}

/** Makes the text of one post; null for most plain reposts. */
export function composeCommentary(
  topic: Topic,
  type: PostType,
  slots: Slots,
  random: Random,
): string | null {
  if (type === 'Repost' && random() < 0.6) return null;
  const source = pickKey({ topic: 0.93, language: 0.055, odd: 0.015 }, random);
  if (source === 'language') return fillSlots(pick(texts.otherLanguages, random), slots);
  if (source === 'odd') return fillSlots(pick(texts.oddTexts, random), slots);
  const blocks = type === 'Repost' ? [pick(topic.hooks, random)] : drawBlocks(topic, random);
  return fillSlots(blocks.join('\n\n'), slots);
}

function drawBlocks(topic: Topic, random: Random): string[] {
  const hook = pick(topic.hooks, random);
  const hashtags = sample(topic.hashtags, integerBetween(1, 4, random), random).join(' ');
  const length = random() < 0.18 ? 0 : integerBetween(2, topic.sentences.length, random);
  const sentences = sample(topic.sentences, length, random);
  const closing = random() < 0.7 ? [pick(topic.closings, random)] : [];
  return [hook, ...sentences, ...closing, hashtags];
}
