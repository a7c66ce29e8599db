import { describe, expect, it } from 'vitest';
import { postView } from '../../src/commands/post-view.ts';
import {
  asset,
  hostileText,
  image,
  label,
  place,
  postDetails,
  profile,
  unscheduledPost,
} from './sample-resources.ts';

const table = place({ width: null });
const empty = { labels: [], linkedIn: null, x: null };
const autumnUrl = 'https://social.example.com/acme/posts/autumn';

/** The values of a post's fields by their names; lines of a value below its first are left out. */
function fieldsOf(view: string): Record<string, string> {
  const [, fields = ''] = view.split('\n\n');
  const pairs = fields.split('\n').map((line) => line.split(/ {2,}/u));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}

/** The text below the fields. */
function contentOf(view: string): string {
  return view.split('\n\n').slice(2).join('\n\n');
}

describe('a post on a terminal', () => {
  it('shows its title, its fields, its content on each channel, and its files', () => {
    expect(postView(postDetails(), place())).toBe(
      `Autumn collection

Status        Scheduled
Channels      LinkedIn, Twitter
Publish date  2026-01-15
Publish time  2026-01-15 13:05 +01:00
Labels        [Launch] [Autumn]
Created       2026-01-02 10:00 +01:00
Updated       2026-01-12 09:30 +01:00
URL           ${autumnUrl}

LinkedIn: Fjord & Pine (@fjordpine)
  Our autumn collection is here, and it took eleven people and two winters to
  make.

  See it at https://example.com/autumn

  autumn.mp4
    Type      video/mp4
    Size      12.3 MB
    Pixels    1920×1080
    Duration  1:05
    URL       https://cdn.example.com/autumn.mp4

  cover.png
    Type    image/png
    Size    48.2 kB
    Pixels  1200×627
    URL     https://cdn.example.com/cover.png

X: Fjord & Pine (@fjordpine)
  1. It is here.

     cover.png
       Type    image/png
       Size    48.2 kB
       Pixels  1200×627
       URL     https://cdn.example.com/cover.png

  2. Eleven people, two winters.
     Thank you!`,
    );
  });

  it.each([
    [
      'no labels and no dates of their own',
      unscheduledPost(),
      { Status: 'Finalized', URL: autumnUrl },
    ],
    ['a state that is not known', unscheduledPost({ status: 'archived' }), { Status: 'archived' }],
    [
      'channels that are not known',
      unscheduledPost({ channels: ['Mastodon', 'LinkedIn'] }),
      { Channels: 'Mastodon, LinkedIn' },
    ],
    [
      'nothing',
      postDetails({ ...empty, url: '', channels: [], publishDate: null, publishAt: null }),
      { Channels: '–', 'Publish date': '–', 'Publish time': '–', URL: '–' },
    ],
  ])('shows fields of a post with %s', (_, post, fields) => {
    expect(fieldsOf(postView(post, table))).toMatchObject(fields);
  });

  it.each([
    ['America/New_York', '2026-01-15 07:05 -05:00'],
    ['Asia/Kolkata', '2026-01-15 17:35 +05:30'],
  ])('shows times as in %s', (timezone, time) => {
    const view = postView(unscheduledPost(), place({ timezone }));
    expect(fieldsOf(view)['Publish time']).toBe(time);
  });

  it.each([
    ['a post without a text', { linkedIn: { profile, copy: '\n ', assets: [] } }, '(no text)'],
    ['a thread without tweets', { x: { profile, tweets: [] } }, '(no tweets)'],
    ['a channel that has no content', { channels: ['Mastodon'] }, 'gives no content for Mastodon'],
  ])('names the missing parts of %s', (_, changes, sentence) => {
    expect(contentOf(postView(postDetails({ ...empty, ...changes }), table))).toContain(sentence);
  });

  it.each([
    [{ size: 0, duration: null }, ['0 kB', '1920×1080', '–']],
    [{ size: 999, duration: 0 }, ['1 kB', '1920×1080', '0:00']],
    [{ size: 1_500, duration: 59.6 }, ['1.5 kB', '1920×1080', '1:00']],
    [{ size: 1_000_000, duration: 605 }, ['1 MB', '1920×1080', '10:05']],
    [{ size: 2_345_678_901, duration: 3725 }, ['2,345.7 MB', '1920×1080', '1:02:05']],
    [{ size: 48_200, duration: -1, width: 0, height: 0 }, ['48.2 kB', '–', '–']],
  ])('describes a file of %j', (changes, cells) => {
    const linkedIn = { profile, copy: '', assets: [asset(changes)] };
    const view = postView(postDetails({ ...empty, linkedIn }), table);
    expect(view.split('\n').at(-1)?.split(/ {2,}/u).slice(3, 6)).toEqual(cells);
  });
});

describe('a post with terminal control sequences', () => {
  const hostile = postDetails({
    title: `one\ntwo ${hostileText}`,
    status: hostileText,
    channels: [hostileText],
    url: hostileText,
    labels: [label(hostileText)],
    linkedIn: {
      profile: { ...profile, name: hostileText, detail: 'a\nb' },
      copy: `${hostileText}\nnext\tline`,
      assets: [{ ...image, name: hostileText, mimetype: hostileText, url: hostileText }],
    },
    x: null,
  });

  it('is shown with the sequences visible', () => {
    const view = postView(hostile, place());
    const shown = '␛[2J�evil ␇�31m';
    expect(view.split('\n')[0]).toBe(`one two ${shown}`);
    expect(fieldsOf(view)).toMatchObject({
      Status: shown,
      Channels: shown,
      Labels: `[${shown}]`,
      URL: shown,
    });
    expect(contentOf(view)).toBe(
      `LinkedIn: ${shown} (a b)
  ␛[2J�evil␍␇�31m
  next  line

  File             Type             Size     Pixels    Duration  URL
  ───────────────  ───────────────  ───────  ────────  ────────  ───────────────
  ${shown}  ${shown}  48.2 kB  1200×627  –         ${shown}

The API gives no content for ${shown}.`,
    );
  });
});
