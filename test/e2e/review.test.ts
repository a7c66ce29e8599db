import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPage, post, readPage, reviewedMonth } from '../support/reviewed-month.ts';
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
    const made = await reviewedMonth();
    const { links, mails, listed, run, serve, comment, folder } = made;
    expect((await run('run')).code).toBe(0);
    expect([links().length, links('ben@nord.example').length, mails().length]).toEqual([1, 1, 0]);
    const { origin, child, finished } = await serve();
    const [link = ''] = links();
    const page = await openPage(link, origin);
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

    // a text that was not saved is saved, and nothing is sent
    const text = '# Our view\n\nA **good** month.\n';
    const first = await post(page, 'send', { comment: text });
    expect(first.status).toBe(409);
    expect(await readFile(comment, 'utf8')).toBe(text);
    expect(mails()).toEqual([]);
    const again = await readPage(first);
    expect(again.html).toContain('Your comment is saved.');
    const frame = /<iframe src="([^"]*)"/.exec(again.html)?.[1] ?? '';
    const mail = await fetch(new URL(frame, page.url));
    expect(mail.headers.get('content-security-policy')).toContain('sandbox');
    expect(await mail.text()).toContain('<strong>good</strong> month');

    // the page that was opened first is of another version
    expect((await post(page, 'send')).status).toBe(409);
    const sent = await post({ ...again, url: page.url }, 'send');
    expect(sent.status).toBe(303);
    await until(() => mails().length === 2);
    child.kill('SIGTERM');
    const { stderr } = await finished;
    const done = await listed();
    expect(done.map(({ state }) => state)).toEqual(['sent', 'sent']);
    const acts = done[0]?.history?.map(({ did, who }) => `${did} ${who}`);
    expect(acts).toEqual(['commented anna@nord.example', 'approved anna@nord.example']);
    const key = new URL(link).pathname.split('/').at(-1) ?? '';
    expect(stderr).not.toContain(key);
    expect(await textsBelow(join(folder, 'data'))).not.toContain(key);

    const restarted = await serve();
    const state = await openPage(link, restarted.origin);
    expect(state.html).toContain('It was sent');
    expect(state.html).toContain('Approved by anna@nord.example');
    expect(state.html).not.toMatch(/fjord|EMV|<form/i);
    expect((await post({ ...again, url: state.url }, 'send')).status).toBe(409);
    expect((await run('catch-up')).stdout).toBe('');
    expect(mails()).toHaveLength(2);
  });

  it('changes nothing when it is opened, and is nobody’s with another key', async () => {
    const made = await reviewedMonth({ delivery: 'attach: [html, xlsx], hold: true' });
    const { links, listed, run, serve, set, folder } = made;
    await run('run');
    const { origin } = await serve();
    const [link = ''] = links();
    const page = await openPage(link, origin);
    expect(page.html).not.toContain('<textarea');
    const before = [await textsBelow(folder), await listed()];
    const addresses = [...page.html.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, to]) => to ?? '');
    expect(addresses.length).toBeGreaterThan(3);
    for (const method of ['HEAD', 'GET'])
      for (const address of [page.url, ...addresses.filter((to) => !to.startsWith('data:'))])
        expect((await fetch(new URL(address, page.url), { method })).status).toBe(200);
    expect([await textsBelow(folder), await listed()]).toEqual(before);

    const [, , id = '', key = ''] = new URL(link).pathname.split('/');
    const wrong = [
      `/review/${id}/${key.slice(0, -1)}`,
      `/review/${id}/${key}x`,
      `/review/${id.replace(/.$/, '0')}/${key}`,
      `/review/${id}`,
      '/review',
      '/review/',
      `/review/${id}/${key}%00`,
    ];
    const refused = await Promise.all(
      wrong.map(async (path) => {
        const answer = await fetch(origin + path);
        return `${answer.status} ${await answer.text()}`;
      }),
    );
    expect(new Set(refused).size).toBe(1);
    expect(refused[0]).toMatch(/^404 /);
    // anyone may try: the right link opens all the same
    const statuses = [];
    for (let n = 0; n < 30; n += 1)
      statuses.push((await fetch(`${origin}/review/${id}/x${n}`)).status);
    expect(statuses).toContain(429);
    expect((await fetch(page.url)).status).toBe(200);
    expect((await fetch(`${origin}/webhooks`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${origin}/health`)).status).toBe(200);

    // an address that left, and one that came
    await set({ review: 'to: [ben@nord.example, cleo@nord.example]' });
    expect((await fetch(page.url)).status).toBe(429);
    expect((await run('catch-up')).code).toBe(0);
    expect([links('cleo@nord.example').length, links('ben@nord.example').length]).toEqual([1, 1]);
    // a new secret ends all links, and new ones are sent
    await set({ secret: 'another-secret-of-many-letters' });
    const old = links('ben@nord.example')[0] ?? '';
    expect((await fetch(origin + new URL(old).pathname)).status).toBe(429);
    await run('catch-up');
    const [, renewed = ''] = links('ben@nord.example');
    expect((await openPage(renewed, origin)).status).toBe(200);
    await run('catch-up');
    expect(links('ben@nord.example')).toHaveLength(2);
  });

  it('names what has changed, and keeps both texts of two who saved', async () => {
    const made = await reviewedMonth({ to: '[cmo@fjord.example]' });
    const { links, mails, listed, run, serve, set, comment } = made;
    await run('run');
    const { origin } = await serve();
    const anna = await openPage(links()[0] ?? '', origin);
    const ben = await openPage(links('ben@nord.example')[0] ?? '', origin);
    expect((await post(anna, 'save', { comment: 'From Anna.' })).status).toBe(303);
    const refused = await readPage(await post(ben, 'save', { comment: 'From Ben.' }));
    expect(refused).toMatchObject({ status: 409, comment: 'From Ben.' });
    expect(refused.html).toMatch(/<pre>From Anna\.\s*<\/pre>/);
    expect(refused.html).toContain('The comment is another.');
    expect(refused.html).toContain('Comment saved by anna@nord.example');
    expect(await readFile(comment, 'utf8')).toBe('From Anna.\n');

    const seen = await openPage(links()[0] ?? '', origin);
    await set({ to: '[cmo@fjord.example, cfo@fjord.example]' });
    const moved = await readPage(await post(seen, 'send'));
    expect(moved.status).toBe(409);
    expect(moved.html).toContain('cfo@fjord.example, cmo@fjord.example (was cmo@fjord.example)');
    expect(mails()).toEqual([]);
    // two at once: one of them sends, the other sees who did
    const answers = await Promise.all([
      post({ ...moved, url: anna.url }, 'send'),
      post({ ...moved, url: ben.url }, 'send'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    const late = answers.find(({ status }) => status === 409);
    expect(await late?.text()).toMatch(/Approved by (?:anna|ben)@nord\.example/);
    await until(() => mails().length === 2);
    expect((await listed()).every(({ history }) => history?.at(-1)?.did === 'approved')).toBe(true);
  });

  it('is sent once, as it was looked at, when the server is killed after the form', async () => {
    const made = await reviewedMonth({
      delivery:
        'attach: [html], comment: { file: "./comments/{client}/{period}.md", required: true }',
    });
    const { links, mails, listed, run, serve, comment, posts } = made;
    await run('run');
    expect(mails()).toEqual([]);
    await mkdir(dirname(comment), { recursive: true });
    await writeFile(comment, 'As we agreed.');
    // a required comment means that a person looks at it, too
    expect((await run('catch-up')).code).toBe(0);
    expect([mails().length, links().length]).toEqual([0, 1]);
    const { origin, child, finished } = await serve();
    const page = await openPage(links()[0] ?? '', origin);
    const answer = await post(page, 'send');
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

  it('is not sent with a word why, in the language of the client', async () => {
    const made = await reviewedMonth({
      language: 'language: de, locale: de-DE',
      delivery: 'hold: true',
      more: 'notify:\n  - { when: [held], post: "${CHAT}", as: json, name: Team }\n',
    });
    const { links, mails, listed, run, serve, chat } = made;
    await run('run');
    expect(links()).toHaveLength(1);
    const [link = ''] = /http\S+\/review\/[^"\\\s]+/.exec(chat.arrivals[0]?.body ?? '') ?? [];
    const { origin } = await serve();
    const page = await openPage(link, origin);
    expect(page.html).toContain('Sie sehen diese Seite als Team.');
    expect((await post(page, 'discard', { note: 'replaced by <b>another</b>' })).status).toBe(303);
    const state = await openPage(link, origin);
    expect(state.html).toContain('Die E-Mail wurde nicht gesendet.');
    expect(state.html).toContain('von Team');
    expect(state.html).toContain('replaced by &lt;b&gt;another&lt;/b&gt;');
    await run('run');
    expect(mails()).toEqual([]);
    expect((await listed()).map((each) => each.state)).toEqual(['discarded', 'discarded']);
  });

  it('is none without review, and says what is wrong in jobs.yaml', async () => {
    const { set, run, folder } = await reviewedMonth({ url: 'http://reports.agency.example' });
    const refused = await run('check');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('review.url: must be an https address'),
    ]);
    await set({ url: 'https://reports.agency.example', secret: 'short' });
    expect((await run('check')).stderr).toContain('which can be guessed');
    expect(existsSync(join(folder, 'data', 'review.json'))).toBe(false);
  });
});
