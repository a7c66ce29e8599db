import { once } from 'node:events';
import { createServer } from 'node:net';
import { sendAnswer } from './wire.mjs';

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
