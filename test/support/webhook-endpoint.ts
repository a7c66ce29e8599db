import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback.ts';

interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The endpoint's reaction to a request: answer with a status, cut the connection, or never answer. */
type Behaviour = number | 'reset' | 'hang';

export interface WebhookEndpoint {
  readonly url: string;
  /** The requests in their order of arrival. */
  readonly arrivals: readonly Arrival[];
  /** The events' `data.n` in their order of arrival. */
  numbers(): unknown[];
  /** Sets the reaction to requests from now on. */
  behave(behaviour: Behaviour | ((arrival: Arrival) => Behaviour)): void;
}

/** A receiver of webhooks on a real socket, which answers 204 unless it is told otherwise. */
export async function startWebhookEndpoint(): Promise<WebhookEndpoint> {
  const arrivals: Arrival[] = [];
  let behaviourOf: (arrival: Arrival) => Behaviour = () => 204;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url: path = '', headers } = request;
      const arrival = { method, path, headers, body };
      arrivals.push(arrival);
      const behaviour = behaviourOf(arrival);
      if (behaviour === 'reset') request.socket.resetAndDestroy();
      else if (behaviour !== 'hang') response.writeHead(behaviour, { location: '/moved' }).end();
    });
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    arrivals,
    numbers: () => arrivals.map(({ body }) => (JSON.parse(body) as NumberedEvent).data.n),
    behave: (behaviour) => {
      behaviourOf = typeof behaviour === 'function' ? behaviour : () => behaviour;
    },
  };
}

interface NumberedEvent {
  readonly data: { readonly n: unknown };
}
