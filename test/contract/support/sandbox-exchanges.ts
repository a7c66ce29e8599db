import { silentLog } from '../../../src/core/log.ts';
import type { RequestLimit } from '../../../src/sandbox/access.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { Examples } from '../../../src/sandbox/state/workspace-state.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { changeCases, linkedPostCases, readCases } from './accepted-cases.ts';
import { exchange, type ContractCase, type Exchange } from './contract-case.ts';
import {
  badRequestCases,
  engagementProfileCases,
  keyCases,
  unknownCases,
} from './refused-cases.ts';

const limit: RequestLimit = { requests: 100, perSeconds: 60 };

/** Every operation of a running sandbox in every outcome that the document has. */
export async function exchangeAll(): Promise<Exchange[]> {
  const free = await withSandbox({ ...limit, requests: 100_000 }, exchangeFreely);
  return [...free, ...(await withSandbox(limit, exchangeAtTheLimit))];
}

async function exchangeFreely(sandbox: Sandbox): Promise<Exchange[]> {
  const { profiles, keys } = sandbox;
  const examples = await readExamples(sandbox);
  const reads = await sendAll(sandbox, readCases(examples, profiles));
  const details = await sendAll(sandbox, linkedPostCases(reads));
  const refusals = await sendAll(sandbox, [
    ...keyCases(keys),
    ...unknownCases,
    ...engagementProfileCases(profiles),
    ...badRequestCases(examples, profiles),
  ]);
  const changes = await sendAll(sandbox, changeCases(examples));
  return [...reads, ...details, ...refusals, ...changes, ...(await readLater(sandbox))];
}

/** What there is to read on a later day: other posts, and what was archived is deleted for good. */
async function readLater(sandbox: Sandbox): Promise<Exchange[]> {
  await control(sandbox, '/clock', { advance_days: 40 });
  const reads = await sendAll(sandbox, readCases(await readExamples(sandbox), sandbox.profiles));
  return [...reads, ...(await sendAll(sandbox, linkedPostCases(reads)))];
}

async function exchangeAtTheLimit(sandbox: Sandbox): Promise<Exchange[]> {
  const [request] = unknownCases;
  if (!request) throw new Error('there is no operation');
  await sendAll(sandbox, new Array<ContractCase>(limit.requests).fill(request));
  return sendAll(
    sandbox,
    unknownCases.map((each) => ({ ...each, about: 'exceeded', status: 429 })),
  );
}

async function withSandbox<Result>(
  rateLimit: RequestLimit,
  use: (sandbox: Sandbox) => Promise<Result>,
): Promise<Result> {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ posts: 120, rateLimit, clock, log: silentLog });
  try {
    return await use(sandbox);
  } finally {
    await sandbox.close();
  }
}

async function sendAll(sandbox: Sandbox, cases: readonly ContractCase[]): Promise<Exchange[]> {
  const sent: Exchange[] = [];
  for (const each of cases) sent.push(await exchange(sandbox, each));
  return sent;
}

async function readExamples(sandbox: Sandbox): Promise<Examples> {
  const response = await fetch(new URL('/_sandbox/examples', sandbox.url));
  return (await response.json()) as Examples;
}

async function control(sandbox: Sandbox, path: string, body: object): Promise<void> {
  const url = new URL(`/_sandbox${path}`, sandbox.url);
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}
