import { expect, test } from 'vitest';
import { finding } from '../../src/archive/finding.ts';
import { rebuildSentence } from '../../src/commands/rebuild-sentence.ts';
import type { RebuildSummary } from '../../src/load/rebuild.ts';

const losses = { responses: 0, runs: [], events: 0, moved: 0, snapshots: 0, days: null };
const done: RebuildSummary = {
  runs: 2,
  responses: 1_000,
  posts: 1,
  events: { applied: 0, kept: 0, rejected: 0 },
  damages: [],
  losses,
  prunedUnseen: 0,
  isPublished: true,
  refusal: null,
  setAsideTo: null,
  archived: 0,
};
const refused = { isPublished: false, refusal: 'damage' } as const;
const line = finding('damaged', '/a/ledger.ndjson', 'line 3\n  is not what was written', 'seal it');

test.each<[string, Partial<RebuildSummary>]>([
  ['Rebuilt from 2 runs with 1,000 responses · 1 LinkedIn post.', {}],
  [
    'Rebuilt from 2 runs with 1,000 responses · 1 LinkedIn post. 3 responses of the archive were pruned: the daily snapshots that the warehouse alone had of them are gone with it.',
    { prunedUnseen: 3 },
  ],
  [
    'Nothing was published: 1 file of the archive is damaged or gone. /a/ledger.ndjson: line 3 is not what was written; seal it. --accept-damage does without it.',
    { ...refused, damages: [line] },
  ],
  [
    'Nothing was published: the warehouse that is there has more than a rebuild would give. 1 file of the archive is damaged or gone. 2 loaded events cannot be read from the archive. To go on, put back what is missing from a backup, or give --accept-damage to do without it.',
    { ...refused, damages: [line], losses: { ...losses, events: 2 } },
  ],
  [
    'Nothing was published: the warehouse that is there has more than a rebuild would give. 2 events do not go to the workspace that the warehouse has them in. To go on, run `postledger archive verify --seal`, which learns from the warehouse what slugs stood for, or give --accept-damage to do without it.',
    { ...refused, losses: { ...losses, moved: 2 } },
  ],
])('says %j', (sentence, change) => {
  expect(rebuildSentence({ ...done, ...change })).toBe(sentence);
});
