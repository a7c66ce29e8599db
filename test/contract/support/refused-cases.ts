import { operations, type OperationName } from '../../../src/api/schemas/operations.ts';
import type { KeyOutcome, SandboxProfile } from '../../../src/sandbox/identity.ts';
import type { Examples } from '../../../src/sandbox/state/workspace-state.ts';
import type { ContractCase } from './contract-case.ts';

type Keys = Readonly<Record<KeyOutcome, string>>;

const unknownId = '00000000-0000-4000-8000-000000000000';

/** One request of each operation that is well-formed; what it names does not exist. */
const requests: readonly ContractCase[] = (Object.keys(operations) as OperationName[]).map(
  (operation) => ({
    operation,
    about: 'unknown',
    status: 404,
    parameters: parametersOf(operation, unknownId),
    ...(hasBody(operation) ? { body: { postId: unknownId, approvals: [] } } : {}),
  }),
);

/** The requests that name something. */
export const unknownCases = requests.filter(
  ({ parameters = {}, body }) => Object.keys(parameters).length > 0 || body !== undefined,
);

/** Every operation with every key that is refused; `about` is the name of its example in the document. */
export function keyCases(keys: Keys): ContractCase[] {
  const refused: readonly Pick<ContractCase, 'about' | 'status' | 'key'>[] = [
    { about: 'missing', status: 401, key: null },
    { about: 'unknown', status: 401, key: 'no-key-of-the-sandbox' },
    { about: 'revoked', status: 403, key: keys.revoked },
    { about: 'expired', status: 403, key: keys.expired },
    { about: 'disabled', status: 403, key: keys.disabled },
    { about: 'insufficientPermissions', status: 403, key: keys.insufficient_permissions },
    { about: 'insufficientCredits', status: 403, key: keys.insufficient_credits },
    { about: 'usageExceeded', status: 403, key: keys.usage_exceeded },
  ];
  return requests.flatMap((request) => refused.map((key) => ({ ...request, ...key })));
}

/** Requests that do not fit: each field, each with something wrong. */
export function badRequestCases(
  examples: Examples,
  profiles: readonly SandboxProfile[],
): ContractCase[] {
  const profileId = profiles[0]?.id ?? '';
  const [postId = ''] = examples.posts_with_comments;
  const [finalized = ''] = examples.posts.Finalized;
  const days = [
    { startDate: 'yesterday' },
    { startDate: '2026-02-30' },
    { endDate: '2026-1-1' },
    { startDate: '' },
    { startDate: '2026-01-02', endDate: '2026-01-01' },
  ];
  const filters = [{ channel: 'Fax' }, { channel: '' }, { resolved: 'maybe' }, { resolved: '1' }];
  return [
    ...noUuidCases(),
    ...days.map((query) => badQuery('listLinkedInAnalytics', { profileId }, query)),
    ...filters.map((query) => badQuery('listInlineComments', { postId }, query)),
    ...bodyCases(postId, examples.users[0]?.id ?? ''),
    {
      operation: 'unschedulePost',
      about: 'a post that is not scheduled',
      status: 400,
      parameters: { id: finalized },
    },
  ];
}

/** The refusal of analytics that has nothing to do with the key. */
export function engagementProfileCases(profiles: readonly SandboxProfile[]): ContractCase[] {
  return profiles
    .filter(({ kind }) => kind === 'engagement')
    .map(({ id }) => ({
      operation: 'listLinkedInAnalytics',
      about: 'engagementProfile',
      status: 403,
      parameters: { profileId: id },
    }));
}

function noUuidCases(): ContractCase[] {
  return unknownCases
    .filter(({ operation }) => (operations[operation].refusals as readonly number[]).includes(400))
    .filter(({ operation }) => operations[operation].method !== 'POST' || !hasBody(operation))
    .map((request) => ({
      ...request,
      about: 'an id that is no UUID',
      status: 400,
      parameters: parametersOf(request.operation, 'no-uuid'),
    }));
}

function bodyCases(postId: string, userId: string): ContractCase[] {
  const bodies: readonly unknown[] = [
    'no JSON',
    'null',
    {},
    [],
    { postId },
    { postId: 'no-uuid', approvals: [] },
    { postId, approvals: {} },
    { postId, approvals: [{}] },
    { postId, approvals: [{ userId: 'no-uuid' }] },
    { postId, approvals: [{ userId: unknownId }] },
    { postId, approvals: [{ userId, dueDate: 'tomorrow' }] },
    { postId, approvals: [{ userId, dueDate: '2026-02-01' }] },
    { postId, approvals: [{ userId, isBlocking: 'yes' }] },
    { postId, approvals: [{ userId, message: 1 }] },
  ];
  return bodies.map((body) => ({
    operation: 'createApprovals',
    about: `the body ${JSON.stringify(body)}`,
    status: 400,
    body,
  }));
}

function badQuery(
  operation: OperationName,
  parameters: Record<string, string>,
  query: Record<string, string>,
): ContractCase {
  return { operation, about: JSON.stringify(query), status: 400, parameters, query };
}

function parametersOf(operation: OperationName, id: string): Record<string, string> {
  const names = Object.keys(operations[operation].parameters.shape);
  return Object.fromEntries(names.map((name) => [name, id]));
}

function hasBody(operation: OperationName): boolean {
  return 'body' in operations[operation];
}
