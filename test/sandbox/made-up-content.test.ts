import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { madeUpContent } from '../../src/sandbox/made-up/made-up-content.ts';
import { detailsAt } from '../../src/sandbox/made-up/planned-post.ts';

const start = new Date('2026-01-15T12:00:00Z');
const always = { from: '1900-01-01', to: '2999-12-31' };

it('made-up posts stay the same for a seed from version to version', () => {
  const content = madeUpContent({ seed: 1, profileCount: 5, postCount: 200, start });
  const posts = content.profiles.flatMap(({ id }) => [...content.analyticsOf(id, always, start)]);
  expect(posts).toHaveLength(200);
  const plans = content.listPosts(start).map((plan) => detailsAt(plan, start));
  const text = JSON.stringify([posts, plans]);
  expect(createHash('sha256').update(text).digest('hex')).toMatchInlineSnapshot(
    `"62a68cd5085fb711ab07ac1b0c80cd066df90b61dfa13ac9fa49b6e9bc8aa336"`,
  );
});
