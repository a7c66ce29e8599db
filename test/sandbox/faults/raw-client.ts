import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';

export interface RawAnswer {
  /** The status; 0 when there was no answer. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The part of the body that arrived. */
  readonly text: string;
  /** The socket's error, such as ECONNRESET; null when the answer is whole. */
  readonly error: string | null;
}

/** Sends a request by a client that shows every error of its connection and never retries. */
export function askRaw(url: string, headers: Record<string, string>) {
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  return new Promise<RawAnswer>((resolve) => {
    const none = { status: 0, headers: {}, text: '' };
    const sent = request(url, { headers, agent }, (response) => {
      let text = '';
      const end = (error: string | null) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, error });
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => end(null));
      response.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    });
    sent.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ ...none, error: error.code ?? error.message }),
    );
    sent.end();
  });
}
