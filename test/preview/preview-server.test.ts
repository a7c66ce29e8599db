import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startPreviewServer } from '../../src/preview/preview-server.ts';
import { wrapperPage, wrapperPolicy } from '../../src/preview/wrapper-page.ts';
import { warningLog } from '../support/warning-log.ts';

const now = new Date('2026-01-15T12:00:00Z');
const page = { html: '<!DOCTYPE html><title>Reach</title>', faults: [] };
const fault = {
  location: 'reports/reach/types.sql:1:8',
  message: '<b>"nothing"</b>\nis not there',
};
const broken = { html: null, faults: [fault] };

async function serve(port = 0) {
  const server = await startPreviewServer('reach', port, warningLog().log);
  onTestFinished(() => server.close());
  return { server, url: server.url, at: (path: string) => new URL(path, server.url).href };
}

/** Sends a request with any headers, since fetch cannot name another host. */
async function ask(url: string, method: string, host?: string) {
  const request = send(url, { method, ...(host !== undefined && { headers: { host } }) }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode, headers: response.headers, body };
}

describe('the preview', () => {
  it('serves a page around the report, each with a policy of its own', async () => {
    const { server, url, at } = await serve();
    server.show(page, now);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}\/$/);
    const wrapper = await ask(url, 'GET');
    expect(wrapper).toMatchObject({ status: 200, body: wrapperPage('reach') });
    expect(wrapper.headers).toMatchObject({
      'content-security-policy': wrapperPolicy,
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(wrapperPolicy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; connect-src 'self'; frame-src 'self';.* frame-ancestors 'none'$/,
    );
    const report = await ask(at('report?x'), 'GET');
    expect(report).toMatchObject({ status: 200, body: page.html });
    expect(report.headers['content-security-policy']).toBe("frame-ancestors 'self'");
    expect(await ask(at('report'), 'HEAD')).toMatchObject({ status: 200, body: '' });
  });

  it('may be called localhost, and refuses other names, what writes, and every path that was not printed', async () => {
    const { server, url, at } = await serve();
    server.show(page, now);
    const { port } = new URL(url);
    expect((await ask(url, 'GET', `LOCALHOST:${port}`)).status).toBe(200);
    const refused = [
      ['GET', 'report', 421, 'evil.example:80'],
      ['GET', '', 421, '127.0.0.1.evil.example'],
      ['POST', 'report', 404],
      ['OPTIONS', '', 404],
      ['GET', 'jobs.yaml', 404],
      ['GET', '../../jobs.yaml', 404],
      ['GET', '/', 404],
      ['GET', '/report', 404],
      ['GET', '/state', 404],
      ['GET', `/${'A'.repeat(22)}/report`, 404],
    ] as const;
    for (const [method, path, status, host] of refused) {
      const answer = await ask(at(path), method, host);
      expect([method, path, answer.status]).toEqual([method, path, status]);
      expect(answer.body).not.toContain('<');
    }
  });

  it('says which page there is, and keeps the last good one while there are mistakes', async () => {
    const { server, at } = await serve();
    const state = async () => JSON.parse((await ask(at('state'), 'GET')).body) as unknown;
    expect(await state()).toEqual({ page: 0, madeAt: null, faults: [] });
    expect(await ask(at('report'), 'GET')).toMatchObject({ status: 503 });
    server.show(page, now);
    const good = { page: 1, madeAt: now.toISOString(), faults: [] };
    expect(await state()).toEqual(good);
    server.show(broken, now);
    expect(await state()).toEqual({ ...good, faults: [fault] });
    expect((await ask(at('report'), 'GET')).body).toBe(page.html);
    server.show({ ...page, html: 'newer' }, now);
    expect(await state()).toEqual({ ...good, page: 2 });
    expect((await ask(at('report'), 'GET')).body).toBe('newer');
  });

  it('explains that another process uses the port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => {
      other.close();
    });
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(serve(port)).rejects.toThrow(
      `the preview cannot listen on 127.0.0.1, port ${port}: another process uses it. Stop that process, or choose another port with --port`,
    );
  });
});
