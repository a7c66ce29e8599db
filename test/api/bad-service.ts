import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../support/loopback.ts';

export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

export interface Service {
  readonly baseUrl: string;
  readonly server: Server;
  /** The requests received, in order. */
  readonly requests: IncomingMessage[];
}

/** Starts a server on loopback that answers each request by the next behaviour, and then always by the last. */
export async function serve(...behaviours: readonly Behaviour[]): Promise<Service> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const behave = behaviours[Math.min(requests.length, behaviours.length - 1)];
    requests.push(request);
    behave?.(response, request);
  });
  const port = await listenOnLoopback(server);
  return { baseUrl: `http://127.0.0.1:${port}/api/v1`, server, requests };
}

export function json(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Behaviour {
  return text(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}

export function text(
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Behaviour {
  return (response) => response.writeHead(status, headers).end(body);
}

/** Answers with an error in the API's form. */
export function refusal(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Behaviour {
  return json(status, { code, message }, headers);
}

/** Breaks the connection without an answer. */
export const reset: Behaviour = (response) => response.socket?.resetAndDestroy();

/** Begins an answer and never ends it. */
export const drip: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('[');
};

/** Never answers. */
export const silence: Behaviour = () => undefined;

/** Promises more bytes than it sends. */
export const cut: Behaviour = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('[{"id":"1"},');
  setImmediate(() => response.destroy());
};
