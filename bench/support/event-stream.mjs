import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { eventKey } from '../../build/store/event-store.js';

/** Events of the bench's own beside those of the sandbox, and what the receiver has said of each. */
export class EventStream {
  #webhook;
  #senders;
  #world;
  #random;
  #sent = 0;
  #fileKeys = [];
  #recent = [];
  #agent = new Agent({ keepAlive: true });
  /** Posts, by key of the event that tells of their deletion. */
  #deletions = new Map();
  /** Keys of events that were acknowledged. */
  promised = new Set();

  constructor(webhook, world, random, senders) {
    this.#senders = senders;
    this.#webhook = webhook;
    this.#world = world;
    this.#random = random.fork(99);
  }

  /** Sends a few events while `work` is under way. */
  async during(isWanted, work) {
    const sending = isWanted ? this.#send(this.#random.integer(1, 30)) : null;
    const result = await work();
    await sending;
    await this.#takePromises();
    return result;
  }

  /** Sends with several senders until the receiver is gone. @param killMs it is killed then; null: not here */
  async burst(receiver, killMs) {
    if (killMs !== null) void delay(killMs).then(() => receiver.kill());
    const work = Array.from({ length: this.#senders }, async () => {
      for (let count = 0; count < 60 && receiver.isAlive; count += 1)
        if (!(await this.#post(this.#next()))) return;
    });
    await Promise.all(work);
    await this.#takePromises();
  }

  /** For `webhooks ingest`. */
  async writeFile(path) {
    const events = Array.from({ length: 20 }, () => this.#next());
    this.#fileKeys = events.map(eventKey);
    await writeFile(path, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  }

  acknowledgeFile() {
    for (const key of this.#fileKeys) this.promised.add(key);
  }

  async flush() {
    await this.#world.control('POST', '/deliveries/flush');
    await this.#takePromises();
  }

  /** Delivers what the sandbox still holds, by file where it has given up. */
  async settle(postledger, path) {
    await this.flush();
    const { deliveries } = await this.#world.control('GET', '/deliveries');
    const late = deliveries.filter(({ state }) => state !== 'delivered').map(({ event }) => event);
    if (late.length === 0) return;
    await writeFile(path, late.map((event) => `${JSON.stringify(event)}\n`).join(''));
    await postledger.run(['webhooks', 'ingest', path]);
    for (const event of late) this.#promise(event);
  }

  /** Posts whose deletion the receiver has acknowledged. */
  toldDeletions() {
    return [...this.#deletions.values()];
  }

  async #takePromises() {
    const { deliveries } = await this.#world.control('GET', '/deliveries');
    for (const { state, event } of deliveries) if (state === 'delivered') this.#promise(event);
  }

  #promise(event) {
    const key = eventKey(event);
    this.promised.add(key);
    if (event.type === 'post.permanently_deleted') this.#deletions.set(key, event.data.post.id);
  }

  async #send(count) {
    for (let index = 0; index < count; index += 1) if (!(await this.#post(this.#next()))) return;
  }

  /** A new one, or one that came before. */
  #next() {
    if (this.#recent.length > 0 && this.#random.isChance(0.2))
      return this.#random.pick(this.#recent);
    this.#sent += 1;
    const createdAt = this.#world.now().toISOString();
    const text = 'words '.repeat(this.#sent % 97 === 0 ? 3_000 : this.#sent % 40);
    const event = { type: 'bench.sent', data: { number: this.#sent, text }, createdAt };
    this.#recent = [...this.#recent.slice(-40), event];
    return event;
  }

  /** @returns whether the receiver is still there */
  #post(event) {
    const { url, token } = this.#webhook;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    return new Promise((done) => {
      const call = request(url, { method: 'POST', agent: this.#agent, headers }, (response) => {
        response.on('error', () => done(false)).on('close', () => done(false));
        response.resume().on('end', () => {
          if (!response.complete) return done(false);
          if (response.statusCode < 300) this.promised.add(eventKey(event));
          done(true);
        });
      });
      call.on('error', () => done(false)).end(JSON.stringify(event));
    });
  }
}
