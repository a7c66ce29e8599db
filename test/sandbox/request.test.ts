import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { runSandbox } from './running-sandbox.ts';

const tooLarge = {
  code: 'BAD_REQUEST',
  message: 'Bad Request',
  data: { errors: { body: ['the body is larger than 1048576 bytes'] } },
};
const postId = '00000000-0000-4000-8000-000000000000';

describe('a body', () => {
  it('that is too large is refused, wherever it goes, and whether or not it says so', async () => {
    const { send, control, sandbox } = await runSandbox();
    const body = JSON.stringify({ postId, approvals: [], more: 'x'.repeat(1_048_576) });
    expect(await send('POST', '/approvals', body)).toEqual({ status: 400, body: tooLarge });
    expect(await send('POST', `/posts/${postId}/unschedule`, body)).toEqual({
      status: 400,
      body: tooLarge,
    });
    expect(await control('/events', { type: body })).toEqual({ status: 400, body: tooLarge });
    const chunked = new Response(body).body;
    const response = await fetch(`${sandbox.url}/approvals`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.keys.valid}` },
      body: chunked,
      duplex: 'half',
    });
    expect(await response.json()).toEqual(tooLarge);
  });

  it.each([undefined, 'text/plain', 'multipart/form-data', 'application/jsonp'])(
    'of an operation has to say that it is JSON: %s',
    async (type) => {
      const { ask, sandbox } = await runSandbox();
      const headers = new Headers({ authorization: `Bearer ${sandbox.keys.valid}` });
      if (type !== undefined) headers.set('content-type', type);
      const body = new TextEncoder().encode(JSON.stringify({ postId, approvals: [] }));
      expect(await ask('/approvals', { method: 'POST', headers, body })).toEqual({
        status: 400,
        body: {
          code: 'BAD_REQUEST',
          message: 'Bad Request',
          data: { errors: { body: ['the content-type must be application/json'] } },
        },
      });
    },
  );

  it('may name its character set, too', async () => {
    const { ask, sandbox } = await runSandbox();
    const headers = {
      authorization: `Bearer ${sandbox.keys.valid}`,
      'content-type': 'Application/JSON; charset=utf-8',
    };
    const body = JSON.stringify({ postId, approvals: [] });
    expect((await ask('/approvals', { method: 'POST', headers, body })).status).toBe(404);
  });
});

describe('a parameter', () => {
  it('stands once', async () => {
    const { ask } = await runSandbox();
    const path = `/posts/${postId}/inline-comments?resolved=true&resolved=banana`;
    expect(await ask(path)).toMatchObject({
      status: 400,
      body: { data: { errors: { resolved: ['given more than once'] } } },
    });
  });
});

describe('the control path', () => {
  it.each([
    ['evil.example', 403],
    ['localhost', 200],
    ['[::1]:8080', 200],
  ])('answers under the name %s with %i', async (host, status) => {
    const { sandbox } = await runSandbox();
    const answer = await new Promise<[number | undefined, string]>((done, fail) => {
      get(new URL('/_sandbox', sandbox.url), { headers: { host } }, (response) => {
        text(response).then((body) => done([response.statusCode, body]), fail);
      }).on('error', fail);
    });
    expect(answer[0]).toBe(status);
    expect(answer[1].includes(sandbox.keys.valid)).toBe(status === 200);
  });
});
