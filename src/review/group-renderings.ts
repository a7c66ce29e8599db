import { hash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { figuresFiles, type Config } from '../config/config.ts';
import type { RunTools } from '../config/run-tools.ts';
import { dayOf } from '../core/calendar.ts';
import { readIfPresent } from '../core/found-files.ts';
import type { Delivery } from '../deliver/delivery.ts';
import { sourceVersion } from '../pipeline/job-reports.ts';
import { renderGroup, type RenderedGroup } from '../pipeline/known-deliveries.ts';
import { type Comment, readComments } from './comment-fields.ts';
import { type Shown, shownOf } from './page-changes.ts';
import type { ShownFile } from './review-app.ts';
import { filesOf } from './shown-files.ts';

/** How long a rendering from a lake is used again. */
const lakeMs = 300_000;
/** The most groups whose renderings are kept, with all files. */
const maxRenderings = 4;

export type RenderingTools = Omit<RunTools, 'config'>;

/** The deliveries that differ in nothing but their recipient, with the jobs.yaml that they are rendered by. */
export interface VisitedGroup {
  readonly id: string;
  readonly config: Config;
  /** The version of jobs.yaml. */
  readonly state: string;
  readonly deliveries: readonly Delivery[];
}

/** A group as it would be sent now. */
export interface Rendering {
  /** The version of all that it was rendered from. */
  readonly state: string;
  /** The version of the warehouse, or a random word where it has none. */
  readonly source: string;
  readonly atMs: number;
  readonly version: string;
  readonly group: RenderedGroup;
  readonly comments: readonly Comment[];
  readonly shown: Shown;
  readonly files: ReadonlyMap<string, ShownFile>;
}

/** Renders groups one after another, and uses a rendering again while nothing that it depends on has changed. */
export class GroupRenderings {
  readonly #tools: RenderingTools;
  readonly #renderings = new Map<string, Rendering>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(tools: RenderingTools) {
    this.#tools = tools;
  }

  /** Returns the newest rendering of a group, whether or not it is still what would be sent. */
  known(id: string): Rendering | undefined {
    return this.#renderings.get(id);
  }

  forget(id: string): void {
    this.#renderings.delete(id);
  }

  render(visit: VisitedGroup): Promise<Rendering> {
    const turn = this.#turn.then(async () => {
      const known = this.#renderings.get(visit.id);
      const source = await this.#sourceOf(visit, known);
      const state = await this.#stateOf(visit, source, known);
      if (known?.state === state) return known;
      const rendering = await this.#renderAgain(visit, source);
      remember(this.#renderings, visit.id, rendering, maxRenderings);
      return rendering;
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** The version of the warehouse. Nobody can tell that of a lake, so what was rendered from one counts for minutes. */
  async #sourceOf({ config }: VisitedGroup, known: Rendering | undefined): Promise<string> {
    const version = await sourceVersion(config);
    if (version !== null) return version;
    const age = known ? this.#tools.clock.monotonicMs() - known.atMs : Infinity;
    return known && age < lakeMs ? known.source : randomUUID();
  }

  /** What a group is rendered from: the warehouse, jobs.yaml, its figures and comments, the day, and what waits. */
  async #stateOf(
    visit: VisitedGroup,
    source: string,
    known: Rendering | undefined,
  ): Promise<string> {
    const { config, state, deliveries } = visit;
    const inputs = (known && inputsOf(known)) ?? [];
    return JSON.stringify([
      state,
      source,
      dayOf(this.#tools.clock.now(), config.timezone),
      deliveries.map(({ record, status }) => [record.id, record.created_at, status.state]),
      await Promise.all(inputs.map(readIfPresent)),
      await readFigures(config),
    ]);
  }

  async #renderAgain(visit: VisitedGroup, source: string): Promise<Rendering> {
    const tools = { ...this.#tools, config: visit.config };
    const scratch = await mkdtemp(join(tmpdir(), 'postledger-review-'));
    try {
      const group = await renderGroup(heldOf(visit), scratch, tools);
      const comments = await readComments(group.mails);
      const shown = shownOf(group, comments);
      const version = hash(
        'sha256',
        JSON.stringify([
          group.mails.map(({ defined, rendered }) => [defined.recipient, rendered.mail?.version]),
          comments.map(({ path, raw }) => [path, raw]),
          group.errors,
        ]),
      ).slice(0, 32);
      const atMs = this.#tools.clock.monotonicMs();
      const unstamped = { source, atMs, version, group, comments, shown, files: filesOf(group) };
      const rendering: Rendering = { ...unstamped, state: '' };
      return { ...rendering, state: await this.#stateOf(visit, source, rendering) };
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }
}

export function heldOf({ deliveries }: Pick<VisitedGroup, 'deliveries'>): Delivery[] {
  return deliveries.filter(({ status }) => status.state === 'held');
}

/** Reads the files of figures as they are; a report says what is wrong with one. */
async function readFigures(config: Config): Promise<(string | null)[]> {
  const paths = new Set(figuresFiles(config).map(({ file: { file } }) => file));
  return Promise.all([...paths].map((path) => readFile(path, 'latin1').catch(() => null)));
}

/** The other files beside the warehouse and jobs.yaml that a rendering depends on. */
function inputsOf({ group: { mails } }: Rendering): string[] {
  const paths = mails.flatMap(({ defined: { target }, rendered }) => [
    ...(rendered.mail?.commentFiles ?? []),
    ...(target.kind === 'mail' && target.body !== null ? [target.body] : []),
  ]);
  return [...new Set(paths)];
}

/** Adds a value to a map, of which it keeps the newest ones. */
export function remember<Value>(
  map: Map<string, Value>,
  key: string,
  value: Value,
  max: number,
): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= max) return;
    map.delete(oldest);
  }
}
