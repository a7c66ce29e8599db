import type { PostType } from './figures.ts';
import { integerBetween, pick, pickKey, sample, type Random } from './random.ts';
import { texts, topics, type Topic } from './texts.ts';

/** LinkedIn's limit on the length of a text. */
const maxCharacters = 3000;

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

/** Makes the text of one post, at most 3,000 characters long; null for most plain reposts. */
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
  const blocks = type === 'Repost' ? [pick(topic.hooks, random)] : drawBlocks(topic, type, random);
  const text = fillSlots(blocks.join('\n\n'), slots);
  return decorate(text, topic, random);
}

function drawBlocks(topic: Topic, type: PostType, random: Random): string[] {
  const hook = pick(topic.hooks, random);
  const hashtags = sample(topic.hashtags, integerBetween(1, 4, random), random).join(' ');
  const invitation = random() < 0.5 ? texts.invitations[type] : undefined;
  const middle = drawMiddle(topic, random);
  const closing = random() < 0.7 ? pick(topic.closings, random) : undefined;
  const tags = random() < 0.75 ? hashtags : undefined;
  return [hook, ...middle, invitation, closing, tags].filter((block) => block !== undefined);
}

function drawMiddle(topic: Topic, random: Random): string[] {
  const length = pickKey({ none: 0.18, some: 0.56, long: 0.25, longest: 0.01 }, random);
  if (length === 'none') return [];
  if (length === 'longest') return drawLongest(random);
  const sentences = sample(
    topic.sentences,
    length === 'some' ? integerBetween(2, 5, random) : integerBetween(6, 9, random),
    random,
  );
  const paragraphs = random() < 0.55 ? sentences : joinPairs(sentences);
  return random() < 0.35 ? [...paragraphs, drawList(topic, random)] : paragraphs;
}

/** Adds text up to just below LinkedIn's limit, with room for filled slots and the ending. */
function drawLongest(random: Random): string[] {
  const blocks: string[] = [];
  let characters = 0;
  for (const sentence of sample(
    topics.flatMap(({ sentences }) => sentences),
    Number.MAX_SAFE_INTEGER,
    random,
  )) {
    if (characters + sentence.length > maxCharacters - 400) return blocks;
    blocks.push(sentence);
    characters += sentence.length + 2;
  }
  return blocks;
}

function joinPairs(sentences: readonly string[]): string[] {
  return sentences.flatMap((sentence, index) =>
    index % 2 === 0 ? [[sentence, sentences[index + 1] ?? ''].join(' ').trim()] : [],
  );
}

function drawList(topic: Topic, random: Random): string {
  const bullet = pick(['•', '→', '–', ...topic.emoji], random);
  return sample(topic.points, integerBetween(3, 5, random), random)
    .map((point) => `${bullet} ${point}`)
    .join('\n');
}

/** Decorates a text with emoji, bold letters and curly quotes as often as real posts have them. */
function decorate(text: string, topic: Topic, random: Random): string {
  const [hook = '', ...rest] = text.split('\n\n');
  const bold = random() < 0.05 ? boldFirstWords(hook) : hook;
  const first = random() < 0.3 ? `${bold} ${pick(topic.emoji, random)}` : bold;
  const whole = [first, ...rest].join('\n\n');
  return (random() < 0.57 ? curlQuotes(whole) : whole).slice(0, maxCharacters);
}

/** Fakes bold type with letters of the mathematical alphabets, as tools for posts do. */
function boldFirstWords(text: string): string {
  const words = text.split(' ');
  return [...words.slice(0, 3).map(boldWord), ...words.slice(3)].join(' ');
}

function boldWord(word: string): string {
  return word.replace(/[A-Za-z0-9]/g, (character) => {
    const code = character.charCodeAt(0);
    if (code >= 97) return String.fromCodePoint(0x1d5ee + code - 97);
    if (code >= 65) return String.fromCodePoint(0x1d5d4 + code - 65);
    return String.fromCodePoint(0x1d7ec + code - 48);
  });
}

function curlQuotes(text: string): string {
  return text
    .replace(/(^|[\s(])"/gm, '$1“')
    .replaceAll('"', '”')
    .replaceAll("'", '’');
}
