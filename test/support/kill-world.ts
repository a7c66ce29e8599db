import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { silentLog } from '../../src/core/log.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';
import { startCli, type Finished } from './cli.ts';
import { ManualClock } from './manual-clock.ts';
import { startS3Server } from './s3-server.ts';
import { startSmtpServer } from './smtp-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const dayMs = 86_400_000;
const killSwitch = pathToFileURL(resolve(import.meta.dirname, 'kill-switch.mjs')).href;
const firstRead = '2024-09-01';
const tables = [
  ...['linkedin_posts', 'linkedin_post_snapshots', 'posts', 'post_labels', 'labels', 'campaigns'],
  ...['webhook_events', 'profiles'],
];
/** They differ between two readings of the same figures. */
const readingColumns = [
  ...['reading_id', 'captured_at', 'first_seen_at', 'last_seen_at', 'detail_fetched_at'],
  'received_at',
];

/** A moment of a run, as a share of what the last whole run did. */
export interface Kill {
  readonly point: 'write' | 'folder' | 'statement' | 'send' | 'time';
  readonly share: number;
  readonly side: 'before' | 'during' | 'after';
}

/** A folder with a jobs.yaml in which the built program runs. */
class Site {
  readonly folder: string;
  /** The number of processes that were killed. */
  deaths = 0;
  readonly #environment: Record<string, string>;
  #usual = { write: 60, folder: 20, statement: 60, send: 20, time: 1500 };

  constructor(folder: string, environment: Record<string, string>) {
    this.folder = folder;
    this.#environment = environment;
  }

  /** Runs a command at an instant; a kill ends it at its moment. */
  async run(args: readonly string[], at: Date, kill: Kill | null = null): Promise<Finished> {
    const countsFile = join(this.folder, 'counts.json');
    const nth = kill && Math.max(1, Math.ceil(kill.share * this.#usual[kill.point] * 1.05));
    const isTimed = kill?.point === 'time';
    const startMs = performance.now();
    const { child, finished } = startCli(args, {
      cwd: this.folder,
      env: {
        ...this.#environment,
        NODE_OPTIONS: `--import ${killSwitch}`,
        SWITCH_WALL_MS: String(at.getTime()),
        SWITCH_COUNTS: countsFile,
        ...(kill && !isTimed && { SWITCH_KILL: `${kill.point} ${nth ?? 1} ${kill.side}` }),
      },
    });
    const timer = setTimeout(() => isTimed && child.kill('SIGKILL'), nth ?? 0);
    const outcome = await finished;
    clearTimeout(timer);
    if (outcome.signal === 'SIGKILL') this.deaths += 1;
    if (args[0] === 'run' && outcome.code === 0) {
      const counts = JSON.parse(await readFile(countsFile, 'utf8')) as Record<
        Kill['point'],
        number
      >;
      this.#usual = { ...counts, time: performance.now() - startMs };
    }
    await rm(countsFile, { force: true });
    return outcome;
  }

  /** The number of runs that have begun and not ended. */
  async openRuns(): Promise<number> {
    return (await namesIn(join(this.folder, 'data/locks/runs/daily'))).length;
  }

  /** The files of the raw store, without those that are half written. */
  async rawFiles(): Promise<string[]> {
    const names = await namesIn(join(this.folder, 'data/raw'));
    return names.filter((name) => /\.(json|gz)$/.test(name));
  }

  /** What a process has for itself while it runs. */
  async leftovers(): Promise<string[]> {
    const names = await namesIn(this.folder);
    return names.filter((name) => /\.postledger-|\.lock\b|\.work\b/.test(name)).sort();
  }

  /** Every row that readers of the published warehouse rely on. */
  async tables(): Promise<Record<string, unknown>> {
    const database = await openWarehouse(join(this.folder, 'data/postledger.duckdb'));
    const excluded = readingColumns.map((name) => `'${name}'`).join(', ');
    const dump: Record<string, unknown> = {};
    try {
      for (const table of tables) {
        const text = `select columns(c -> c not in (${excluded})) from ${table} order by all`;
        dump[table] = (await database.query(text)).rows;
      }
      return dump;
    } finally {
      database.close();
    }
  }

  /** The texts of all finished reports by file name. */
  async reports(): Promise<Record<string, string>> {
    const out = join(this.folder, 'out');
    const isReport = (name: string) => /\.(csv|html)$/.test(name) && !name.includes('.postledger-');
    const reports: Record<string, string> = {};
    for (const name of (await namesIn(out)).filter(isReport).sort())
      reports[name] = withoutMoments(await readFile(join(out, name), 'utf8'));
    return reports;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder, { recursive: true }).catch(() => []);
}

/**
 * Removes what tells two runs of one minute apart: their ids, seconds, sums and sizes of files that hold these, and the
 * boundaries of a mail's parts.
 */
function withoutMoments(text: string): string {
  return text
    .replace(/\b\d{8}T\d{6}Z-[0-9a-f]{6}\b/g, '<run>')
    .replace(/(<run> \(\w+\)), (finished [^<"\\·]+[^<"\\· ]|not finished)/g, '$1')
    .replace(/\b[0-9a-f]{64}\b/g, '<sum>')
    .replace(/data-site=\\?"[\d-]+/g, 'data-site="<site>')
    .replace(/"bytes": \d+/g, '"bytes": <length>')
    .replace(/--_NmP-[0-9a-f]+-/g, '<part>-')
    .replace(/(\d\d:\d\d):\d\d(\.\d+)?/g, '$1');
}

/** Decodes what a mail has in base64 or quoted-printable lines. */
function decoded(mail: string): string {
  return mail
    .replace(/^(?:[A-Za-z0-9+/]{76}\r\n)+[A-Za-z0-9+/=]+/gm, (lines) =>
      Buffer.from(lines, 'base64').toString(),
    )
    .replace(/=\r\n/g, '');
}

interface Received {
  /** Texts by Message-ID. */
  readonly mails: Map<string, string>;
  readonly hasTwins: boolean;
  /** Texts by key. */
  readonly uploads: Record<string, string>;
}

interface LinkedInPost {
  readonly id: string;
  readonly servicePost: { readonly id: string } | null;
}

/** A sandbox that stands still within each day, two sites that read it, and the recipients of their reports. */
export class KillWorld {
  readonly killed: Site;
  readonly calm: Site;
  readonly #clock: ManualClock;
  readonly #sandbox: Sandbox;
  readonly #smtp: Awaited<ReturnType<typeof startSmtpServer>>;
  readonly #s3: Awaited<ReturnType<typeof startS3Server>>;
  readonly #deleted = new Set<string | undefined>();
  #day = 0;
  #processes = 0;
  #events = 0;

  private constructor(
    root: string,
    clock: ManualClock,
    sandbox: Sandbox,
    smtp: Awaited<ReturnType<typeof startSmtpServer>>,
    s3: Awaited<ReturnType<typeof startS3Server>>,
  ) {
    this.#clock = clock;
    this.#sandbox = sandbox;
    this.#smtp = smtp;
    this.#s3 = s3;
    const environment = { ACME_KEY: sandbox.keys.valid, S3_KEY: 'bucket-key' };
    this.killed = new Site(join(root, 'killed'), environment);
    this.calm = new Site(join(root, 'calm'), environment);
  }

  static async start(seed: number): Promise<KillWorld> {
    const clock = new ManualClock('2025-03-03T12:00:00Z');
    const rateLimit = { requests: 1_000_000, perSeconds: 60 };
    const content = { seed, profiles: 2, posts: 40, rateLimit };
    const sandbox = await startSandbox({ clock, log: silentLog, ...content });
    onTestFinished(() => sandbox.close());
    const [smtp, s3] = [await startSmtpServer(), await startS3Server()];
    const world = new KillWorld(await temporaryFolder(), clock, sandbox, smtp, s3);
    for (const { folder } of [world.killed, world.calm]) {
      await mkdir(folder);
      await writeFile(join(folder, 'jobs.yaml'), jobsFile(sandbox, smtp.port, s3.endpoint));
    }
    return world;
  }

  /** The instant of the next process. Each process of a day has a second of its own, all in one minute. */
  now(): Date {
    this.#processes += 1;
    expect(this.#processes).toBeLessThan(60);
    return new Date(this.#clock.now().getTime() + 1000 * this.#processes);
  }

  /** Lets a day pass on which figures are corrected and a post is deleted; both sites receive the event. */
  async nextDay(): Promise<void> {
    this.#day += 1;
    this.#processes = 0;
    this.#clock.jumpTo(new Date(this.#clock.now().getTime() + dayMs));
    const posts = await this.#posts();
    for (const nth of [0, 5, 11]) {
      const id = posts[(this.#day * 7 + nth) % posts.length]?.id ?? '';
      const change = { impressionCount: this.#day * 1000 + nth, likeCount: nth - 1 };
      await this.#control(`/linkedin-posts/${id}/metrics`, change);
    }
    const linked = posts.flatMap(({ servicePost }) => (servicePost ? [servicePost.id] : []));
    const deleted = linked.find((id) => !this.#deleted.has(id));
    if (deleted !== undefined) await this.#sandbox.deletePost(deleted);
    this.#deleted.add(deleted);
    const { deliveries } = (await this.#control('/deliveries')) as {
      deliveries: { event: object }[];
    };
    const lines = deliveries.slice(this.#events).map(({ event }) => `${JSON.stringify(event)}\n`);
    this.#events = deliveries.length;
    for (const site of [this.killed, this.calm]) {
      await writeFile(join(site.folder, 'events.ndjson'), lines.join(''));
      const ingested = await site.run(['webhooks', 'ingest', 'events.ndjson'], this.now());
      expect(ingested).toMatchObject({ code: 0 });
    }
  }

  /** Gives what was received since the last time. */
  takeReceived(): Received {
    const mails = this.#smtp.received.splice(0).map(({ message }) => {
      const text = withoutMoments(decoded(message));
      return [/^Message-ID: (.*)$/im.exec(message)?.[1] ?? '', text] as const;
    });
    const uploads = this.#s3.uploads
      .splice(0)
      .map(({ key, body }) => [key, withoutMoments(body)] as const);
    const byId = new Map(mails);
    return {
      mails: byId,
      hasTwins: byId.size < mails.length,
      uploads: Object.fromEntries(uploads),
    };
  }

  async #posts(): Promise<LinkedInPost[]> {
    const headers = { authorization: `Bearer ${this.#sandbox.keys.valid}` };
    const lists = this.#sandbox.profiles.slice(0, -1).map(async ({ id }) => {
      const path = `/analytics/linkedin/${id}/posts?startDate=${firstRead}&endDate=2099-12-31`;
      const response = await fetch(`${this.#sandbox.url}${path}`, { headers });
      return (await response.json()) as LinkedInPost[];
    });
    return (await Promise.all(lists)).flat();
  }

  async #control(path: string, body?: object): Promise<unknown> {
    const url = new URL(`/_sandbox${path}`, this.#sandbox.url);
    const response = await fetch(url, body ? { method: 'POST', body: JSON.stringify(body) } : {});
    expect(response.ok).toBe(true);
    return response.json();
  }
}

function jobsFile(sandbox: Sandbox, mailPort: number, bucketUrl: string): string {
  const profiles = sandbox.profiles
    .filter(({ kind }) => kind !== 'engagement')
    .map(({ id, name }) => `{ id: ${id}, name: ${name}, cpm: 30 }`);
  return `timezone: Europe/Berlin
workspaces:
  acme:
    base_url: ${sandbox.url}
    api_key: \${ACME_KEY}
    slug: ${sandbox.workspace.slug}
    rate_limit: { requests: 100000, per_seconds: 60 }
    profiles: [${profiles.join(', ')}]
clients:
  acme: { name: Acme GmbH, profiles: [acme/*], to: [cmo@acme.example, team@acme.example] }
jobs:
  daily:
    profiles: [acme/*]
    windows: { start: ${firstRead}, size_days: 30, refresh_days: 35 }
    details: true
    reports:
      - report: removed
        period: all
        internal: allow
        for: each
        formats: [csv, html]
        out: ./out/{client}
        deliver: [{ mail: client, attach: [html] }, { s3: { bucket: numbers, endpoint: "${bucketUrl}" } }]
mail: { host: 127.0.0.1, port: ${mailPort}, tls: off, from: Nord <reports@nord.example> }
s3: { access_key_id: "\${S3_KEY}", secret_access_key: "\${S3_KEY}" }
`;
}
