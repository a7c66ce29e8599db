import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { addDays, type Day } from '../../src/core/calendar.ts';
import { writeFiles } from './cli.ts';
import { passwords, type TestLake } from './lake-servers.ts';
import { analyticsRecord, postDetails, uuid } from './made-records.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { listenOnLoopback } from './loopback.ts';
import { valueReport } from './value-report.ts';

/** A request that arrived at the service. */
export interface Asked {
  /** The key that came with it, which tells machines apart. */
  readonly key: string;
  readonly workspace: string;
  /** The round in which it came, and what it asks for. */
  readonly query: string;
  /** The time of its arrival, of the monotonic clock. */
  readonly atMs: number;
}

/**
 * A service with a post a day for each workspace, which knows each machine by its key. Its figures depend on the
 * workspace, the post and the round alone. Each round adds a post with details.
 */
export class FleetService {
  readonly workspaces: readonly string[];
  readonly today: Day;
  readonly asked: Asked[] = [];
  round = 0;
  /** The time that an answer takes. */
  answerMs = 0;
  url = '';
  readonly #open = new Map<string, number>();

  private constructor(workspaces: readonly string[], today: Day) {
    this.workspaces = workspaces;
    this.today = today;
  }

  static async start(workspaces: readonly string[], today: Day): Promise<FleetService> {
    const service = new FleetService(workspaces, today);
    const server = createServer((request, response) => void service.#answer(request, response));
    const port = await listenOnLoopback(server);
    service.url = `http://127.0.0.1:${port}/api/v1`;
    return service;
  }

  /** True while a request with this key waits for its answer. */
  isAsking(key: string): boolean {
    return (this.#open.get(key) ?? 0) > 0;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://service');
    const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const number = Number(/-0*(\d+)(?:\/posts)?$/.exec(url.pathname)?.[1]);
    const isDetail = !url.pathname.includes('/analytics/');
    const index = isDetail ? Math.floor(number / 1000) - 1 : number - 900;
    const workspace = this.workspaces[index] ?? '';
    if (workspace === '') return void response.writeHead(404).end();
    const query = `${this.round} ${url.pathname}${url.search}`;
    this.asked.push({ key, workspace, query, atMs: performance.now() });
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    const body = isDetail
      ? { post: postDetails(number, { title: titleOf(number % 1000) }) }
      : this.#records(index, url.searchParams);
    await delay(this.answerMs);
    this.#open.set(key, (this.#open.get(key) ?? 0) - 1);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  #records(index: number, query: URLSearchParams): object[] {
    const figures = {
      likeCount: 10 * index + this.round,
      impressionCount: 1000 * (index + 1) + this.round,
    };
    const records = [];
    const end = query.get('endDate') ?? this.today;
    const yesterday = addDays(this.today, -1);
    for (
      let day = query.get('startDate') ?? this.today;
      day <= end && day <= this.today;
      day = addDays(day, 1)
    ) {
      const id = `${this.workspaces[index]}-${day}`;
      records.push(analyticsRecord(1, day, { ...figures, id }));
      for (let added = 1; day === yesterday && added <= this.round; added += 1) {
        const servicePost = { id: uuid(1000 * (index + 1) + added), title: titleOf(added) };
        const own = { ...figures, servicePost, id: `${id}-${added}` };
        records.push(analyticsRecord(1, day, own));
      }
    }
    return records;
  }
}

function titleOf(number: number): string {
  return `Post of round ${number}`;
}

export interface MachineOptions {
  readonly service: FleetService;
  /** Null: a file of its own. */
  readonly lake: TestLake | null;
  /** The date ranges of each profile. */
  readonly windows: number;
  readonly limit: { readonly requests: number; readonly perSeconds: number };
  readonly timezone?: string;
  readonly jobs?: readonly string[];
  readonly details?: boolean;
}

/** Makes a machine of a fleet: a folder with its config, its data and its id. Its key is its name. @returns the folder */
export async function makeMachine(name: string, options: MachineOptions): Promise<string> {
  const { service, lake, windows, limit, timezone = 'UTC', jobs = ['daily'] } = options;
  const folder = await temporaryFolder();
  const workspace = (key: string, index: number) =>
    `  ${key}: { base_url: "${service.url}", api_key: "\${KEY}", rate_limit: { requests: ${limit.requests}, per_seconds: ${limit.perSeconds} }, profiles: [{ id: ${uuid(900 + index)}, name: Main }] }`;
  const job = (key: string) => `  ${key}:
    schedule: "0 0 * * *"
    profiles: [${service.workspaces.map((each) => `${each}/*`).join(', ')}]
    windows: { days: ${2 * windows}, size_days: 2, refresh_days: ${2 * windows} }
    details: ${options.details ? '[post]' : 'false'}
    reports: [{ report: value, period: all, formats: [csv], out: "./out/{job}" }]`;
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  await writeFiles(folder, {
    ...valueReport,
    'data/machine-id': `${name}\n`,
    '.env': [`KEY=${name}`, ...(lake ? variablesOf(lake) : [])].join('\n'),
    'jobs.yaml': `timezone: ${timezone}
${lake ? warehouseOf(lake) : ''}workspaces:
${service.workspaces.map(workspace).join('\n')}
jobs:
${jobs.map(job).join('\n')}
`,
  });
  return folder;
}

/** The lines of `.env` that a lake's jobs.yaml needs. */
export function variablesOf({ writer, reader }: TestLake): string[] {
  return [
    `CATALOG_URL=${writer.catalog.reveal()}`,
    `CATALOG_READ_URL=${reader?.catalog.reveal() ?? ''}`,
    `S3_KEY_ID=key`,
    `S3_KEY=${passwords.s3}`,
    `S3_READ_KEY_ID=reader`,
    `S3_READ_KEY=${passwords.s3Reader}`,
  ];
}

/** What jobs.yaml says of a lake. */
export function warehouseOf({ writer, data, raw, shards, extensions }: TestLake): string {
  const s3 = `endpoint: "${writer.s3?.endpoint}", access_key_id: "\${S3_KEY_ID}", secret_access_key: "\${S3_KEY}"`;
  return `warehouse:
  lake: { catalog: "\${CATALOG_URL}", data: "${data}"${raw === null ? '' : `, raw: "${raw}"`}, shards: ${shards}, s3: { ${s3} } }
  reader:
    catalog: "\${CATALOG_READ_URL}"
    s3: { access_key_id: "\${S3_READ_KEY_ID}", secret_access_key: "\${S3_READ_KEY}" }
  extensions: ${extensions}
`;
}
