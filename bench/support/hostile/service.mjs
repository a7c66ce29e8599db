import { once } from 'node:events';
import { createServer } from 'node:net';
import { sendAnswer } from './wire.mjs';

const basePath = '/api/v1';

/**
 * The API as its specification words it, on bare sockets, so that each byte of an answer can be wrong. A plan says of
 * each request whether a fault takes its place.
 */
export class HostileService {
  #server;
  #sockets = new Set();
  #attempts = new Map();
  truth;
  key;
  /** `({request, attempt}) => mode | null`; null for none. */
  plan = null;
  /** Faults since the plan was set, by mode. */
  hits = new Map();
  requests = 0;

  static async start(truth, key) {
    const service = new HostileService();
    service.truth = truth;
    service.key = key;
    service.#server = createServer({ noDelay: true }, (socket) => service.#serve(socket));
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}${basePath}`;
  }

  /** From here on; counts of attempts begin anew. */
  follow(plan) {
    this.plan = plan;
    this.hits = new Map();
    this.#attempts.clear();
    this.hangUp();
  }

  hangUp() {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close() {
    this.#server.close();
    this.hangUp();
    await once(this.#server, 'close');
  }

  #serve(socket) {
    this.#sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      for (let end = received.indexOf('\r\n\r\n'); end !== -1; end = received.indexOf('\r\n\r\n')) {
        const head = received.toString('latin1', 0, end);
        received = received.subarray(end + 4);
        this.#answer(socket, parseRequest(head));
      }
    });
  }

  #answer(socket, request) {
    this.requests += 1;
    const asked = `${request.method} ${request.target}`;
    const attempt = (this.#attempts.get(asked) ?? 0) + 1;
    this.#attempts.set(asked, attempt);
    const good = this.#goodAnswer(request);
    const mode = good.status === 200 ? this.plan?.({ request, attempt }) : null;
    if (!mode) return sendAnswer(socket, good);
    this.hits.set(mode.name, (this.hits.get(mode.name) ?? 0) + 1);
    mode.answer({ socket, request, attempt, good, truth: this.truth });
  }

  #goodAnswer({ authorization, profileId, postId, from, to }) {
    if (authorization !== `Bearer ${this.key}`)
      return refusal(401, 'UNAUTHORIZED', 'Invalid or unauthorized API key');
    if (this.truth.profiles.some(({ id }) => id === profileId))
      return { status: 200, value: this.truth.recordsOf(profileId, from, to) };
    const details = this.truth.detailsOf(postId);
    return details ? { status: 200, value: details } : refusal(404, 'NOT_FOUND', 'Not found');
  }
}

function refusal(status, code, message) {
  return { status, value: { code, message } };
}

function parseRequest(head) {
  const [line, ...fields] = head.split('\r\n');
  const [method, target] = line.split(' ');
  const { pathname, searchParams } = new URL(target, 'http://service.invalid');
  const authorization = fields
    .find((field) => /^authorization:/i.test(field))
    ?.slice(14)
    .trim();
  const path = pathname.slice(basePath.length);
  return {
    method,
    target,
    authorization,
    profileId: /^\/analytics\/linkedin\/([^/]+)\/posts$/.exec(path)?.[1] ?? null,
    postId: /^\/posts\/([^/]+)$/.exec(path)?.[1] ?? null,
    from: searchParams.get('startDate'),
    to: searchParams.get('endDate'),
  };
}
