import { describe, expect, it } from 'vitest';
import { postView } from '../../src/commands/post-view.ts';
import { terminalWidth } from '../../src/core/terminal-width.ts';
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

function text(...lines: string[]): string {
  return lines.join('\n');
}

/** The lines from the one that begins with `start` to the next empty one. */
function block(view: string, start: string): string[] {
  const lines = view.split('\n');
  const first = lines.findIndex((line) => line.trimStart().startsWith(start));
  const length = lines.slice(first).indexOf('');
  return lines.slice(first, length === -1 ? undefined : first + length);
}

describe('a post on a terminal', () => {
  it('shows its fields, its content on each channel, and its files without addresses that do not fit', () => {
    expect(postView(postDetails(), place())).toBe(
      text(
        'Autumn collection',
        '',
        'Status        Scheduled',
        'Channels      LinkedIn, Twitter',
        'Publish date  2026-01-15',
        'Publish time  2026-01-15 13:05 CET',
        'Labels        [Launch] [Autumn]',
        'Created       2026-01-02 10:00 CET',
        'Updated       2026-01-12 09:30 CET',
        'URL           https://social.example.com/acme/posts/autumn',
        '',
        'LinkedIn: Fjord & Pine (@fjordpine)',
        '  Our autumn collection is here, and it took eleven people and two winters to',
        '  make.',
        '',
        '  See it at https://example.com/autumn',
        '',
        '  File        Type       Size     Pixels     Duration',
        '  ──────────  ─────────  ───────  ─────────  ────────',
        '  autumn.mp4  video/mp4  12.3 MB  1920×1080  1:05',
        '  cover.png   image/png  48.2 kB  1200×627   –',
        '',
        'X: Fjord & Pine (@fjordpine)',
        '  1. It is here.',
        '',
        '     File       Type       Size     Pixels    Duration',
        '     ─────────  ─────────  ───────  ────────  ────────',
        '     cover.png  image/png  48.2 kB  1200×627  –',
        '',
        '  2. Eleven people, two winters.',
        '     Thank you!',
      ),
    );
  });

  it('fits into 40 columns, with a block of lines for each file', () => {
    const content = {
      profile,
      copy: 'Eleven people and two winters to make it.',
      assets: [asset()],
    };
    const post = postDetails({
      title: 'The autumn collection of a long, long year',
      linkedIn: content,
    });
    expect(postView({ ...post, x: null }, place({ width: 40 }))).toBe(
      text(
        'The autumn collection of a long, long',
        'year',
        '',
        'Status        Scheduled',
        'Channels      LinkedIn, Twitter',
        'Publish date  2026-01-15',
        'Publish time  2026-01-15 13:05 CET',
        'Labels        [Launch] [Autumn]',
        'Created       2026-01-02 10:00 CET',
        'Updated       2026-01-12 09:30 CET',
        'URL           https://social.example.com/acme/posts/autumn',
        '',
        'LinkedIn: Fjord & Pine (@fjordpine)',
        '  Eleven people and two winters to make',
        '  it.',
        '',
        '  autumn.mp4',
        '    Type      video/mp4',
        '    Size      12.3 MB',
        '    Pixels    1920×1080',
        '    Duration  1:05',
        '    URL       https://cdn.example.com/autumn.mp4',
      ),
    );
  });

  it('shows the addresses of files where they fit, and where there is no terminal', () => {
    const tables = [120, null].map((width) =>
      block(postView(postDetails(), place({ width })), 'File'),
    );
    expect(tables[0]).toEqual([
      '  File        Type       Size     Pixels     Duration  URL',
      '  ──────────  ─────────  ───────  ─────────  ────────  ──────────────────────────────────',
      '  autumn.mp4  video/mp4  12.3 MB  1920×1080  1:05      https://cdn.example.com/autumn.mp4',
      '  cover.png   image/png  48.2 kB  1200×627   –         https://cdn.example.com/cover.png',
    ]);
    expect(tables[1]).toEqual(tables[0]);
  });

  it('shows what unscheduling gives back, which has no labels and no content', () => {
    expect(postView(unscheduledPost(), place())).toBe(
      text(
        'Autumn collection',
        '',
        'Status        Finalized',
        'Channels      LinkedIn, Twitter',
        'Publish date  2026-01-15',
        'Publish time  2026-01-15 13:05 CET',
        'Updated       2026-01-12 09:30 CET',
        'URL           https://social.example.com/acme/posts/autumn',
      ),
    );
  });

  it('marks what is not there, and leaves out what has no place of its own', () => {
    const bare = postDetails({
      title: ' ',
      url: '',
      channels: [],
      publishDate: null,
      publishAt: null,
      labels: [],
      linkedIn: { profile, copy: '\n ', assets: [asset({ duration: null, width: 0, height: 0 })] },
      x: { profile, tweets: [] },
    });
    expect(postView(bare, place({ width: 90 }))).toBe(
      text(
        '–',
        '',
        'Status        Scheduled',
        'Channels      –',
        'Publish date  –',
        'Publish time  –',
        'Created       2026-01-02 10:00 CET',
        'Updated       2026-01-12 09:30 CET',
        'URL           –',
        '',
        'LinkedIn: Fjord & Pine (@fjordpine)',
        '  (no text)',
        '',
        '  File        Type       Size     Pixels  Duration  URL',
        '  ──────────  ─────────  ───────  ──────  ────────  ──────────────────────────────────',
        '  autumn.mp4  video/mp4  12.3 MB  –       –         https://cdn.example.com/autumn.mp4',
        '',
        'X: Fjord & Pine (@fjordpine)',
        '  (no tweets)',
      ),
    );
  });

  it('names channels and states that it does not know', () => {
    const post = unscheduledPost({ channels: ['Mastodon', 'LinkedIn'], status: 'archived' });
    const lines = postView(post, place()).split('\n');
    expect(lines.slice(2, 4)).toEqual([
      'Status        archived',
      'Channels      Mastodon, LinkedIn',
    ]);
  });

  it('tells times as the zone and the locale have them', () => {
    const timeIn = (timezone: string, locale: string) =>
      block(postView(unscheduledPost(), place({ timezone, locale })), 'Publish time')[0];
    expect(timeIn('America/New_York', 'en-US')).toBe('Publish time  2026-01-15 07:05 EST');
    expect(timeIn('Asia/Kolkata', 'en-US')).toBe('Publish time  2026-01-15 17:35 GMT+5:30');
    expect(timeIn('UTC', 'de-DE')).toBe('Publish time  2026-01-15 12:05 UTC');
  });

  it.each([
    [0, '0 kB', null, '–'],
    [999, '1 kB', 0, '0:00'],
    [1_500, '1.5 kB', 59.6, '1:00'],
    [1_000_000, '1 MB', 605, '10:05'],
    [2_345_678_901, '2,345.7 MB', 3725, '1:02:05'],
    [48_200, '48.2 kB', -1, '–'],
  ])('writes %i bytes as %s, and %s seconds as %s', (size, sizeText, duration, time) => {
    const content = { profile, copy: '', assets: [asset({ size, duration })] };
    const view = postView(postDetails({ linkedIn: content, x: null }), place({ width: null }));
    expect(view.split('\n').at(-1)?.split(/ {2,}/u).slice(3, 6)).toEqual([
      sizeText,
      '1920×1080',
      time,
    ]);
  });
});

describe('a post in colour', () => {
  it('has its title and heads in bold, and names of fields dimmed', () => {
    const post = { ...postDetails({ labels: [], linkedIn: null }), x: { profile, tweets: [] } };
    expect(postView(post, place({ hasColor: true }))).toBe(
      text(
        '\u001b[1mAutumn collection\u001b[22m',
        '',
        '\u001b[2mStatus\u001b[22m        Scheduled',
        '\u001b[2mChannels\u001b[22m      LinkedIn, Twitter',
        '\u001b[2mPublish date\u001b[22m  2026-01-15',
        '\u001b[2mPublish time\u001b[22m  2026-01-15 13:05 CET',
        '\u001b[2mCreated\u001b[22m       2026-01-02 10:00 CET',
        '\u001b[2mUpdated\u001b[22m       2026-01-12 09:30 CET',
        '\u001b[2mURL\u001b[22m           https://social.example.com/acme/posts/autumn',
        '',
        '\u001b[1mX: Fjord & Pine (@fjordpine)\u001b[22m',
        '  \u001b[2m(no tweets)\u001b[22m',
      ),
    );
  });
});

describe('a post that wants to steer the terminal', () => {
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

  it('is shown instead of obeyed', () => {
    expect(postView(hostile, place())).toBe(
      text(
        'one two ␛[2J�evil ␇�31m',
        '',
        'Status        ␛[2J�evil ␇�31m',
        'Channels      ␛[2J�evil ␇�31m',
        'Publish date  2026-01-15',
        'Publish time  2026-01-15 13:05 CET',
        'Labels        [␛[2J�evil ␇�31m]',
        'Created       2026-01-02 10:00 CET',
        'Updated       2026-01-12 09:30 CET',
        'URL           ␛[2J�evil ␇�31m',
        '',
        'LinkedIn: ␛[2J�evil ␇�31m (a b)',
        '  ␛[2J�evil␍␇�31m',
        '  next  line',
        '',
        '  File             Type             Size     Pixels    Duration  URL',
        '  ───────────────  ───────────────  ───────  ────────  ────────  ───────────────',
        '  ␛[2J�evil ␇�31m  ␛[2J�evil ␇�31m  48.2 kB  1200×627  –         ␛[2J�evil ␇�31m',
        '',
        'The API gives no content for ␛[2J�evil ␇�31m.',
      ),
    );
  });

  it('brings no sequence of its own among ours', () => {
    const ours = /\u001b\[(?:1|2|22)m/gu;
    const view = postView(hostile, place({ hasColor: true }));
    expect(view.replace(ours, '')).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
  });

  it.each([1, 7, 40, 80])('stays within %i columns, however much it says', (width) => {
    const long = { profile, copy: '漢字、🎉 wörds '.repeat(250), assets: [] };
    const post = postDetails({ title: 'x'.repeat(3000), url: '–', linkedIn: long, x: null });
    const content = postView(post, place({ width })).split('\n');
    const copyLines = content.slice(content.findLastIndex((line) => line === '') + 1);
    const widest = Math.max(...copyLines.map(terminalWidth));
    expect(widest).toBeLessThanOrEqual(Math.max(width, 4));
    expect(widest).toBeGreaterThanOrEqual(Math.min(width - 2, 75));
  });
});
