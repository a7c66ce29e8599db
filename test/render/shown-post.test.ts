import { expect, test } from 'vitest';
import { createFormatter } from '../../src/languages/number-format.ts';
import { createCalendarWords } from '../../src/render/calendar-words.ts';
import { createPostReader, isBesideLead } from '../../src/render/shown-post.ts';
import { columns, section } from '../support/document-parts.ts';
import { titled } from '../support/sample-document.ts';

const formats = { locale: 'en-GB', currency: 'EUR', timezone: 'UTC' };
const words = {
  calendar: createCalendarWords(formats),
  say: createFormatter(formats).say,
  withYear: true,
};

test('the line below a post says what it is the best by where posts are the best by several figures', () => {
  const [best, profile] = [
    titled('best_by', 'Best by', 'text'),
    titled('profile', 'Profile', 'text'),
  ];
  const namesWhere = (isInHtml: boolean) =>
    createPostReader(section([{ ...best, isInHtml }, profile], []), words)(['EMV', 'Anna']).names;
  expect(namesWhere(true)).toEqual(['Best by EMV', 'Anna']);
  expect(namesWhere(false)).toEqual(['Anna']);
  expect(isBesideLead(best)).toBe(false);
});

test('the line below a post cuts names of any length, as titles are cut', () => {
  const posts = section(columns({ profile: 'text', campaign: 'text', labels: 'list' }), []);
  const read = createPostReader(posts, words);
  const long = 'x'.repeat(100_000);
  const { names } = read(['Anna', long, [long, long]]);
  expect(names[0]).toBe('Anna');
  expect(names.map((name) => name.length <= 81 && name.length > 0)).toEqual([true, true, true]);
});
