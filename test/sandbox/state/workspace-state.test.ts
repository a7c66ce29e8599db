import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { postStatuses, type PostStatus } from '../../../src/api/schemas/vocabulary.ts';
import { HTTPException } from 'hono/http-exception';
import { madeUpContent } from '../../../src/sandbox/made-up/made-up-content.ts';
import type { WorkspaceContent } from '../../../src/sandbox/workspace-content.ts';
import { deletionEvent, post as strictPost } from '../strict-shapes.ts';
import { openContent, openWorkspace, stageOf, type OpenWorkspace } from './open-workspace.ts';

/** Something that a person or the clock does; `post` picks one of the posts under watch. */
type Step =
  | { readonly kind: 'move'; readonly days: number }
  | { readonly kind: 'unschedule' | 'trash' | 'restore' | 'delete'; readonly post: number };

const watchedCount = 8;
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('move' as const), days: fc.integer({ min: 0, max: 40 }) }),
  fc.record({
    kind: fc.constantFrom('unschedule', 'trash', 'restore', 'delete'),
    post: fc.nat({ max: watchedCount - 1 }),
  }),
);
const anyStepEitherWay: fc.Arbitrary<Step> = fc.oneof(
  anyStep,
  fc.record({ kind: fc.constant('move' as const), days: fc.integer({ min: -60, max: 60 }) }),
);

function watchedPosts({ state }: OpenWorkspace): string[] {
  const { posts } = state.examples();
  return postStatuses.flatMap((status) => posts[status].slice(0, 1));
}

/** The same content; `onMade` hears of each post whose contents are made up, and of each record. */
function watchedContent(content: WorkspaceContent, onMade: () => void): WorkspaceContent {
  return {
    ...content,
    listPosts: (now) =>
      content.listPosts(now).map((plan) => ({
        ...plan,
        detailsAt: (at) => {
          onMade();
          return plan.detailsAt(at);
        },
      })),
    *analyticsOf(...asked) {
      for (const record of content.analyticsOf(...asked)) {
        onMade();
        yield record;
      }
    },
  };
}

/** What is refused, is refused as the API says; anything else is a bug and comes out. */
function take({ state, clock }: OpenWorkspace, step: Step, ids: readonly string[]): void {
  try {
    if (step.kind === 'move') clock.moveTo(clock.inDays(step.days));
    else takeOnPost(state, step.kind, ids[step.post] ?? '');
  } catch (error) {
    if (!(error instanceof HTTPException) || ![400, 404].includes(error.status)) throw error;
  }
  state.settle();
}

function takeOnPost(
  state: OpenWorkspace['state'],
  kind: 'unschedule' | 'trash' | 'restore' | 'delete',
  id: string,
): void {
  if (kind === 'unschedule') state.unschedulePost(id);
  if (kind === 'trash') state.trashPost(id);
  if (kind === 'restore') state.restorePost(id);
  if (kind === 'delete') state.deletePost(id);
}

function statusOf({ state }: OpenWorkspace, id: string): PostStatus | null {
  try {
    return strictPost.parse(state.getPost(id)).status;
  } catch (error) {
    if (error instanceof HTTPException && error.status === 404) return null;
    throw error;
  }
}

function isAllowed(before: PostStatus | null, after: PostStatus | null): boolean {
  if (before === after || after === null) return true;
  if (before === null) return false;
  return (before === 'Scheduled' && after === 'Finalized') || stageOf(after) > stageOf(before);
}

describe('whatever people do in the workspace', () => {
  it('takes each post by allowed steps only, and tells of its deletion once', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 25 }), (steps) => {
        const workspace = openWorkspace({ posts: 60 });
        const ids = watchedPosts(workspace);
        let before = ids.map((id) => statusOf(workspace, id));
        for (const step of steps) {
          take(workspace, step, ids);
          const after = ids.map((id) => statusOf(workspace, id));
          after.forEach((status, index) => {
            expect(isAllowed(before[index] ?? null, status), `${before[index]} → ${status}`).toBe(
              true,
            );
          });
          before = after;
        }
        const gone = ids.filter((_, index) => before[index] === null);
        const told = workspace.events.map((event) => deletionEvent.parse(event).data.post.id);
        expect(told.toSorted()).toEqual(gone.toSorted());
      }),
      { numRuns: 15 },
    );
  });

  it('never tells twice of a deletion nor takes it back, also when time runs backwards', () => {
    fc.assert(
      fc.property(fc.array(anyStepEitherWay, { maxLength: 25 }), (steps) => {
        const workspace = openWorkspace({ posts: 60 });
        const ids = watchedPosts(workspace);
        const gone = new Set<string>();
        for (const step of steps) {
          take(workspace, step, ids);
          for (const event of workspace.events) {
            gone.add(deletionEvent.parse(event).data.post.id);
          }
          expect(gone.size).toBe(workspace.events.length);
          for (const id of gone) expect(statusOf(workspace, id)).toBeNull();
        }
        const now = workspace.state.now().toISOString();
        for (const id of ids.filter((each) => statusOf(workspace, each) !== null)) {
          const { createdAt, updatedAt } = strictPost.parse(workspace.state.getPost(id));
          expect(createdAt <= updatedAt && updatedAt <= now).toBe(true);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('comes out the same for the same seed, clock and steps', () => {
    fc.assert(
      fc.property(fc.array(anyStepEitherWay, { maxLength: 12 }), (steps) => {
        const [one, other] = [openWorkspace({ posts: 60 }), openWorkspace({ posts: 60 })];
        const ids = watchedPosts(one);
        for (const step of steps) {
          take(one, step, ids);
          take(other, step, ids);
        }
        expect(other.events).toEqual(one.events);
        expect(other.state.examples()).toEqual(one.state.examples());
      }),
      { numRuns: 8 },
    );
  });
});

describe('a workspace', () => {
  it('has other posts, people and ideas for another seed', () => {
    const idsOf = ({ state }: OpenWorkspace) => {
      const { posts, users, ideas, engagements } = state.examples();
      return [posts, users, ideas, engagements].map((each) => JSON.stringify(each)).join();
    };
    const [one, other] = [openWorkspace(), openWorkspace({ seed: 2 })];
    const uuids = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
    const ids = new Set(idsOf(one).match(uuids));
    expect(ids.size).toBeGreaterThan(40);
    expect((idsOf(other).match(uuids) ?? []).filter((id) => ids.has(id))).toEqual([]);
  });

  it('has nothing before all of its time, and is whole again after it', () => {
    const { state, clock } = openWorkspace({ posts: 60 });
    const before = state.examples();
    clock.moveTo(new Date('0001-01-01T00:00:00Z'));
    const { posts, engagements, linkedin_posts: linkedIn } = state.examples();
    expect([...Object.values(posts).flat(), ...engagements, ...linkedIn]).toEqual([]);
    clock.moveTo(new Date('2026-01-15T12:00:00Z'));
    expect(state.examples()).toEqual(before);
  });

  it('shows the same at a time however the clock came there', () => {
    const [straight, around] = [openWorkspace({ posts: 60 }), openWorkspace({ posts: 60 })];
    straight.clock.moveTo(straight.clock.inDays(10));
    for (const days of [200, -500, 310]) {
      around.clock.moveTo(around.clock.inDays(days));
      around.state.examples();
    }
    expect(around.state.now()).toEqual(straight.state.now());
    expect(around.state.examples()).toEqual(straight.state.examples());
  });

  it('makes up the contents of few posts to choose examples, however many posts there are', () => {
    const start = new Date('2026-01-15T12:00:00Z');
    const content = madeUpContent({ seed: 1, profileCount: 5, postCount: 2000, start });
    let madeCount = 0;
    const watched = watchedContent(content, () => (madeCount += 1));
    const examples = openContent(watched, 1, start).state.examples();
    expect(examples).toEqual(openContent(content, 1, start).state.examples());
    expect(madeCount).toBeGreaterThan(0);
    expect(madeCount).toBeLessThan(50);
  });
});
