import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OnFinding, SoundArchive } from '../../archive/sound-archive.ts';
import type { LandedPart } from '../../landing/landed-part.ts';
import type { ProgressTask } from '../../core/progress.ts';
import type { WorkSpace } from '../../warehouse/warehouse.ts';
import type { LoadablePart } from '../loadable-parts.ts';
import { mergeAllEvents, addFigures, type EventFigures } from '../events/merge-events.ts';
import type { EventCopy } from '../events/judge-event.ts';
import type { SlugHistory } from '../events/slug-history.ts';
import { readStoredEvents } from '../events/stored-events.ts';

/** Where the responses are noted whose bodies were pruned. */
const prunedName = 'pruned.ndjson';

/** The archive's parts as a load takes them, with a list of their pruned responses in the work space. */
export class ArchivedParts {
  readonly #archive: SoundArchive;
  readonly #prunedFile: string;
  readonly #onFinding: OnFinding;
  readonly #signal: AbortSignal | undefined;
  #pruned = 0;

  constructor(
    archive: SoundArchive,
    { folder }: Pick<WorkSpace, 'folder'>,
    onFinding: OnFinding,
    signal: AbortSignal | undefined,
  ) {
    this.#archive = archive;
    this.#prunedFile = join(folder, prunedName);
    this.#onFinding = onFinding;
    this.#signal = signal;
  }

  /** A line of JSON for each pruned response; null when there is none. */
  get prunedFile(): string | null {
    return this.#pruned > 0 ? this.#prunedFile : null;
  }

  /** Responses read so far whose bodies were pruned. */
  get pruned(): number {
    return this.#pruned;
  }

  async *read(): AsyncGenerator<LoadablePart> {
    for await (const part of this.#archive.parts(this.#onFinding)) {
      this.#signal?.throwIfAborted();
      await this.#notePruned(part);
      yield { part, state: part.finish ? 'finished' : 'interrupted' };
    }
  }

  async #notePruned({ responses }: LandedPart): Promise<void> {
    const lines = responses
      .filter(({ pruned }) => pruned !== null)
      .map(({ manifest: { workspace, run_id, seq } }) =>
        JSON.stringify({ workspace, run_id, seq }),
      );
    if (lines.length === 0) return;
    await appendFile(this.#prunedFile, `${lines.join('\n')}\n`);
    this.#pruned += lines.length;
  }
}

/** Something that has events, in an order that does not change. */
export interface EventSource {
  readonly name: string;
  readonly isArchived: boolean;
  read(): Promise<readonly EventCopy[]>;
}

/**
 * Merges events as if each was loaded when it was: those that were first loaded under the oldest slugs, then those
 * of the next.
 */
export async function mergeEventHistory(
  space: WorkSpace,
  sources: readonly EventSource[],
  history: SlugHistory,
  task: ProgressTask,
): Promise<EventFigures | null> {
  let figures: EventFigures | null = null;
  for (const [mapping, slugs] of history.mappings.entries()) {
    const events = readPeriod(sources, history, mapping, task);
    const merged = await mergeAllEvents(space, events, slugs);
    const waiting = readStoredEvents(space.database, 'waiting', slugs);
    const both = addFigures(merged, await mergeAllEvents(space, waiting, slugs));
    figures = figures ? addFigures(figures, both) : both;
  }
  return figures;
}

async function* readPeriod(
  sources: readonly EventSource[],
  history: SlugHistory,
  mapping: number,
  task: ProgressTask,
): AsyncGenerator<readonly EventCopy[]> {
  for (const source of sources) {
    const periods = history.periodsOf(source.name, source.isArchived);
    const period = periods.find((each) => each.mapping === mapping);
    if (!period) continue;
    const events = (await source.read()).slice(period.from, period.to);
    task.advance(events.length);
    yield events;
  }
}
