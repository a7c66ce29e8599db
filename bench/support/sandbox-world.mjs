import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';

const dayMs = 86_400_000;
/**
 * The program's own sandbox as a process of its own, a day after another on its clock, and a door in front
 * of it at which all requests are counted.
 */
export class SandboxWorld {
  #process;
  #offsetMs;
  #door;
  /** Paths with their queries, in the order in which they came. */
  requests = [];

  /** @param start what its clock says first, ISO 8601 */
  static async start(postledger, { seed, profiles, posts, start, webhook, faults = 'none' }) {
    const world = new SandboxWorld();
    const flags = { seed, profiles, posts, faults, now: start, port: 0, limit: 1_000_000 };
    const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const hook = webhook ? ['--webhook-url', webhook.url, '--webhook-token', webhook.token] : [];
    world.#process = postledger.start(
      ['sandbox', 'serve', ...args, ...hook, '--json', '--log-level', 'error'],
      { isForever: true },
    );
    world.description = await world.#process.firstJson();
    if (!world.description) throw new Error(`no sandbox: ${world.#process.stderr}`);
    await world.moveTo(new Date(start));
    await world.#openDoor();
    return world;
  }

  /** Of the API, through the door. */
  get url() {
    return `http://127.0.0.1:${this.#door.address().port}/api/v1`;
  }

  get key() {
    return this.description.keys.valid;
  }

  /** Those with analytics. */
  get profiles() {
    return this.description.profiles.filter(({ kind }) => kind !== 'engagement');
  }

  /** How far its time is from the machine's. */
  get shiftMs() {
    return this.#offsetMs;
  }

  now() {
    return new Date(Date.now() + this.#offsetMs);
  }

  async moveTo(instant) {
    const { now } = await this.control('POST', '/clock', { now: instant.toISOString() });
    this.#offsetMs = Date.parse(now) - Date.now();
  }

  /** To the same time of the next day, whatever time has gone by on this one. */
  async nextDay(days = 1) {
    const noonMs = Math.floor(this.now().getTime() / dayMs) * dayMs + dayMs / 2;
    await this.moveTo(new Date(noonMs + days * dayMs));
  }

  /** @throws Error with the answer unless it is a 2xx */
  async control(method, path, body) {
    return this.#ask(new URL(`/_sandbox${path}`, this.description.base_url), method, body);
  }

  /** Past the door, so it is not counted. */
  async read(path) {
    return this.#ask(new URL(`${this.description.base_url}${path}`), 'GET');
  }

  /** Every LinkedIn post of these days as it is now. @param from YYYY-MM-DD */
  async posts(from = '2000-01-01') {
    const lists = this.profiles.map(({ id }) =>
      this.read(`/analytics/linkedin/${id}/posts?startDate=${from}&endDate=2099-12-31`),
    );
    return (await Promise.all(lists)).flat();
  }

  async close() {
    this.#door.close();
    this.#door.closeAllConnections();
    if (!this.#process.isAlive) return;
    this.#process.kill('SIGTERM');
    await this.#process.ended;
  }

  async #ask(url, method, body) {
    const headers = { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(url, { method, headers, ...content });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${url.pathname}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  async #openDoor() {
    const { hostname, port } = new URL(this.description.base_url);
    this.#door = createServer((asked, answer) => {
      const { method, url: path, headers } = asked;
      this.requests.push(path.replace('/api/v1', ''));
      const onward = forward({ hostname, port, method, path, headers }, (given) => {
        answer.writeHead(given.statusCode, given.headers);
        given.on('error', () => answer.destroy()).pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      answer.on('close', () => onward.destroy());
      asked.pipe(onward);
    });
    this.#door.listen(0, '127.0.0.1');
    await once(this.#door, 'listening');
  }
}
