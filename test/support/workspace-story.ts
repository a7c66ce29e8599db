import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config, JobConfig } from '../../src/config/config.ts';
import { Secret } from '../../src/config/secret.ts';
import { InterruptedError } from '../../src/core/errors.ts';
import { silentLog } from '../../src/core/log.ts';
import { silentProgress } from '../../src/core/progress.ts';
import { listArchivedParts, listLanding, type LandedPart } from '../../src/landing/landed-part.ts';
import { partFolder } from '../../src/landing/layout.ts';
import { loadLanded } from '../../src/load/load-landed.ts';
import { rebuildWarehouse, type RebuildSummary } from '../../src/load/rebuild.ts';
import { runJob } from '../../src/pipeline.ts';
import { deletionEvent, spoolEvents } from './inbox-segments.ts';
import { loadProgram, runUntil, type Death } from './killed-program.ts';
import { configOf, profileOf, rowsOf } from './landed-run.ts';
import { analyticsRecord, postDetails, uuid } from './made-records.ts';
import { failure, type CannedAnswer, type PlainService } from './plain-service.ts';
import { SwiftClock } from './swift-clock.ts';

/** What goes wrong in a run, by the number of its request. */
export interface Faults {
  readonly answers: readonly { readonly at: number; readonly kind: keyof typeof faultyAnswers }[];
  /** The request at which the run is stopped; null: it is not. */
  readonly stopAt: number | null;
  /** Of a run that is stopped: as many of its last manifests never got to the disk, as when it is killed. */
  readonly lost: number;
}

export const faultyAnswers = {
  'server error': failure(500, 'INTERNAL_SERVER_ERROR', 'Something went wrong'),
  'too many': failure(429, 'TOO_MANY_REQUESTS', 'Rate limit exceeded. Quota resets in 3 seconds'),
  'wrong key': failure(401, 'UNAUTHORIZED', 'Invalid or unauthorized API key'),
  'not found': failure(404, 'NOT_FOUND', 'Not found'),
  'a page': { status: 200, body: '<html>sign in</html>' },
  'cut off': { status: 200, body: '[{"id":"x","url":' },
  'no posts': { status: 200, body: '[]' },
  'odd records': {
    status: 200,
    body: '[{"id":"odd"},7,{"id":"b","url":"u","type":"Text","likeCount":1.5}]',
  },
} satisfies Record<string, CannedAnswer>;

const numbers = [900, 901];

/** A service, what happens at it, and one installation that reads it, whatever befalls it. */
export class WorkspaceStory {
  readonly config: Config;
  readonly clock = new SwiftClock('2026-01-15T12:00:00Z');
  readonly #service: PlainService;
  readonly #records: Map<string, Record<string, unknown>[]>;
  readonly #posts: Map<string, Record<string, unknown>>;
  readonly #job: JobConfig;
  /** Events that the service has and nobody was told of yet. */
  readonly #waiting: object[] = [];
  readonly #given: { readonly event: object; readonly receivedAt: string }[] = [];
  #published = 0;

  constructor(
    folder: string,
    service: PlainService,
    records: Map<string, Record<string, unknown>[]>,
    posts: Map<string, Record<string, unknown>>,
  ) {
    this.#service = service;
    this.#records = records;
    this.#posts = posts;
    const profiles = numbers.map((number) => profileOf({ id: uuid(number), name: `P${number}` }));
    const base = configOf(folder);
    const [workspace] = base.workspaces.values();
    if (!workspace) throw new Error('a config has a workspace');
    const apiKey = new Secret('KEY', 'jobs.yaml: workspaces.acme.api_key', 'plain-key');
    const rateLimit = { requests: 1000, perSeconds: 1 };
    const own = { ...workspace, baseUrl: service.url, apiKey, rateLimit, profiles };
    this.config = { ...base, workspaces: new Map([['acme', own]]) };
    this.#job = {
      name: 'daily',
      schedule: null,
      staleAfterMs: null,
      profiles,
      windows: { start: '2025-12-01', days: null, sizeDays: 30, refreshDays: 40 },
      details: true,
      reports: [],
    };
  }

  publish(profile: number, day: number, isLinked: boolean): void {
    const number = (this.#published += 1);
    const date = new Date(Date.UTC(2025, 11, 1 + day)).toISOString().slice(0, 10);
    const servicePost = {
      id: uuid(500 + number),
      title: `Post ${number}`,
      labels: [],
      campaign: null,
    };
    const record = analyticsRecord(number, date, isLinked ? { servicePost } : {});
    const id = uuid(numbers[profile % numbers.length] ?? 0);
    this.#records.set(id, [...(this.#records.get(id) ?? []), record]);
    if (isLinked) this.#posts.set(servicePost.id, postDetails(500 + number));
  }

  restate(nth: number, likeCount: number | null): void {
    const all = this.#all();
    Object.assign(all[nth % all.length] ?? {}, { likeCount });
  }

  /** Deletes a linked post, of which the service has an event to tell from then on. */
  remove(nth: number): void {
    const ids = [...this.#posts.keys()];
    const id = ids[nth % ids.length];
    if (id === undefined) return;
    this.#posts.delete(id);
    for (const [profile, records] of this.#records)
      this.#records.set(
        profile,
        records.filter((record) => linkedId(record) !== id),
      );
    const at = this.clock.now().toISOString();
    this.#waiting.push(deletionEvent({ id, deletedAt: at }, { createdAt: at }));
  }

  /** Tells of the nth event that waits, so many times, each in a segment of its own. */
  async deliver(nth: number, copies: number): Promise<void> {
    const [event] = this.#waiting.splice(nth % Math.max(1, this.#waiting.length), 1);
    if (event === undefined) return;
    for (let copy = 0; copy < copies; copy += 1) {
      this.clock.pass(1000);
      const receivedAt = this.clock.now().toISOString();
      this.#given.push({ event, receivedAt });
      await spoolEvents(this.config, [event], { receivedAt });
    }
  }

  async deliverAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.deliver(0, 1);
  }

  /** Runs the job. A run that is stopped, or whose key is refused, fails; what it leaves is what counts. */
  async run(faults: Faults, full = false): Promise<void> {
    const controller = new AbortController();
    let request = 0;
    this.#service.onRequest = (path) => {
      const fault = faults.answers.find(({ at }) => at === request);
      this.#service.answer(path, fault ? faultyAnswers[fault.kind] : null);
      if (request === faults.stopAt) controller.abort();
      request += 1;
    };
    const options = { full, from: null, to: null, reports: false, waitMs: 0 };
    const { config, clock } = this;
    const tools = {
      config,
      clock,
      log: silentLog,
      progress: silentProgress,
      signal: controller.signal,
    };
    try {
      await runJob(this.#job, options, tools);
    } catch (error) {
      if (!(error instanceof InterruptedError)) throw error;
      await this.#loseManifests(faults.lost);
    }
  }

  async load(): Promise<void> {
    const { config, clock } = this;
    await loadLanded({ config, clock, log: silentLog, waitMs: 0 });
  }

  /** @returns what was made, and whether it took the old warehouse's place */
  async rebuild(): Promise<RebuildSummary> {
    const { config, clock } = this;
    const tools = { log: silentLog, progress: silentProgress, waitMs: 0 };
    return rebuildWarehouse({
      config,
      clock,
      ...tools,
      acceptsDamage: false,
      acceptsPruned: false,
    });
  }

  /** Loads in a process that is killed. @param program by `compileProgram` */
  async loadUntil(death: Death, program: string): Promise<void> {
    await runUntil(death, program, loadProgram(this.config));
  }

  /** An installation beside this one, that got all responses that this one has, and all events, in one go. */
  async undisturbed(folder: string): Promise<Config> {
    const twin = { ...this.config, ...pathsOf(folder) };
    for (const part of await this.#allParts()) {
      const target = partFolder(twin.dataDir, part.record.workspace, part.record.run_id);
      await mkdir(join(target, '..'), { recursive: true });
      await cp(part.folder, target, { recursive: true });
      await rm(join(target, 'contents.json'), { force: true });
    }
    for (const { event, receivedAt } of this.#given)
      await spoolEvents(twin, [event], { receivedAt });
    await loadLanded({ config: twin, clock: this.clock, log: silentLog, waitMs: 0 });
    return twin;
  }

  /** Figures of the service's posts, and when posts were removed, as the tables should have them. */
  truth(): { likes: [string, number | null][]; removals: [string, string][] } {
    const likes = this.#all().map((record): [string, number | null] => [
      String(record['id']),
      record['likeCount'] as number | null,
    ]);
    const removals = this.#given.map(({ event }): [string, string] => {
      const { post } = (event as { data: { post: { id: string; deletedAt: string } } }).data;
      return [post.id, post.deletedAt];
    });
    return { likes, removals };
  }

  #all(): Record<string, unknown>[] {
    return [...this.#records.values()].flat();
  }

  async #allParts(): Promise<LandedPart[]> {
    const { dataDir } = this.config;
    const parts = [...(await listLanding(dataDir)).parts];
    for await (const part of listArchivedParts(dataDir, refuseDamage)) parts.push(part);
    return parts;
  }

  /** Of the run that was stopped, those that no load has taken yet. */
  async #loseManifests(count: number): Promise<void> {
    const { parts } = await listLanding(this.config.dataDir);
    for (const { responses, record, finish } of parts) {
      if (finish !== null) continue;
      const loaded = await this.#loadedSeqs(record.run_id);
      const open = responses.filter(({ manifest }) => !loaded.has(manifest.seq));
      for (const { manifestPath } of count === 0 ? [] : open.slice(-count)) await rm(manifestPath);
    }
  }

  async #loadedSeqs(runId: string): Promise<Set<number>> {
    const files = await readdir(this.config.dataDir);
    if (!files.includes('postledger.duckdb')) return new Set();
    const rows = await rowsOf(
      this.config,
      `select seq from loaded_responses where run_id = '${runId}'`,
    );
    return new Set(rows.map(({ seq }) => Number(seq)));
  }
}

function linkedId(record: Record<string, unknown>): unknown {
  return (record['servicePost'] as { id: string } | null)?.id;
}

function pathsOf(folder: string): Pick<Config, 'dataDir' | 'warehouse'> {
  const dataDir = join(folder, 'data');
  return { dataDir, warehouse: join(dataDir, 'postledger.duckdb') };
}

function refuseDamage(damage: Error): never {
  throw damage;
}
