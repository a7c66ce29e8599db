import type { WebhookEvent } from '../../../src/api/schemas/events.ts';
import type { PostStatus } from '../../../src/api/schemas/vocabulary.ts';
import { madeUpContent } from '../../../src/sandbox/made-up/made-up-content.ts';
import { SandboxClock } from '../../../src/sandbox/sandbox-clock.ts';
import { WorkspaceState } from '../../../src/sandbox/state/workspace-state.ts';
import { ManualClock } from '../../support/manual-clock.ts';

export interface OpenWorkspace {
  readonly state: WorkspaceState;
  /** The clock, which stands still until it is moved. */
  readonly clock: SandboxClock;
  /** The events in their order. */
  readonly events: readonly WebhookEvent[];
}

/** A workspace at noon of 15 January 2026, as the sandbox makes it up by default. */
export function openWorkspace(options: { seed?: number; posts?: number } = {}): OpenWorkspace {
  const { seed = 1, posts = 2000 } = options;
  const start = new Date('2026-01-15T12:00:00Z');
  const content = madeUpContent({ seed, profileCount: 5, postCount: posts, start });
  const clock = new SandboxClock(new ManualClock(start));
  const events: WebhookEvent[] = [];
  const emit = (event: WebhookEvent) => void events.push(event);
  return { state: new WorkspaceState({ seed, content, clock, emit }), clock, events };
}

/** The statuses that may follow each other when only time passes. A post that is created late skips the first. */
const stages: readonly (readonly PostStatus[])[] = [
  ['Tentative'],
  ['ToDo'],
  ['InProgress'],
  ['ForReview', 'Blocked'],
  ['Finalized'],
  ['Scheduled'],
  ['Posted'],
];

export function stageOf(status: PostStatus): number {
  return stages.findIndex((stage) => stage.includes(status));
}
