import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';

const dayMs = 86_400_000;
/**
 * The program's own sandbox as a process of its own, a day after another, and a door in front of it at which all requests
 * are counted. It answers all requests of a day as at one instant.
 */
export class SandboxWorld {
  #process;
  #noon;
  #tripwire;
  #door;
  /** Paths with their queries, in the order in which they came. */
  requests = [];

  /**
   * @param start the first noon, ISO 8601
   * @param tripwire is passed at each request
   */
  static async start(postledger, { seed, profiles, posts, start, webhook, tripwire }) {
    const world = new SandboxWorld();
    world.#tripwire = tripwire;
    const flags = { seed, profiles, posts, faults: 'none', now: start, port: 0, limit: 1_000_000 };
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

  /** The day's noon. */
  now() {
    return this.#noon;
  }

  async moveTo(instant) {
    this.#noon = instant;
    await this.#setClock(0);
  }

  async nextDay() {
    await this.moveTo(new Date(this.#noon.getTime() + dayMs));
  }

  async #setClock(secondsAfterNoon) {
    const now = new Date(this.#noon.getTime() + secondsAfterNoon * 1000).toISOString();
    await this.control('POST', '/clock', { now });
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
  async posts(from = '2000-01-01', profiles = this.profiles) {
    const lists = profiles.map(({ id }) =>
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
      const pass = () =>
        new Promise((done) => {
          const onward = forward({ hostname, port, method, path, headers }, (given) => {
            answer.writeHead(given.statusCode, given.headers);
            given.on('error', () => answer.destroy()).pipe(answer);
          });
          onward.on('error', () => answer.destroy());
          answer.on('close', () => done(onward.destroy()));
          asked.pipe(onward);
        });
      // what people did from noon on, its clock going on, has been done by then
      void this.#setClock(30).then(() => this.#tripwire.pass('request', pass));
    });
    this.#door.listen(0, '127.0.0.1');
    await once(this.#door, 'listening');
  }
}
