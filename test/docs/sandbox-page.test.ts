import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultKindNames, faultLevels, oddsOf } from '../../src/sandbox/faults/fault-kinds.ts';
import { runSandbox } from '../sandbox/running-sandbox.ts';
import { startWebhookEndpoint } from '../support/webhook-endpoint.ts';
import { readAssignment, readCurl, shellLines, valueAt, type CurlCommand } from './shell-lines.ts';

const root = resolve(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'sandbox.md'), 'utf8');

async function fetchJson({ method, url, headers, body }: CurlCommand) {
  const response = await fetch(url, { method, headers, body });
  return { status: response.status, body: await response.json() };
}

/** Cells of the rows of a table whose first cell is code. */
function rowsWithCode(heading: string): string[][] {
  const section = page.slice(page.indexOf(`\n## ${heading}\n`)).split('\n## ')[1] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
}

describe('the page about the sandbox', () => {
  it('has examples that work as they stand, one after another', async () => {
    const endpoint = await startWebhookEndpoint();
    const webhook = { url: new URL(endpoint.url), token: null };
    const { sandbox } = await runSandbox({ posts: 2000, webhook });
    const variables = new Map<string, string>();
    const atSandbox = (text: string) => text.replace('127.0.0.1:8080', `127.0.0.1:${sandbox.port}`);
    const answers = [];
    for (const line of shellLines(page)) {
      const assignment = readAssignment(line, variables);
      if (assignment?.curl) {
        const { body } = await fetchJson(assignment.curl);
        variables.set(assignment.name, String(valueAt(assignment.path, body)));
      } else if (assignment) {
        variables.set(assignment.name, atSandbox(assignment.value));
      } else if (line.startsWith('curl ')) {
        answers.push({ line, ...(await fetchJson(readCurl(line, variables))) });
      }
    }
    expect(answers.length).toBeGreaterThan(25);
    expect(answers.filter(({ status }) => status < 200 || status > 299)).toEqual([]);
    const types = endpoint.arrivals.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    expect(new Set(types)).toEqual(
      new Set(['post.permanently_deleted', 'invite.created', 'campaign.renamed']),
    );
    expect(types.filter((type) => type === 'invite.created')).toHaveLength(1 + 3);
  });

  it('says what each key is answered', async () => {
    const { ask, sandbox } = await runSandbox();
    const rows = rowsWithCode('Keys').map(([, key = '', answer = '']) => ({ key, answer }));
    expect(rows.map(({ key }) => key)).toEqual(Object.values(sandbox.keys));
    for (const { key, answer } of rows.slice(1)) {
      const { status, body } = await ask('/posts/x', {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(`${status} ${(body as { message: string }).message}`).toBe(answer);
    }
  });

  it('names every path of the control, and no other', async () => {
    const { sandbox } = await runSandbox();
    const paths = rowsWithCode('Control').map(([, path = '']) => path.split(' '));
    expect(paths.length).toBe(15);
    for (const [method = '', path = ''] of paths) {
      const url = new URL(
        path.replace('{id}', '00000000-0000-4000-8000-000000000000'),
        sandbox.url,
      );
      const response = await fetch(url, { method });
      expect(await response.text()).not.toContain('Not Found');
    }
  });

  it('says of every kind of fault whether it is among the mild ones', () => {
    const isIn = (kind: string, method: string) =>
      oddsOf('mild', method).some(([name, probability]) => name === kind && probability > 0);
    const said = rowsWithCode('Faults').map(([, name = '', , mild = '']) => [name, mild]);
    const levels = said.splice(0, faultLevels.length).map(([level]) => level);
    expect(levels).toEqual(faultLevels);
    expect(said).toEqual(
      faultKindNames.map((kind) => [
        kind,
        isIn(kind, 'POST') ? 'yes' : isIn(kind, 'GET') ? 'GET' : 'no',
      ]),
    );
  });
});
