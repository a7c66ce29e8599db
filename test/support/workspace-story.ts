import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Config, JobConfig } from '../../src/config/config.ts';
import { Secret } from '../../src/config/secret.ts';
import { InterruptedError } from '../../src/core/errors.ts';
import { silentLog } from '../../src/core/log.ts';
import { silentProgress } from '../../src/core/progress.ts';
import { load } from '../../src/load/load.ts';
import { listPendingRuns, nothingLoaded, readLoadedState } from '../../src/load/pending.ts';
import { rebuildWarehouse, type Rebuilt } from '../../src/load/rebuild.ts';
import { runJob } from '../../src/pipeline.ts';
import { openIfPresent } from '../../src/warehouse/warehouse.ts';
import { analyticsRecord, postDetails, uuid } from './made-records.ts';
import {
  failure,
  startPlainService,
  type CannedAnswer,
  type PlainService,
} from './plain-service.ts';
import { deletionEvent, storeEvents } from './stored-events.ts';
import { loadProgram, runUntil, type Death } from './killed-program.ts';
import { configOf, jobOf, profileOf } from './stored-run.ts';
import { SwiftClock } from './swift-clock.ts';

/** The faults of a run, by the number of its request. */
export interface Faults {
  readonly answers: readonly { readonly at: number; readonly kind: keyof typeof faultyAnswers }[];
  /** The request at which the run is stopped, or null. */
  readonly stopAt: number | null;
  /** The number of last manifests that a killed run did not get to the disk; 0 for a run that ended by Ctrl-C. */
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

type JsonObject = Record<string, unknown>;

const numbers = [900, 901];

/** A service with its changes, and one installation that reads it through faults and kills. */
export class WorkspaceStory {
  readonly config: Config;
  readonly clock = new SwiftClock();
  readonly #service: PlainService;
  readonly #records: Map<string, JsonObject[]>;
  readonly #posts: Map<string, JsonObject>;
  readonly #job: JobConfig;
  /** Events that the service has not sent yet. */
  readonly #waiting: object[] = [];
  readonly #removals = new Map<string, string>();
  #published = 0;

  /** It begins with three linked posts of two profiles. */
  static async begin(folder: string): Promise<WorkspaceStory> {
    const analytics = new Map<string, JsonObject[]>();
    const posts = new Map<string, JsonObject>();
    const service = await startPlainService({ analytics, posts });
    const story = new WorkspaceStory(folder, service, analytics, posts);
    story.publish(0, 1, true);
    story.publish(0, 40, true);
    story.publish(1, 2, true);
    return story;
  }

  private constructor(
    folder: string,
    service: PlainService,
    records: Map<string, JsonObject[]>,
    posts: Map<string, JsonObject>,
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
    this.#job = jobOf({
      profiles,
      windows: { start: '2025-12-01', days: null, sizeDays: 30, refreshDays: 40 },
      details: ['post'],
    });
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

  /** Deletes a linked post, of which the service has an event to send from then on. */
  remove(nth: number): void {
    const ids = [...this.#posts.keys()];
    const id = ids[nth % ids.length];
    if (id === undefined) return;
    this.#posts.delete(id);
    for (const [profile, records] of this.#records)
      this.#records.set(
        profile,
        records.filter(({ servicePost }) => (servicePost as { id: string } | null)?.id !== id),
      );
    const at = this.clock.now().toISOString();
    this.#removals.set(id, at);
    this.#waiting.push(deletionEvent({ id, deletedAt: at }, { createdAt: at }));
  }

  /** Sends the nth event that waits, so many times. */
  async deliver(nth: number, copies: number): Promise<void> {
    const [event] = this.#waiting.splice(nth % Math.max(1, this.#waiting.length), 1);
    if (event === undefined) return;
    for (let copy = 0; copy < copies; copy += 1) {
      this.clock.pass(1000);
      await storeEvents(this.config, [event], { receivedAt: this.clock.now().toISOString() });
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
    const tools = { ...this.#tools(), signal: controller.signal };
    try {
      await runJob(this.#job, options, tools);
    } catch (error) {
      if (!(error instanceof InterruptedError)) throw error;
      if (faults.lost > 0) await this.#killPending(faults.lost);
    }
  }

  async load(): Promise<void> {
    expect(await load({ ...this.#tools(), waitMs: 0 })).toMatchObject({ damaged: 0 });
  }

  async rebuild(): Promise<Rebuilt> {
    return rebuildWarehouse({ ...this.#tools(), waitMs: 0 });
  }

  /** Loads in a process that is killed. */
  async loadUntil(death: Death): Promise<void> {
    await runUntil(death, loadProgram(this.config));
  }

  /** The expected figures and removal times of the service's posts in the tables. */
  truth(): { likes: [string, number | null][]; removals: ReadonlyMap<string, string> } {
    const likes = this.#all().map(({ id, likeCount }): [string, number | null] => [
      String(id),
      likeCount as number | null,
    ]);
    return { likes, removals: this.#removals };
  }

  #tools() {
    const { config, clock } = this;
    return { config, clock, log: silentLog, progress: silentProgress };
  }

  #all(): JsonObject[] {
    return [...this.#records.values()].flat();
  }

  /** Removes the end and the last manifests of unloaded runs, as if the process had been killed. */
  async #killPending(lost: number): Promise<void> {
    const database = await openIfPresent(this.config.warehouse);
    const state = database ? await readLoadedState(database) : nothingLoaded;
    database?.close();
    for await (const { folder, responses } of listPendingRuns(this.config.dataDir, state, {})) {
      await rm(join(folder.path, 'finish.json'), { force: true });
      for (const { manifest } of responses.slice(-lost)) {
        const stem = String(manifest.seq).padStart(6, '0');
        await rm(join(folder.path, `${stem}.manifest.json`));
      }
    }
  }
}
