import { changeWorkspace } from './living-workspace.mjs';
import { Recipients } from './recipients.mjs';
import { SandboxWorld } from './sandbox-world.mjs';
import { Tripwire } from './tripwire.mjs';

export const timezone = 'Europe/Berlin';
const firstRead = '2024-09-01';
const firstNoon = '2025-03-03T12:00:00Z';
const refreshDays = 35;
const mostProcesses = 59;
/** From then on one more profile is asked for: the first days are read without it. */
const dayOfNewProfile = 4;

/** Two workspaces and all whom reports go to, from day to day; the same for whoever asks within one day. */
export class KillWorld {
  tripwire = new Tripwire();
  deleted = new Set();
  day = 0;
  #processes = 0;

  /** @param webhook where the first workspace's events go */
  static async start(postledger, { seed, webhook }) {
    const world = new KillWorld();
    const { tripwire } = world;
    const content = { profiles: 2, posts: 40, start: firstNoon, tripwire };
    world.acme = await SandboxWorld.start(postledger, { ...content, seed, webhook });
    world.fjord = await SandboxWorld.start(postledger, { ...content, seed: seed + 1000 });
    world.recipients = await Recipients.start(tripwire);
    return world;
  }

  get #workspaces() {
    return [this.acme, this.fjord];
  }

  /** Each process of a day has a second of its own, of one minute. */
  nextMs() {
    this.#processes += 1;
    if (this.#processes > mostProcesses) throw new Error('too many processes for one day');
    return this.acme.now().getTime() + this.#processes * 1000;
  }

  async nextDay(random) {
    this.day += 1;
    this.#processes = 0;
    for (const workspace of this.#workspaces) await workspace.nextDay();
    await changeWorkspace(this.acme, random, this.deleted);
    await changeWorkspace(this.fjord, random, new Set());
  }

  /** What was asked and sent since the last time. */
  take() {
    const requests = this.#workspaces.flatMap((workspace) => workspace.requests.splice(0));
    return { requests, ...this.recipients.take() };
  }

  /** All posts that jobs.yaml asks for, as they are now. */
  async posts() {
    const ofAcme = await this.acme.posts(firstRead, this.#profilesOfAcme());
    return [...ofAcme, ...(await this.fjord.posts(firstRead))];
  }

  /** The posts of this day and later ones are read again by each run. */
  firstYoungDay() {
    const day = new Date(this.acme.now().getTime() - (refreshDays - 1) * 86_400_000);
    return day.toISOString().slice(0, 10);
  }

  jobsFile(receiverPort) {
    const { mailPort, bucketUrl } = this.recipients;
    // of the other one the key counts: both sandboxes have the same slug
    const slug = `    slug: ${this.acme.description.workspace.slug}\n`;
    return `timezone: ${timezone}
workspaces:
${workspaceLines('acme', this.acme, this.#profilesOfAcme(), slug)}${workspaceLines('fjord', this.fjord, this.fjord.profiles)}clients:
  acme: { name: Acme GmbH, profiles: [acme/*], to: [cmo@acme.example, team@acme.example] }
  fjord: { name: Fjord AS, profiles: [fjord/*], to: [office@fjord.example] }
jobs:
  daily:
    schedule: '0 6 * * *'
    profiles: [acme/*, fjord/*]
    windows: { start: ${firstRead}, size_days: 30, refresh_days: ${refreshDays} }
    details: true
    reports:
      - report: emv
        for: each
        period: this_quarter
        formats: [csv, html, xlsx]
        out: ./out/{client}
        deliver: [{ mail: client, attach: [html] }, { s3: { bucket: numbers, endpoint: "${bucketUrl}" } }]
mail: { host: 127.0.0.1, port: ${mailPort}, tls: off, from: Nord <reports@nord.example> }
s3: { access_key_id: "\${S3_KEY}", secret_access_key: "\${S3_KEY}" }
webhooks: { port: ${receiverPort}, token: "\${WEBHOOK_TOKEN}" }
`;
  }

  #profilesOfAcme() {
    return this.acme.profiles.filter((_, index) => this.day >= dayOfNewProfile || index > 0);
  }

  async close() {
    this.recipients.close();
    for (const workspace of this.#workspaces) await workspace.close();
  }
}

function workspaceLines(key, { url }, profiles, slug = '') {
  const own = profiles.map(({ id, name }) => `{ id: ${id}, name: ${name}, cpm: 30 }`);
  return `  ${key}:
    base_url: ${url}
    api_key: "\${${key.toUpperCase()}_API_KEY}"
    rate_limit: { requests: 100000, per_seconds: 60 }
${slug}    profiles: [${own.join(', ')}]
`;
}
