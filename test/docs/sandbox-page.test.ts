import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/core/log.ts';
import { EventSender } from '../../src/sandbox/event-sender.ts';
import { faultKindNames, faultLevels, oddsOf } from '../../src/sandbox/faults/fault-kinds.ts';
import { madeUpContent } from '../../src/sandbox/made-up/made-up-content.ts';
import { SandboxClock } from '../../src/sandbox/sandbox-clock.ts';
import { createService } from '../../src/sandbox/service.ts';
import { WorkspaceState } from '../../src/sandbox/state/workspace-state.ts';
import { runSandbox } from '../sandbox/running-sandbox.ts';
import { ManualClock } from '../support/manual-clock.ts';
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

/** The control paths as the page writes them: `GET /_sandbox/posts/{id}`. */
function listControlPaths(): string[] {
  const machineClock = new ManualClock();
  const clock = new SandboxClock(machineClock);
  const start = machineClock.now();
  const content = madeUpContent({ seed: 1, profileCount: 1, postCount: 0, start });
  const state = new WorkspaceState({ seed: 1, content, clock, emit: () => undefined });
  const service = createService({
    seed: 1,
    state,
    rateLimit: { requests: 1, perSeconds: 1 },
    cap: null,
    machineClock,
    clock,
    log: silentLog,
    events: new EventSender({ webhook: null, clock: machineClock, log: silentLog }),
    faults: 'none',
    describe: () => ({}),
  });
  return service.routes
    .filter(({ path, method }) => /^\/_sandbox\b/.test(path) && method !== 'ALL')
    .map(({ path, method }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
}

describe('docs/sandbox.md', () => {
  it('has examples that work unchanged, one after another', async () => {
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
    expect(answers.length).toBeGreaterThan(15);
    expect(answers.filter(({ status }) => status < 200 || status > 299)).toEqual([]);
    const types = endpoint.arrivals.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    expect(new Set(types)).toEqual(
      new Set(['post.permanently_deleted', 'invite.created', 'campaign.renamed']),
    );
    expect(types.filter((type) => type === 'invite.created')).toHaveLength(2);
  });

  it('names every control path and no other', () => {
    const named = rowsWithCode('Control').map(([, path = '']) => path);
    expect(named.toSorted()).toEqual(listControlPaths().toSorted());
  });

  it('says which kinds of fault are mild', () => {
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
