import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { postDeletedEventSchema } from '../../../src/api/schemas/events.ts';
import { postStatuses, type PostStatus } from '../../../src/api/schemas/vocabulary.ts';
import { HTTPException } from 'hono/http-exception';
import { openWorkspace, stageOf, type OpenWorkspace } from './open-workspace.ts';

/** An action of a person or of the clock; `post` picks one of the watched posts. */
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
function watchedPosts({ state }: OpenWorkspace): string[] {
  const { posts } = state.examples();
  return postStatuses.flatMap((status) => posts[status].slice(0, 1));
}

/** Takes an action. A refusal of the API is expected; any other error is thrown. */
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
    return (state.getPost(id) as { status: PostStatus }).status;
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
  it('moves each post only along allowed steps, and announces its deletion once', () => {
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
        const told = workspace.events.map(
          (event) => postDeletedEventSchema.parse(event).data.post.id,
        );
        expect(told.toSorted()).toEqual(gone.toSorted());
      }),
      { numRuns: 15 },
    );
  });
});

describe('a workspace', () => {
  it('shows the same at a given time, however the clock was moved there', () => {
    const [straight, around] = [openWorkspace({ posts: 60 }), openWorkspace({ posts: 60 })];
    straight.clock.moveTo(straight.clock.inDays(10));
    for (const days of [200, -500, 310]) {
      around.clock.moveTo(around.clock.inDays(days));
      around.state.examples();
    }
    expect(around.state.now()).toEqual(straight.state.now());
    expect(around.state.examples()).toEqual(straight.state.examples());
  });
});
