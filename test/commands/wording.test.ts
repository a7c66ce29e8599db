import { expect, test } from 'vitest';
import { replaySentence } from '../../src/commands/webhooks-list.ts';
import { byteSize } from '../../src/core/wording.ts';
import { loadSentence, nothingNew, type LoadSummary } from '../../src/load/load-summary.ts';

const answers = { responses: 2, posts: { new: 1, changed: 0, unchanged: 5 }, isPublished: true };

test.each<[string, Partial<LoadSummary>]>([
  ['Nothing new to load.', {}],
  ['Nothing new to load · a run under way was left alone.', { inProgress: 1 }],
  ['2 responses loaded · posts: 1 new, 5 unchanged.', answers],
  [
    'No new answers or events; the records of runs, profiles and earlier events were updated.',
    { isPublished: true },
  ],
  [
    '3 events applied, 1 kept.',
    { events: { applied: 3, kept: 1, rejected: 0 }, isPublished: true },
  ],
  [
    '2 responses loaded · posts: 1 new, 5 unchanged · 1,000 events rejected · 1 damaged file skipped.',
    { ...answers, events: { applied: 0, kept: 0, rejected: 1000 }, damaged: 1 },
  ],
])('says %j', (sentence, change) => {
  expect(loadSentence({ ...nothingNew, ...change })).toBe(sentence);
});

test('a summary says what a replay did', () => {
  const counts = { applied: 2, kept: 1, rejected: 0 };
  expect(replaySentence({ events: 3, changed: 0, ...counts })).toBe(
    '3 events replayed, none changed. Now: 2 events applied, 1 kept.\n',
  );
  expect(replaySentence({ events: 3000, changed: 1200, ...counts })).toBe(
    '3,000 events replayed, 1,200 changed. Now: 2 events applied, 1 kept.\n',
  );
  expect(replaySentence({ events: 0, changed: 0, applied: 0, kept: 0, rejected: 0 })).toBe(
    'No events to replay.\n',
  );
});

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [438_260, '438.3 kB'],
  [999_960, '1.0 MB'],
  [5e15, '5000.0 TB'],
])('%i bytes are printed as %s', (bytes, words) => {
  expect(byteSize(bytes)).toBe(words);
});
