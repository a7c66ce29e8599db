import { expect, test } from 'vitest';
import { createFormatter } from '../../src/languages/number-format.ts';
import { createCalendarWords } from '../../src/render/calendar-words.ts';
import { createPostReader } from '../../src/render/shown-post.ts';
import { columns, section } from '../support/document-parts.ts';

test('the line below a post cuts names of any length, as titles are cut', () => {
  const formats = { locale: 'en-GB', currency: 'EUR', timezone: 'UTC' };
  const posts = section(columns({ profile: 'text', campaign: 'text', labels: 'list' }), []);
  const read = createPostReader(posts, {
    calendar: createCalendarWords(formats),
    say: createFormatter(formats).say,
    withYear: true,
  });
  const long = 'x'.repeat(100_000);
  const { names } = read(['Anna', long, [long, long]]);
  expect(names[0]).toBe('Anna');
  expect(names.map((name) => name.length <= 81 && name.length > 0)).toEqual([true, true, true]);
});
