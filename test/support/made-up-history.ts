import { appendFile, mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Config } from '../../src/config/config.ts';
import { silentLog } from '../../src/core/log.ts';
import { readEvent } from '../../src/inbox/events/read-event.ts';
import { recordLine } from '../../src/inbox/spool/record-line.ts';
import { inboxFolder } from '../../src/inbox/spool/layout.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import type { EventCopy } from '../../src/load/events/judge-event.ts';
import { replayEvents } from '../../src/load/events/replay-events.ts';
import { landAnalytics, landDetails, finishOf, load, profileOf, recordOf } from './landed-run.ts';
import { eventCopies } from './made-up-events.ts';
import { response } from './made-up-responses.ts';
import { ManualClock } from './manual-clock.ts';

const slugs = fc.constantFrom<Record<string, string>>(
  { acme: 'acme' },
  { acme: 'acme', other: 'elsewhere' },
  { acme: 'elsewhere', other: 'acme' },
  { acme: 'old', other: 'acme' },
);
const profile = fc.option(
  fc.record({ name: fc.constantFrom('Acme', 'Acme AG'), cpm: fc.constantFrom(20, 30, null) }),
);

/** What may happen in the life of an installation, of which a receiver has one segment open all the time. */
export const happening = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('run' as const),
      responses: fc.array(response, { maxLength: 4 }),
      isWhole: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('events' as const),
      copies: eventCopies,
      isSealed: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('config' as const), slugs, profile }),
  fc.record({ kind: fc.constant('seal' as const) }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('load' as const) }) },
  fc.record({ kind: fc.constant('replay' as const) }),
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** Lives through what happens. The caller holds the receiver's lock, so that no load seals its segment. */
export class MadeUpHistory {
  config: Config;
  #runs = 0;
  #segments = 0;

  constructor(config: Config) {
    this.config = config;
  }

  async live(happening: Happening): Promise<void> {
    if (happening.kind === 'run') await this.#run(happening);
    else if (happening.kind === 'events') await this.#receive(happening.copies, happening.isSealed);
    else if (happening.kind === 'config') this.#configure(happening);
    else if (happening.kind === 'seal') await this.#seal();
    else if (happening.kind === 'load') await load(this.config);
    else await this.#replay();
  }

  async #run({ responses, isWhole }: Extract<Happening, { kind: 'run' }>): Promise<void> {
    this.#runs += 1;
    const profiles = this.config.workspaces.get('acme')?.profiles ?? [];
    const record = recordOf({
      run_id: `run-${this.#runs}`,
      profiles: profiles.map(({ id, name, cpm }) => ({ profile_id: id, name, cpm })),
      started_at: `2026-01-${String(10 + this.#runs)}T12:00:00.000Z`,
    });
    const part = await openPart(this.config.dataDir, record);
    for (const { answer, fetchedAt } of responses) {
      if (answer.kind === 'analytics') await landAnalytics(part, answer.records, { fetchedAt });
      else {
        const post = answer.post && { id: answer.postId, ...answer.post };
        await landDetails(part, answer.postId, post, { fetchedAt });
      }
    }
    if (isWhole) await part.finish(finishOf());
  }

  /** In the open segment, or in one that appears whole. */
  async #receive(copies: readonly EventCopy[], isSealed: boolean): Promise<void> {
    const lines = copies.map((copy) =>
      recordLine(readEvent(Buffer.from(copy.payload)), new Date(copy.receivedAt), 'http'),
    );
    await mkdir(inboxFolder(this.config.dataDir), { recursive: true });
    const path = isSealed ? this.#nextSegment('ndjson') : this.#openSegment();
    if (lines.length > 0) await appendFile(path, Buffer.concat(lines));
  }

  async #seal(): Promise<void> {
    const path = this.#openSegment();
    if ((await readIfThere(path)).length === 0) return;
    await rename(path, path.replace(/open$/, 'ndjson'));
    this.#segments += 1;
  }

  #configure({ slugs: given, profile: known }: Extract<Happening, { kind: 'config' }>): void {
    const [workspace] = this.config.workspaces.values();
    if (!workspace) throw new Error('the config has no workspace');
    const workspaces = Object.entries(given).map(([key, slug]) => {
      const profiles = known && key === 'acme' ? [profileOf(known)] : [];
      return [key, { ...workspace, key, slug, profiles }] as const;
    });
    this.config = { ...this.config, workspaces: new Map(workspaces) };
  }

  async #replay(): Promise<void> {
    const { config } = this;
    await replayEvents({
      config,
      clock: new ManualClock(),
      log: silentLog,
      isRejectedOnly: false,
      waitMs: 0,
    });
  }

  #openSegment(): string {
    return this.#segmentPath(`open-${this.#segments}`, 'open');
  }

  #nextSegment(suffix: string): string {
    this.#segments += 1;
    return this.#segmentPath(`whole-${this.#segments}`, suffix);
  }

  #segmentPath(name: string, suffix: string): string {
    const [kind, number] = name.split('-');
    const writer = kind === 'open' ? '1-aa' : '2-bb';
    return join(
      inboxFolder(this.config.dataDir),
      `20260120T100000.000Z-${writer}-${String(number).padStart(6, '0')}.${suffix}`,
    );
  }
}

async function readIfThere(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch {
    return Buffer.alloc(0);
  }
}
