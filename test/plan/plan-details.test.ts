import { describe, expect, it } from 'vitest';
import type { KnownPost } from '../../src/plan/plan.ts';
import { planDetails, type DetailsQuestion } from '../../src/plan/plan-details.ts';
import { fjord, knownPost, planJobConfig, planQuestion } from '../support/plan-question.ts';

/** The planned details such as `a never-read`, in order, on 2026-02-04 at noon. */
function plan(posts: readonly KnownPost[], question: Partial<DetailsQuestion> = {}): string[] {
  return planDetails({ ...planQuestion(), posts, ...question }).map(
    ({ postId, reason }) => `${postId} ${reason}`,
  );
}

const fetched = (at: string) => ({
  fetchedAt: { post: new Date(at), approvals: null, comments: null },
});
const read = fetched('2026-02-01T12:00:00Z');

describe('which details are due', () => {
  it('reads those never read, newest first, and by id if the times are equal', () => {
    const posts = [
      knownPost('old', { publishedAt: new Date('2026-01-02T09:00:00Z') }),
      knownPost('b'),
      knownPost('timeless', { publishedAt: null }),
      knownPost('new', { publishedAt: new Date('2026-02-03T09:00:00Z') }),
      knownPost('a'),
    ];
    const expected = ['new', 'a', 'b', 'old', 'timeless'].map((id) => `${id} never-read`);
    expect(plan(posts)).toEqual(expected);
    expect(plan(posts.toReversed())).toEqual(expected);
  });

  it('does not read fresh and unchanged ones again', () => {
    expect(plan([knownPost('a', read)])).toEqual([]);
  });

  it('reads one again when its analytics have changed', () => {
    expect(plan([knownPost('a', { ...read, hasChanged: true })])).toEqual(['a changed']);
  });

  it('reads one again when its last reading is as old as half its age, after 30 days at least', () => {
    const job = planJobConfig({ start: '2025-01-01' });
    const isDue = (publishedAt: string, detailFetchedAt: string) =>
      plan(
        [
          knownPost('a', {
            publishedAt: new Date(publishedAt),
            ...fetched(detailFetchedAt),
          }),
        ],
        { job },
      ).length === 1;
    expect(isDue('2026-01-04T12:00:00Z', '2026-01-05T12:00:00Z')).toBe(true);
    expect(isDue('2026-01-04T12:00:00Z', '2026-01-05T12:00:01Z')).toBe(false);
    expect(isDue('2025-10-07T12:00:00Z', '2025-12-06T12:00:00Z')).toBe(true);
    expect(isDue('2025-10-07T12:00:00Z', '2025-12-06T13:00:00Z')).toBe(false);
  });

  it('reads one of unknown age again after 90 days', () => {
    const post = (detailFetchedAt: string) =>
      knownPost('a', { publishedAt: null, ...fetched(detailFetchedAt) });
    expect(plan([post('2025-11-06T12:00:00Z')])).toEqual(['a aged']);
    expect(plan([post('2025-11-06T12:00:01Z')])).toEqual([]);
  });

  it('reads a removed one only with --full', () => {
    const posts = [knownPost('gone', { isRemoved: true }), knownPost('here', read)];
    expect(plan(posts)).toEqual([]);
    expect(plan(posts, { full: true })).toEqual(['gone asked', 'here asked']);
  });

  it('skips posts that only other profiles have linked', () => {
    const posts = [knownPost('a'), knownPost('b', { profileIds: [fjord.id] })];
    expect(plan(posts)).toEqual(['a never-read']);
  });

  it('reads none again for its age alone if only what waits is read', () => {
    const posts = [
      knownPost('a', fetched('2025-11-06T12:00:00Z')),
      knownPost('b', { ...read, hasChanged: true }),
      knownPost('c'),
    ];
    expect(plan(posts, { onlyWaiting: true })).toEqual(['b changed', 'c never-read']);
  });

  it('reads none for a job without details', () => {
    expect(plan([knownPost('a')], { job: planJobConfig({}, { details: [] }) })).toEqual([]);
  });

  it('skips posts from before the first day, and those of other workspaces', () => {
    const posts = [
      knownPost('before', { publishedAt: new Date('2025-12-30T09:00:00Z') }),
      knownPost('elsewhere', { workspace: 'other' }),
      knownPost('first', { publishedAt: new Date('2026-01-01T00:30:00Z') }),
      knownPost('ahead', { publishedAt: new Date('2026-02-20T00:30:00Z') }),
    ];
    expect(plan(posts)).toEqual(['ahead never-read', 'first never-read']);
  });

  it('reads only those of the days of a backfill', () => {
    const posts = ['2026-01-05', '2026-01-10', '2026-01-15'].map((day) =>
      knownPost(day, { publishedAt: new Date(`${day}T12:00:00Z`) }),
    );
    expect(plan(posts, { asked: { from: '2026-01-08', to: '2026-01-12' } })).toEqual([
      '2026-01-10 never-read',
    ]);
  });

  it('counts a reading in the future as one made now', () => {
    expect(plan([knownPost('a', fetched('2031-01-01'))])).toEqual([]);
  });

  it('reads approvals and comments by a request each, when each of them is due', () => {
    const job = planJobConfig({}, { details: ['post', 'approvals', 'comments'] });
    const fetchedAt = { ...read.fetchedAt, approvals: new Date('2026-02-01T12:00:00Z') };
    const posts = [knownPost('a'), knownPost('b', { fetchedAt, hasChanged: true })];
    const details = planDetails({ ...planQuestion({ job }), posts });
    expect(details.map(({ postId, kind, reason }) => `${postId} ${kind} ${reason}`)).toEqual([
      'a post never-read',
      'a approvals never-read',
      'a comments never-read',
      'b post changed',
      'b comments never-read',
    ]);
  });
});
