import { createServer } from 'node:http';
import { listenOnLoopback } from './loopback.ts';

interface Upload {
  readonly key: string;
  readonly body: string;
  readonly authorization: string;
}

/** @param answer the status of an upload, by how many came before; `hang`: none at all */
export async function startS3Server(answer: (earlier: number) => number | 'hang' = () => 200) {
  const uploads: Upload[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const status = answer(requests);
      requests += 1;
      if (status === 'hang') return;
      const [key = '', authorization = ''] = [request.url, request.headers.authorization];
      if (status === 200)
        uploads.push({ key, authorization, body: Buffer.concat(parts).toString() });
      const code =
        status === 403 ? 'AccessDenied' : status === 401 ? 'InvalidAccessKeyId' : 'InternalError';
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(
        status === 200 ? '' : `<Error><Code>${code}</Code><Message>no</Message></Error>`,
      );
    });
  });
  const port = await listenOnLoopback(server);
  const keys = () => uploads.map(({ key }) => key.replace(/\?.*/, ''));
  return { endpoint: `http://127.0.0.1:${port}`, uploads, keys, requests: () => requests };
}
