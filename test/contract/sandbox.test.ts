import { beforeAll, describe, expect, it } from 'vitest';
import { operations, type OperationName } from '../../src/api/schemas/operations.ts';
import type { Exchange } from './support/contract-case.ts';
import { readStrictly } from './support/document-readings.ts';
import { documentedAnswers, findAnswer } from './support/documented-answers.ts';
import { exchangeAll } from './support/sandbox-exchanges.ts';

const names = Object.keys(operations) as OperationName[];
let exchanges: readonly Exchange[];

beforeAll(async () => {
  exchanges = await exchangeAll();
});

/** What is wrong with each answer, with the request that it came to; nothing when all is well. */
function faultsOf(operation: OperationName): string[] {
  return exchanges
    .filter((each) => each.operation === operation)
    .flatMap((each) => faultsIn(each).map((fault) => `${each.about}: ${fault}`));
}

function faultsIn({ operation, status, answered, contentType, answer }: Exchange): string[] {
  if (answered !== status) return [`${answered} instead of ${status}: ${JSON.stringify(answer)}`];
  const { schemaPointer, contentTypes } = findAnswer(operation, answered);
  const isKnown = contentTypes.includes(contentType ?? '');
  return [
    ...(isKnown ? [] : [`it is ${contentType ?? 'of no type'}`]),
    ...readStrictly(schemaPointer, answer),
  ];
}

function accepted<Body>(operation: OperationName): Body[] {
  return exchanges
    .filter((each) => each.operation === operation && each.answered === 200)
    .map(({ answer }) => answer as Body);
}

describe('the sandbox', () => {
  it.each(names)('answers %s as the document says and not a word more', (operation) => {
    expect(faultsOf(operation)).toEqual([]);
  });

  it('gives every answer that the document has, and none that it has not', () => {
    const seen = exchanges.map(
      ({ operation, answered }) => `${operation} ${findAnswer(operation, answered).status}`,
    );
    const documented = documentedAnswers.map(({ operation, status }) => `${operation} ${status}`);
    expect([...new Set(seen)].sort()).toEqual(documented.sort());
  });

  it('gives the example of the document for whatever is wrong with a key, to the letter', () => {
    const refused = exchanges.filter(({ answered }) => [401, 403, 429].includes(answered));
    for (const { operation, about, answered, answer } of refused) {
      const { examples } = findAnswer(operation, answered);
      expect(withoutNumbers(answer), `${operation}, ${about}`).toEqual(
        withoutNumbers(examples[about]?.value),
      );
    }
    const shown = documentedAnswers.flatMap(({ operation, status, examples }) =>
      ['401', '403', '429'].includes(status)
        ? Object.keys(examples).map((about) => `${operation} ${about}`)
        : [],
    );
    const seen = refused.map(({ operation, about }) => `${operation} ${about}`);
    expect([...new Set(seen)].sort()).toEqual(shown.sort());
  });

  it('names each field that does not fit, and says why', () => {
    const bodies = exchanges.filter(({ answered }) => answered === 400);
    expect(bodies.length).toBeGreaterThan(names.length);
    for (const { about, answer } of bodies) {
      expect(answer, about).toMatchObject({ code: 'BAD_REQUEST', message: 'Bad Request' });
      const { data } = answer as { data?: { errors?: Record<string, string[]> } };
      const reasons = Object.values(data?.errors ?? {});
      expect(reasons.length, about).toBeGreaterThan(0);
      expect(
        reasons.every(([reason]) => reason),
        about,
      ).toBe(true);
    }
  });

  it('gives addresses of users when approvals are listed, never when they are created', () => {
    const listed = accepted<{ approvals: Approval[] }>('listApprovals');
    const created = accepted<Record<string, Approval[]>>('createApprovals');
    const addresses = (approvals: Approval[]) =>
      approvals.flatMap(({ user, requestedBy }) => ['email' in user, 'email' in requestedBy]);
    const inLists = addresses(listed.flatMap(({ approvals }) => approvals));
    const inCreated = addresses(created.flatMap((body) => Object.values(body).flat()));
    expect([...new Set(inLists)]).toEqual([true]);
    expect([...new Set(inCreated)]).toEqual([false]);
  });
});

describe('what no schema says', () => {
  it('is held for linked posts: each can be read, and others have none', () => {
    const records = accepted<{ servicePost: { id: string } | null }[]>('listLinkedInAnalytics');
    const read = new Set(
      exchanges
        .filter(({ operation, answered }) => operation === 'getPost' && answered === 200)
        .map(({ parameters }) => parameters?.['id']),
    );
    const linked = records.flat().map(({ servicePost }) => servicePost?.id ?? null);
    expect(linked).toContain(null);
    expect(linked.filter((id) => id !== null && !read.has(id))).toEqual([]);
  });
});

interface Approval {
  readonly user: object;
  readonly requestedBy: object;
}

/** Durations and seconds differ from request to request. */
function withoutNumbers(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body ?? null).replace(/was revoked [^"]* ago|in \d+ seconds/g, '…'),
  );
}
