import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The API as its specification words it, on bare sockets, so that each byte of an answer can be wrong. It serves any
 * number of workspaces, each at a base URL of its own, and a plan of each says which requests a fault befalls.
 */
export class HostileService {
  #server;
  #key;
  #sockets = new Set();
  /** By name. */
  #workspaces = new Map();
  requests = 0;
  faults = 0;

  static async start(key) {
    const service = new HostileService();
    service.#key = key;
    service.#server = createServer({ noDelay: true }, (socket) => service.#serve(socket));
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  urlOf(name) {
    return `http://127.0.0.1:${this.#server.address().port}/${name}/api/v1`;
  }

  add(name, truth) {
    this.#workspaces.set(name, { truth, plan: null, attempts: new Map(), met: new Set() });
  }

  /**
   * From here on; attempts are counted anew. @param plan `({request, attempt}) => mode | null`; null for no faults
   */
  follow(name, plan) {
    Object.assign(this.#workspaces.get(name), { plan, attempts: new Map(), met: new Set() });
  }

  /** Names of the modes that requests have met since then. */
  metBy(name) {
    return this.#workspaces.get(name).met;
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
    const workspace = this.#workspaces.get(request.workspace);
    const good = this.#goodAnswer(request, workspace);
    const attempt = (workspace?.attempts.get(request.target) ?? 0) + 1;
    workspace?.attempts.set(request.target, attempt);
    const mode = good.status === 200 ? workspace.plan?.({ request, attempt }) : null;
    if (!mode) return sendAnswer(socket, good);
    this.faults += 1;
    workspace.met.add(mode.name);
    mode.answer({ socket, request, attempt, good, truth: workspace.truth });
  }

  #goodAnswer({ authorization, profileId, postId, from, to }, workspace) {
    if (authorization !== `Bearer ${this.#key}`)
      return refusal(401, 'UNAUTHORIZED', 'Invalid or unauthorized API key');
    if (workspace?.truth.profiles.some(({ id }) => id === profileId))
      return { status: 200, value: workspace.truth.recordsOf(profileId, from, to) };
    const details = workspace?.truth.detailsOf(postId);
    return details ? { status: 200, value: details } : refusal(404, 'NOT_FOUND', 'Not found');
  }
}

function refusal(status, code, message) {
  return { status, value: { code, message } };
}

function parseRequest(head) {
  const [line, ...fields] = head.split('\r\n');
  const target = line.split(' ')[1];
  const { pathname, searchParams } = new URL(target, 'http://service.invalid');
  const [, workspace, path] = /^\/([^/]+)\/api\/v1(\/.*)$/.exec(pathname) ?? [];
  const authorization = fields.find((field) => /^authorization:/i.test(field));
  return {
    target,
    workspace,
    authorization: authorization?.slice(authorization.indexOf(':') + 1).trim(),
    profileId: /^\/analytics\/linkedin\/([^/]+)\/posts$/.exec(path)?.[1] ?? null,
    postId: /^\/posts\/([^/]+)$/.exec(path)?.[1] ?? null,
    from: searchParams.get('startDate'),
    to: searchParams.get('endDate'),
  };
}

const reasons = {
  200: 'OK',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** An answer as it should be, unless headers or the body say otherwise. */
export function sendAnswer(socket, { status = 200, headers = {}, value, body }) {
  const bytes = bodyOf({ value, body });
  const all = { 'content-type': 'application/json', 'content-length': bytes.length, ...headers };
  socket.write(Buffer.concat([head(status, all), bytes]));
}

/** Header fields of null are left out; of an array, sent once each. */
export function head(status, headers, version = 'HTTP/1.1') {
  const lines = Object.entries(headers)
    .filter(([, value]) => value !== null)
    .flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}\r\n`));
  return Buffer.from(
    `${version} ${status} ${reasons[status] ?? 'Status'}\r\n${lines.join('')}\r\n`,
    'latin1',
  );
}

export function bodyOf({ value, body }) {
  if (body === undefined) return Buffer.from(JSON.stringify(value));
  return Buffer.isBuffer(body) ? body : Buffer.from(body);
}

export function chunked(bytes, size = 500) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat(parts);
}

/** Writes a byte string in so many pieces over so many ms. */
export function drip(socket, bytes, { pieces, ms }) {
  const size = Math.ceil(bytes.length / pieces);
  let at = 0;
  const timer = setInterval(() => {
    if (at >= bytes.length || socket.destroyed) return clearInterval(timer);
    socket.write(bytes.subarray(at, (at += size)));
  }, ms / pieces);
}
