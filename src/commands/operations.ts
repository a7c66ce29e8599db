import { commentChannels } from '../api/schemas/vocabulary.ts';
import type { Register } from './context.ts';
import {
  deadlineTime,
  oneOf,
  parseDeadline,
  parseUuid,
  parseYesOrNo,
  repeated,
} from './option-values.ts';
import { localTime, quotedTitle } from './view.ts';
import { operation } from './workspace-call.ts';

const sampleId = '6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11';
const sampleUser = '0e9b6c52-7f57-4f0a-9f43-0c1f5b6f2a10';

const getPost = operation({
  name: 'get',
  noun: 'post',
  description: 'show a post with its labels, contents and assets',
  examples: [sampleId, `${sampleId} --json | jq .post.status`],
  send: ({ client, context, id }) => client.getPost(id, context),
  shown: ({ post }) => post,
});

const unschedulePost = operation({
  name: 'unschedule',
  noun: 'post',
  description: 'take a scheduled post back to Finalized; it will not be published',
  note: `On a terminal it shows the post's title and asks. Nothing is sent twice.`,
  examples: [sampleId, `${sampleId} --yes --json`],
  question: ({ id }) => `Unschedule post ${id}?`,
  // the question names the post, so that a wrong id is noticed
  readQuestion: async ({ client, config, context, id }) => {
    const { post } = await client.getPost(id, context);
    const { status, publishAt } = post;
    const timing = publishAt === null ? status : `${status}, for ${localTime(publishAt, config)}`;
    return `Unschedule post ${id}, ${quotedTitle(post)} (${timing})?`;
  },
  send: ({ client, context, id }) => client.unschedulePost(id, context),
  shown: ({ post }) => post,
});

const listApprovals = operation({
  name: 'list',
  noun: 'post',
  description: 'show who was asked to approve a post, and what they said',
  examples: [sampleId],
  send: ({ client, context, id }) => client.listApprovals(id, context),
  shown: ({ approvals }) =>
    approvals.length === 0 ? 'Nobody was asked to approve this post.' : approvals,
});

interface ApprovalOptions {
  readonly user: string[];
  readonly due?: Parameters<typeof deadlineTime>[0] | undefined;
}

function describeRequest({ user }: ApprovalOptions, id: string): string {
  const { size } = new Set(user);
  return `Ask ${size === 1 ? '1 person' : `${size} people`} to approve post ${id}`;
}

/** The end of a day, in the zone of jobs.yaml. */
function dueDate({ due }: ApprovalOptions, { timezone }: { readonly timezone: string }) {
  return due && deadlineTime(due, timezone);
}

const requestApprovals = operation({
  name: 'request',
  noun: 'post',
  description: 'ask people to approve a post; shows who was asked before',
  examples: [
    `${sampleId} \\\n      --user ${sampleUser} --message "Is the figure right?" --due 2026-12-01`,
    `${sampleId} \\\n      --user ${sampleUser} --blocking --yes --json`,
  ],
  addOptions: (command) =>
    command
      .requiredOption('--user <id>', 'whom to ask, a UUID; may be repeated', repeated(parseUuid))
      .option('--message <text>', 'what to tell them')
      .option(
        '--due <time>',
        'until when: a day (its end in the timezone of jobs.yaml) or an ISO 8601 time',
        parseDeadline,
      )
      .option('--blocking', 'the post must not be published without it'),
  question: ({ config, context, id, options }) => {
    const due = dueDate(options, config);
    if (due !== undefined && new Date(due) <= context.clock.now())
      context.log.warn({}, `the approval is due in the past: ${due}`);
    return `${describeRequest(options, id)}?`;
  },
  readQuestion: async ({ client, config, context, id, options }) => {
    const { post } = await client.getPost(id, context);
    const due = dueDate(options, config);
    const by = due === undefined ? '' : `, by ${localTime(due, config)}`;
    const before = options.blocking ? ', before it can be published' : '';
    return `${describeRequest(options, id)}, ${quotedTitle(post)}${by}${before}?`;
  },
  send: ({ client, config, context, id, options }) => {
    const { user, message, blocking: isBlocking = false } = options;
    const due = dueDate(options, config);
    // a message and a due date that are not given are left to the API
    const requests = [...new Set(user)].map((userId) => ({
      userId,
      isBlocking,
      ...(message !== undefined && { message }),
      ...(due !== undefined && { dueDate: due }),
    }));
    return client.createApprovals(id, requests, context);
  },
  shown: ({ createdApprovals, existingApprovals }) => ({ createdApprovals, existingApprovals }),
});

const archiveIdea = operation({
  name: 'archive',
  noun: 'idea',
  description: 'put an idea into the trash, from which it is deleted after 30 days',
  note: 'Until then it can be restored in the workspace.',
  examples: [`${sampleId} --yes`],
  question: ({ id }) => `Put idea ${id} into the trash? It is deleted after 30 days.`,
  send: ({ client, context, id }) => client.archiveIdea(id, context),
  shown: ({ idea }, { config }) =>
    `Idea ${idea.id} has been in the trash since ${localTime(idea.archivedAt, config)}; it is deleted 30 days later.`,
});

const deleteEngagement = operation({
  name: 'delete',
  noun: 'auto-engagement',
  description: 'remove an auto-engagement from its post, for good',
  examples: [`${sampleId} --yes`],
  question: ({ id }) => `Delete auto-engagement ${id}? It cannot be restored.`,
  send: ({ client, context, id }) => client.deleteEngagement(id, context),
  shown: (_, { id }) => `Auto-engagement ${id} was removed from its post.`,
});

const listComments = operation({
  name: 'list',
  noun: 'post',
  description: "show the threads of comments on a post's text",
  examples: [sampleId, `${sampleId} --channel LinkedIn --resolved false`],
  addOptions: (command) =>
    command
      .option(
        '--channel <name>',
        `of one channel: ${commentChannels.join(', ')}`,
        oneOf(commentChannels),
      )
      .option('--resolved <true|false>', 'resolved ones, or open ones, alone', parseYesOrNo),
  send: ({ client, context, id, options: { channel, resolved } }) =>
    client.listInlineComments(id, { channel, resolved }, context),
  shown: ({ inlineComments: threads }) =>
    threads.length === 0 ? 'No inline comments were found on this post.' : threads,
});

function groupOf(name: string, operations: readonly Register[]): { readonly register: Register } {
  return {
    register: (program, invoke) => {
      const group = program.command(name);
      for (const add of operations) add(group, invoke);
    },
  };
}

export const posts = groupOf('posts', [getPost, unschedulePost]);
export const approvals = groupOf('approvals', [listApprovals, requestApprovals]);
export const ideas = groupOf('ideas', [archiveIdea]);
export const engagements = groupOf('engagements', [deleteEngagement]);
export const comments = groupOf('comments', [listComments]);
