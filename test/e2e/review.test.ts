import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commentFile, mailForReview, servedPages } from '../support/review-pages.ts';
import { until } from '../support/until.ts';

/** All texts below a folder, by path. */
async function textsBelow(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

describe('the page of a held mail', () => {
  it('goes from the notice to the sent mails with a comment, and records who did what', async () => {
    const made = await mailForReview();
    const { listed, run, folder } = made;
    const comment = join(folder, commentFile);
    expect((await run('run')).code).toBe(0);
    const { links, open, send, request, child, finished } = await servedPages(made);
    const mails = () => made.mails('cmo@fjord.example').concat(made.mails('ceo@fjord.example'));
    expect([links().length, links('ben@nord.example').length, mails().length]).toEqual([1, 1, 0]);
    const [link = ''] = links();
    const page = await open(link);
    expect(page.status).toBe(200);
    expect(page.html).toContain('cmo@fjord.example, ceo@fjord.example');
    expect(page.html).toContain('Fjord &amp; &lt;i&gt;Co&lt;/i&gt;');
    expect(page.comment).toContain('## What was the aim?');
    expect(page.comment).toMatch(/EMV.*: /);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'") as string,
    });
    expect(page.headers.get('set-cookie')).toBeNull();
    const wrong = await open(`${link}x`);
    expect(wrong.status).toBe(404);
    for (const path of ['/review', '/review/'])
      expect(await open(path)).toMatchObject({ status: 404, html: wrong.html });
    expect((await request('/webhooks', { method: 'POST' })).status).toBe(404);
    expect((await request('/health')).status).toBe(200);

    // a text that was not saved is saved, and nothing is sent
    const text = '# Our view\n\nA **good** month.\n';
    const again = await send(page, 'send', { comment: text });
    expect(again.status).toBe(409);
    expect(await readFile(comment, 'utf8')).toBe(text);
    expect(mails()).toEqual([]);
    expect(again.html).toContain('Your comment is saved.');
    const frame = /<iframe src="([^"]*)"/.exec(again.html)?.[1] ?? '';
    const { pathname, search } = new URL(frame, `http://x${page.url}`);
    const mail = await request(pathname + search);
    expect(mail.headers.get('content-security-policy')).toContain('sandbox');
    expect(await mail.text()).toContain('<strong>good</strong> month');

    // the page that was opened first is of another version
    expect((await send(page, 'send')).status).toBe(409);
    expect((await send(again, 'send')).status).toBe(303);
    await until(() => mails().length === 2);
    child.kill('SIGTERM');
    const { stderr } = await finished;
    const done = await listed();
    expect(done.map(({ state }) => state)).toEqual(['sent', 'sent']);
    const acts = done[0]?.history?.map(({ did, who }) => `${did} ${who}`);
    expect(acts).toEqual(['commented anna@nord.example', 'approved anna@nord.example']);
    const key = page.url.split('/').at(-1) ?? '';
    expect(stderr).not.toContain(key);
    expect(await textsBelow(join(folder, 'data'))).not.toContain(key);

    const restarted = await servedPages(made);
    const state = await restarted.open(link);
    expect(state.html).toContain('It was sent');
    expect(state.html).toContain('Approved by anna@nord.example');
    expect(state.html).not.toMatch(/fjord|EMV|<form/i);
    expect((await restarted.send(again, 'send')).status).toBe(409);
    expect((await run('catch-up')).stdout).toBe('');
    expect(mails()).toHaveLength(2);
  });

  it('is sent once, as it was looked at, when the server is killed after the form', async () => {
    const made = await mailForReview({ mail: 'attach: [html]', isRequired: true });
    const { listed, run, folder, posts } = made;
    const mails = () => made.smtp.received.filter(({ to }) => to.endsWith('@fjord.example'));
    await run('run');
    expect(mails()).toEqual([]);
    const comment = join(folder, commentFile);
    await mkdir(dirname(comment), { recursive: true });
    await writeFile(comment, 'As we agreed.');
    // a required comment means that a person looks at it, too
    expect((await run('catch-up')).code).toBe(0);
    const { links, open, send, child, finished } = await servedPages(made);
    expect([mails().length, links().length]).toEqual([0, 1]);
    const answer = await send(await open(links()[0] ?? ''), 'send');
    child.kill('SIGKILL');
    expect(answer.status).toBe(303);
    await finished;
    posts.splice(0, 6);
    await run('run');
    await run('catch-up');
    expect((await listed()).map(({ state }) => state)).toEqual(['sent', 'sent']);
    expect(mails().map(({ to }) => to)).toEqual(['cmo@fjord.example', 'ceo@fjord.example']);
    expect(mails()[0]?.message).toContain('As we agreed.');
  });
});
