import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agency, october } from '../support/agency-month.ts';
import { decodeQuotedPrintable } from '../support/mail-text.ts';
import { uuid } from '../support/made-records.ts';
import { reviewSite } from '../support/review-site.ts';

const reviewOf = (to: string, more = '') => `
review: { url: "https://reports.nord.example", secret: "\${REVIEW_SECRET}", days: 3, to: ${to} }
${more}`;
const german = 'language: de\nlocale: de-DE\ncurrency: EUR';
const clientsWith = (profiles: string) => `
  east: { name: East AG, profiles: [${profiles}], to: [cmo@east.example] }`;
const east = clientsWith('w/East');
const value = '{ report: value, for: [east], period: last_month, formats: [md]';
const jobWith = (keys: string, reports = `${value} }`) => `
    reports: [${reports}]
    deliver: [{ mail: client, ${keys} }]`;

const held = {
  clients: east,
  job: jobWith('hold: true'),
  more: reviewOf('[anna@nord.example, ben@nord.example]'),
};

it('a link ends with its day, and for an address that left, like one that never was', async () => {
  const made = await agency(held);
  const { run, set, cli } = made;
  const { open, send, links, time } = reviewSite(made);
  await run('run monthly', october);
  const [anna = '', ben = ''] = [...links(), ...links('ben@nord.example')];
  cli.clock.set('2026-11-04T22:30:00Z');
  const last = await open(anna);
  expect(last.status).toBe(200);
  expect((await run('catch-up')).stdout).toBe('');
  // the next day in Berlin
  cli.clock.set('2026-11-04T23:30:00Z');
  const unknown = await open('/review/x/y');
  expect(unknown.status).toBe(404);
  expect(await open(anna)).toEqual({
    ...unknown,
    url: anna,
    headers: expect.anything() as Headers,
  });
  expect((await send(last, 'send')).status).toBe(404);
  await set({ more: reviewOf('[anna@nord.example, cleo@nord.example]') });
  await run('catch-up');
  expect([links().length, links('cleo@nord.example').length]).toEqual([2, 1]);
  expect(links('ben@nord.example')).toEqual([ben]);
  const [, renewed = ''] = links();
  expect([(await open(renewed)).status, (await open(ben)).status]).toEqual([200, 404]);

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
  expect(links()).toHaveLength(2);
});

it('an incomplete mail says what was not read and what happens next, and goes marked', async () => {
  const made = await agency({
    ...held,
    job: jobWith('name: board'),
    more: reviewOf('[anna@nord.example]', german),
  });
  const { run, service, smtp, subjects } = made;
  const { open, send, links, notices } = reviewSite(made);
  // it is not asked for in halves, which would use up the minute's requests
  service.answer(uuid(900), { status: 403, body: '{}' });
  expect((await run('run monthly', october)).code).toBe(3);
  expect(subjects()).toHaveLength(1);
  expect(notices('anna@nord.example')[0]).toMatch(/East wurde vom .* nicht gelesen\./);
  const page = await open(links()[0] ?? '');
  expect(page.html).toMatch(
    /<li>East wurde vom \d+\. \S+ 2026 bis zum \d+\. \S+ 2026 nicht gelesen/,
  );
  expect(page.html).toContain('wird sie neu erstellt und von selbst gesendet');
  expect(page.html).toContain('>Unvollständig senden</button>');
  expect((await send(page, 'send')).status).toBe(303);
  const [, mail] = smtp.received;
  expect(mail?.to).toBe('cmo@east.example');
  expect(decodeQuotedPrintable(mail?.message ?? '')).toMatch(/^Subject: .*Unvollständig:_East/m);
  service.answer(uuid(900), null);
  expect((await run('run monthly', '2026-11-02T11:00:00Z')).code).toBe(0);
  expect(subjects()).toHaveLength(2);
});

it('each comment has a field, a required one holds what has it, and a refused page keeps every text', async () => {
  const comment = (name: string) => `./{client}-${name}-{period}.md`;
  const made = await agency({
    ...held,
    job: jobWith(
      'attach: []',
      `${value}, comment: "${comment('own')}" }, { report: value, for: [east], period: last_month, formats: [md], set: { minimum: 1 }, comment: { file: "${comment('board')}", required: true } }`,
    ),
  });
  const { run, folder, subjects } = made;
  const { open, send, links, time } = reviewSite(made);
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
  expect(
    (await send(await open(anna), 'send', { comment: 'Three.', 'comment-2': 'Two.' })).status,
  ).toBe(303);
  expect(subjects()).toHaveLength(3);
});

it('a correction and a mail of other profiles say what differs, in the reader’s language', async () => {
  const made = await agency({
    ...held,
    job: jobWith('attach: []'),
    more: reviewOf('[anna@nord.example]', german),
  });
  const { run, set, subjects } = made;
  const { open, send, links, notices } = reviewSite(made);
  await run('run monthly', october);
  const priced = `[{ id: ${uuid(900)}, name: East, cpm: 40 }, { id: ${uuid(901)}, name: West }]`;
  await set({ profiles: priced, clients: clientsWith('w/East, w/West') });
  await run('run monthly', '2026-11-02T11:00:00Z');
  expect(subjects()).toHaveLength(2);
  const difference = `sie enthält jetzt auch West (w/${uuid(901)}); der TKP für East ist jetzt 40,00\u00a0€, zuvor gab es keinen.`;
  const reason = `Sie weicht von dem ab, was am 1. November 2026 gesendet wurde: ${difference}`;
  const [notice = ''] = notices('anna@nord.example');
  expect(notice).toContain(reason);
  expect(notice).toContain('Subject: Wartet auf Sie: Korrigiert: East AG');
  const page = await open(links()[0] ?? '');
  expect(page.html).toContain(`<li>${reason}</li>`);
  expect((await send(page, 'send')).status).toBe(303);
  expect(subjects().at(-1)).toContain('cmo@east.example');

  // what is held for another reason says how it differs from when it was held
  await set({ job: jobWith('hold: true, name: board') });
  await run('run monthly', '2026-11-03T11:00:00Z');
  await set({ clients: clientsWith('w/West') });
  const other = await open(links().at(-1) ?? '');
  expect(other.html).toContain('Sie weicht von dem ab, was zurückgehalten wurde: sie enthält East');
});

it('a mail with figures of a file goes with those that were looked at', async () => {
  const made = await agency({
    ...held,
    clients: east.replace('to:', 'figures: own.csv, to:'),
    job: jobWith('hold: true', value.replace('value', 'overview') + ' }'),
  });
  const { run, smtp, folder } = made;
  const { open, send, links } = reviewSite(made);
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
  const mails = smtp.received.filter(({ to }) => to === 'cmo@east.example');
  expect(mails).toHaveLength(1);
  expect(decodeQuotedPrintable(mails[0]?.message ?? '')).toMatch(/Leads: 42/);
});
