import { commentChannels } from '../../../src/api/schemas/vocabulary.ts';
import type { SandboxProfile } from '../../../src/sandbox/identity.ts';
import type { Examples } from '../../../src/sandbox/state/workspace-state.ts';
import type { ContractCase, Exchange } from './contract-case.ts';

/** Reads that a sandbox answers with 200, of everything that it names. */
export function readCases(examples: Examples, profiles: readonly SandboxProfile[]): ContractCase[] {
  const posts = Object.entries(examples.posts).flatMap(([status, ids]) =>
    ids.map((id) => ({ id, about: `a post that is ${status}` })),
  );
  const reviewed = examples.posts_with_approvals.map((id) => ({ id, about: 'a reviewed post' }));
  const discussed = examples.posts_with_comments.map((id) => ({ id, about: 'a discussed post' }));
  return [
    ...profiles.filter(({ kind }) => kind !== 'engagement').flatMap(analyticsCases),
    ...posts.map(({ id, about }) => readCase('getPost', { id }, about)),
    ...[...posts, ...reviewed].map(({ id, about }) =>
      readCase('listApprovals', { postId: id }, about),
    ),
    ...posts.map(({ id, about }) => readCase('listInlineComments', { postId: id }, about)),
    ...discussed.flatMap(({ id }) => commentCases(id)),
  ];
}

/** All that there is to read about the posts that analytics link to. */
export function linkedPostCases(reads: readonly Exchange[]): ContractCase[] {
  const records = reads
    .filter(({ operation }) => operation === 'listLinkedInAnalytics')
    .flatMap(({ answer }) => answer as { readonly servicePost: { readonly id: string } | null }[]);
  const ids = records.flatMap(({ servicePost }) => (servicePost ? [servicePost.id] : []));
  return [...new Set(ids)].flatMap((id) => [
    readCase('getPost', { id }, 'a linked post'),
    readCase('listApprovals', { postId: id }, 'a linked post'),
    readCase('listInlineComments', { postId: id }, 'a linked post'),
  ]);
}

/** Changes that a sandbox answers with 200, in an order in which it does. */
export function changeCases(examples: Examples): ContractCase[] {
  const { ideas, engagements } = examples;
  const scheduled = examples.posts.Scheduled.slice(0, 2);
  const engagement = engagements[0]?.id ?? '';
  return [
    ...approvalCases(examples.posts.ForReview[0] ?? '', examples.users),
    ...scheduled.map((id) => changeCase('unschedulePost', id, 'a scheduled post')),
    ...ideas.map((id) => changeCase('archiveIdea', id, 'an idea')),
    changeCase('archiveIdea', ideas[0] ?? '', 'an idea that is in the trash already'),
    changeCase('deleteEngagement', engagement, 'an engagement'),
  ];
}

function analyticsCases({ id: profileId, name }: SandboxProfile): ContractCase[] {
  const days = { startDate: '2010-01-01', endDate: '2030-12-31' };
  return [
    readCase('listLinkedInAnalytics', { profileId }, `the last days of ${name}`),
    { ...readCase('listLinkedInAnalytics', { profileId }, `all days of ${name}`), query: days },
    {
      ...readCase('listLinkedInAnalytics', { profileId }, `a day before ${name} had a post`),
      query: { startDate: '2001-01-01', endDate: '2001-01-01' },
    },
  ];
}

function commentCases(postId: string): ContractCase[] {
  const channels = commentChannels.map((channel) => ({ channel }));
  const states = ['true', 'false'].map((resolved) => ({ resolved }));
  const both = channels.flatMap((channel) => states.map((state) => ({ ...channel, ...state })));
  return [{}, ...channels, ...states, ...both].map((query) => ({
    ...readCase('listInlineComments', { postId }, `comments by ${JSON.stringify(query)}`),
    query,
  }));
}

function approvalCases(postId: string, users: Examples['users']): ContractCase[] {
  const ids = users.map(({ id }) => id);
  const ask = (about: string, approvals: object[]): ContractCase => ({
    operation: 'createApprovals',
    about,
    status: 200,
    body: { postId, approvals },
  });
  const whole = { message: 'Is it right?', dueDate: '2026-02-01T09:00:00+01:00', isBlocking: true };
  return [
    ask(
      'people, with all that one can say',
      ids.map((userId) => ({ userId, ...whole })),
    ),
    ask(
      'people who were asked before, in few words',
      ids.map((userId) => ({ userId })),
    ),
    ask('nobody', []),
    readCase('listApprovals', { postId }, 'a post that approvals were asked for'),
  ];
}

function readCase(
  operation: ContractCase['operation'],
  parameters: Record<string, string>,
  about: string,
): ContractCase {
  return { operation, about, status: 200, parameters };
}

function changeCase(operation: ContractCase['operation'], id: string, about: string): ContractCase {
  return { operation, about, status: 200, parameters: { id } };
}
