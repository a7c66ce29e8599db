import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeFiles } from '../support/cli.ts';
import { twoMailedClients } from '../support/two-clients.ts';

it('each run lists every report with its state and links, and reports whose files are gone are not listed', async () => {
  const { server, folder, run } = await twoMailedClients('attach: [html], hold: true');
  const jobs = await readFile(join(folder, 'jobs.yaml'), 'utf8');
  await writeFiles(folder, { 'jobs.yaml': jobs.replace('./broken/', './out/broken/') });
  await run('run');
  const index = () => readFile(join(folder, 'out/index.html'), 'utf8');
  const first = await index();
  expect(
    first.match(/<h2[^>]*>.*?<\/h2>/g)?.map((head) => head.replaceAll(/<[^>]+>/g, '')),
  ).toEqual(['Fjord AS', 'Pine GmbH']);
  expect(first).toContain('$1 of media value.');
  expect(first).toContain('Waits for approval: <bdi>a@pine.example</bdi>');
  expect(first).toMatch(/\d deliveries wait or have failed: see postledger deliver list/);
  const links = [...first.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
  expect(links).toEqual(
    expect.arrayContaining(['fjord/value.html', 'fjord/value.xlsx', 'pine/value/']),
  );
  expect(links.filter((link) => !existsSync(join(folder, 'out', link)))).toEqual([]);
  expect(first).toMatch(
    /<bdi>value<\/bdi>.*<p class="bad">Failed<\/p>.*--set none: not a parameter/,
  );

  const listed = JSON.parse((await run('deliver', 'list', '--json')).stdout) as {
    id: string;
    recipient: string;
  }[];
  const idOf = (address: string) => listed.find(({ recipient }) => recipient === address)?.id ?? '';
  await run('deliver', 'approve', idOf('fjord@x.example'));
  expect(await index()).toContain('Sent to <bdi>fjord@x.example</bdi>');
  await rm(join(folder, 'out', 'fjord'), { recursive: true });
  await run('deliver', 'approve', idOf('a@pine.example'));
  expect(await index()).not.toContain('Fjord');
  for (const { message } of server.received) expect(message).not.toContain('index.html');
});

it('the list never replaces a file of that name which is not its own', async () => {
  const { folder, run } = await twoMailedClients('hold: true');
  await writeFiles(folder, { 'out/index.html': '<p>Mine</p>' });
  const { stderr } = await run('run');
  expect(await readFile(join(folder, 'out/index.html'), 'utf8')).toBe('<p>Mine</p>');
  expect(stderr).toMatch(/out\/index\.html is not a list of reports/);
});
