import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agency, notifies, october } from '../support/agency.ts';
import { uuid } from '../support/made-records.ts';
import { reviewPages } from '../support/review-pages.ts';

const reviewOf = (to: string, more = '') => `
review: { url: "https://reports.nord.example", secret: "\${REVIEW_SECRET}", days: 3, to: ${to} }
${more}`;
const german = 'language: de\nlocale: de-DE\ncurrency: EUR\n';
const clientsWith = (profiles: string, to = 'cmo@east.example') => `
  east: { name: East AG, profiles: [${profiles}], to: [${to}] }`;
const value = '{ report: value, for: [east], period: last_month, formats: [md]';
const jobWith = (keys: string, reports = `${value} }`) => `
    reports: [${reports}]
    deliver: [{ mail: client, ${keys} }]`;

const held = {
  clients: clientsWith('w/East'),
  job: jobWith('hold: true'),
  more: reviewOf('[anna@nord.example, ben@nord.example]'),
};

/** All bytes below a folder, by path. */
async function bytesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return `${path} ${await readFile(path, 'latin1')}`;
    }),
  );
}

it('a link changes nothing when it is opened, is nobody’s with another key, and ends with its day, its reader or its secret', async () => {
  const made = await agency(held);
  const { run, set, cli, folder, listed } = made;
  const { request, open, send, links, time } = reviewPages(made);
  await run('run monthly', october);
  const [anna = '', ben = ''] = [...links(), ...links('ben@nord.example')];
  cli.clock.set('2026-11-04T22:30:00Z');
  const last = await open(anna);
  expect(last.html).not.toContain('<textarea');
  const before = [await bytesBelow(folder), await listed()];
  const addresses = [...last.html.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, to]) => to ?? '');
  expect(addresses.length).toBeGreaterThan(2);
  for (const method of ['HEAD', 'GET'])
    for (const address of [last.url, ...addresses.filter((to) => !to.startsWith('data:'))]) {
      const { pathname, search } = new URL(address, `http://x${last.url}`);
      expect((await request(pathname + search, { method })).status).toBe(200);
    }
  expect([await bytesBelow(folder), await listed()]).toEqual(before);
  expect((await run('catch-up')).stdout).toBe('');

  const unknown = await open('/review/x/y');
  expect(unknown.status).toBe(404);
  const [, , id = '', key = ''] = last.url.split('/');
  for (const url of [
    `/review/${id}/${key.slice(0, -1)}`,
    `/review/${id}/${key}x`,
    `/review/${id}/${key}%00`,
    `/review/${id.replace(/.$/, '0')}/${key}`,
    `/review/${id}`,
  ])
    expect(await open(url)).toMatchObject({ status: 404, html: unknown.html });
  // the next day in Berlin
  cli.clock.set('2026-11-04T23:30:00Z');
  expect(await open(anna)).toMatchObject({ status: 404, html: unknown.html });
  expect((await send(last, 'send')).status).toBe(404);
  await set({ more: reviewOf('[anna@nord.example, cleo@nord.example]') });
  await run('catch-up');
  expect([links().length, links('cleo@nord.example').length]).toEqual([2, 1]);
  expect(links('ben@nord.example')).toEqual([ben]);
  const old = links().at(-1) ?? '';
  expect([(await open(old)).status, (await open(ben)).status]).toEqual([200, 404]);
  // a new secret ends all links, and new ones are sent once
  const cleo = { more: reviewOf('[anna@nord.example]'), secret: 'another-secret-of-many-letters' };
  await set(cleo);
  for (let count = 0; count < 2; count += 1) await run('catch-up');
  const [, , renewed = ''] = links();
  expect(links()).toHaveLength(3);
  expect([(await open(renewed)).status, (await open(old)).status]).toEqual([200, 404]);

  // wrong links are slowed down for a minute, and the right one never is
  let refused = unknown;
  for (let n = 0; n < 25; n += 1) refused = await open(`/review/x/${n}`);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect((await open(renewed)).status).toBe(200);
  time.passedMs = 61_000;
  expect((await open('/review/x/y')).status).toBe(404);

  expect(await send(await open(renewed), 'send')).toMatchObject({ status: 303 });
  expect((await open(renewed)).html).toContain('It was sent');
  cli.clock.set('2026-11-08T11:00:00Z');
  expect((await open(renewed)).status).toBe(404);
  await run('catch-up');
  expect(links()).toHaveLength(3);
});

it('an incomplete mail says what was not read and what happens next, and goes marked', async () => {
  const made = await agency({
    ...held,
    job: jobWith('name: board'),
    more: reviewOf('[anna@nord.example]', german),
  });
  const { run, service, smtp, subjects, mails } = made;
  const { open, send, links } = reviewPages(made);
  // it is not asked for in halves, which would use up the minute's requests
  service.answer(uuid(900), { status: 403, body: '{}' });
  expect((await run('run monthly', october)).code).toBe(3);
  expect(subjects()).toHaveLength(1);
  expect(mails('anna@nord.example')[0]).toMatch(/East wurde vom .* nicht gelesen\./);
  const page = await open(links()[0] ?? '');
  expect(page.html).toMatch(
    /<li>East wurde vom \d+\. \S+ 2026 bis zum \d+\. \S+ 2026 nicht gelesen/,
  );
  expect(page.html).toContain('wird sie neu erstellt und von selbst gesendet');
  expect(page.html).toContain('>Unvollständig senden</button>');
  expect((await send(page, 'send')).status).toBe(303);
  expect(mails('cmo@east.example')[0]).toMatch(/^Subject: .*Unvollständig:_East/m);
  service.answer(uuid(900), null);
  expect((await run('run monthly', '2026-11-02T11:00:00Z')).code).toBe(0);
  expect(smtp.received).toHaveLength(2);
});

it('each comment has a field, a required one holds what has it, and a refused page names what has changed and keeps every text', async () => {
  const comment = (name: string) => `./{client}-${name}-{period}.md`;
  const made = await agency({
    ...held,
    job: jobWith(
      'attach: []',
      `${value}, comment: "${comment('own')}" }, { report: value, for: [east], period: last_month, formats: [md], set: { minimum: 1 }, comment: { file: "${comment('board')}", required: true } }`,
    ),
  });
  const { run, folder, set, subjects, listed } = made;
  const { open, send, links, time } = reviewPages(made);
  const fileOf = (name: string) => join(folder, `east-${name}-2026-10.md`);
  const textOf = (name: string) => readFile(fileOf(name), 'utf8');
  await writeFile(fileOf('board'), 'Written before the run.\n');
  expect((await run('run monthly', october)).code).toBe(0);
  expect(subjects()).toHaveLength(2);
  const [anna = '', ben = ''] = [...links(), ...links('ben@nord.example')];
  const [first, second] = [await open(anna), await open(ben)];
  expect(first.html.match(/<textarea[^>]* name="[^"]*"/g)).toHaveLength(2);
  const texts = { comment: 'One.', 'comment-2': 'Two.' };
  expect((await send(first, 'save', texts)).status).toBe(303);
  expect([await textOf('own'), await textOf('board')]).toEqual(['One.\n', 'Two.\n']);
  const refused = await send(second, 'send', { comment: 'Uno.', 'comment-2': 'Dos.' });
  expect(refused.status).toBe(409);
  for (const text of ['<pre>One.', '<pre>Two.', '\nUno.<', '\nDos.<'])
    expect(refused.html).toContain(text);
  expect(refused.html).toContain('The comment is another.');
  expect(refused.html).toContain('Comment saved by anna@nord.example');
  expect([await textOf('own'), await textOf('board')]).toEqual(['One.\n', 'Two.\n']);

  // a rendering that takes long
  await writeFile(fileOf('own'), 'Three.\n');
  time.isShort = true;
  const waiting = await open(anna);
  expect([waiting.status, waiting.html]).toEqual([
    200,
    expect.stringContaining('http-equiv="refresh"'),
  ]);
  const late = await send(refused, 'save', { comment: 'Quattro.', 'comment-2': 'Two.' });
  expect([late.status, late.html]).toEqual([
    409,
    expect.stringContaining('Nothing was sent or saved'),
  ]);
  expect(late.html).toContain('<pre>Quattro.');
  expect(await textOf('own')).toBe('Three.\n');
  time.isShort = false;

  const seen = await open(anna);
  await set({ clients: clientsWith('w/East', 'cmo@east.example, cfo@east.example') });
  const last = { comment: 'Three.', 'comment-2': 'Two.' };
  const moved = await send(seen, 'send', last);
  expect(moved.status).toBe(409);
  expect(moved.html).toContain('cfo@east.example, cmo@east.example (was cmo@east.example)');
  expect(subjects()).toHaveLength(2);
  // two at once: one of them sends, the other sees who did
  const answers = await Promise.all(
    [seen.url, second.url].map((url) => send({ ...moved, url }, 'send', last)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  expect(answers.find(({ status }) => status === 409)?.html).toMatch(
    /Approved by (?:anna|ben)@nord\.example/,
  );
  expect(subjects()).toHaveLength(4);
  expect((await listed()).every(({ history }) => history?.at(-1)?.did === 'approved')).toBe(true);
});

it('a correction and a mail of other profiles say what differs, in the reader’s language, and a mail is not sent with a word why', async () => {
  const made = await agency({
    ...held,
    job: jobWith('attach: []'),
    more: reviewOf('[anna@nord.example]', german),
  });
  const { run, set, subjects, mails, notices, listed } = made;
  const { open, send, links } = reviewPages(made);
  await run('run monthly', october);
  const priced = `[{ id: ${uuid(900)}, name: East, cpm: 40 }, { id: ${uuid(901)}, name: West }]`;
  await set({ profiles: priced, clients: clientsWith('w/East, w/West') });
  await run('deliver send monthly', '2026-11-02T11:00:00Z');
  expect(subjects()).toHaveLength(2);
  const difference = `sie enthält jetzt auch West (w/${uuid(901)}); der TKP für East ist jetzt 40,00\u00a0€, zuvor gab es keinen.`;
  const reason = `Sie weicht von dem ab, was am 1. November 2026 gesendet wurde: ${difference}`;
  const [notice = ''] = mails('anna@nord.example');
  expect(notice).toContain(reason);
  expect(notice).toContain('Subject: Wartet auf Sie: Korrigiert: East AG');
  const page = await open(links()[0] ?? '');
  expect(page.html).toContain(`<li>${reason}</li>`);
  expect((await send(page, 'send')).status).toBe(303);
  expect(subjects().at(-1)).toContain('cmo@east.example');

  // what is held for another reason says how it differs from when it was held
  const team = notifies.replace('as: json', 'as: json, when: [held], name: Team');
  const board = {
    job: jobWith('hold: true, name: board'),
    more: reviewOf('[anna@nord.example]', german + team),
  };
  await set(board);
  await run('deliver send monthly', '2026-11-03T11:00:00Z');
  await set({ ...board, clients: clientsWith('w/West') });
  const [link = ''] = /http\S+\/review\/[^"\\\s]+/.exec(notices()[0]?.text ?? '') ?? [];
  const other = await open(link);
  expect(other.html).toContain('Sie weicht von dem ab, was zurückgehalten wurde: sie enthält East');
  expect(other.html).toContain('Sie sehen diese Seite als Team.');
  const sent = subjects().length;
  expect((await send(other, 'discard', { note: 'replaced by <b>another</b>' })).status).toBe(303);
  const state = await open(link);
  expect(state.html).toContain('Die E-Mail wurde nicht gesendet.');
  expect(state.html).toContain('von Team');
  expect(state.html).toContain('replaced by &lt;b&gt;another&lt;/b&gt;');
  await run('run monthly', '2026-11-03T12:00:00Z');
  expect(subjects()).toHaveLength(sent);
  expect((await listed()).map((each) => each.state)).toContain('discarded');
});

it('a mail with figures of a file goes with those that were looked at', async () => {
  const made = await agency({
    ...held,
    clients: held.clients.replace('to:', 'figures: own.csv, to:'),
    job: jobWith('hold: true', value.replace('value', 'overview') + ' }'),
  });
  const { run, mails, folder } = made;
  const { open, send, links } = reviewPages(made);
  const give = (leads: number) =>
    writeFile(join(folder, 'own.csv'), `month,figure,value,kind\n2026-10,Leads,${leads},sum\n`);
  await give(41);
  await run('run monthly', october);
  const [link = ''] = links();
  const page = await open(link);
  await give(42);
  expect((await send(page, 'send')).status).toBe(409);
  const again = await open(link);
  expect(again.version).not.toBe(page.version);
  expect((await send(again, 'send')).status).toBe(303);
  expect(mails('cmo@east.example')).toEqual([expect.stringContaining('Leads: 42')]);
});

it('there are no links without https, or with a secret that can be guessed', async () => {
  const { set, run } = await agency({ ...held, secret: 'short' });
  const guessed = await run('check');
  expect(guessed.code).toBe(2);
  expect(guessed.log).toContain('which can be guessed');
  await set({ more: held.more.replace('https', 'http') });
  expect((await run('check')).log).toContain('review.url: must be an https address');
});
