import type { Command } from '@commander-js/extra-typings';
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
import { changesWorkspace, readsWorkspace } from './workspace-call.ts';

const sampleId = '6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11';
const sampleUser = '0e9b6c52-7f57-4f0a-9f43-0c1f5b6f2a10';

interface Described {
  /** The name of its argument, and what the id is of. */
  readonly argument: 'id' | 'postId';
  readonly noun: string;
  readonly description: string;
  /** What the help says above the examples. */
  readonly note?: string;
  readonly examples: readonly string[];
}

/** Adds a command on one thing, which is named by its UUID. */
function addCommand(group: Command, name: string, described: Described) {
  const { argument, noun, description, note, examples } = described;
  const shown = examples.map((example) => `  $ postledger ${group.name()} ${name} ${example}`);
  const head = examples.length === 1 ? 'Example:' : 'Examples:';
  return group
    .command(name)
    .description(description)
    .argument(`<${argument}>`, `the ${noun}'s id, a UUID`, parseUuid)
    .addHelpText('after', ['', ...(note ? [note, ''] : []), head, ...shown].join('\n'));
}

export const registerPosts: Register = (program, invoke) => {
  const posts = program.command('posts');
  const get = addCommand(posts, 'get', {
    argument: 'id',
    noun: 'post',
    description: 'show a post with its labels, contents and assets',
    examples: [sampleId, `${sampleId} --json | jq .post.status`],
  });
  readsWorkspace(get, invoke, ({ client, context, print }, [id]) =>
    print(
      () => client.getPost(id, context),
      ({ post }) => post,
    ),
  );
  const unschedule = addCommand(posts, 'unschedule', {
    argument: 'id',
    noun: 'post',
    description: 'take a scheduled post back to Finalized; it will not be published',
    note: `On a terminal it shows the post's title and asks. When the connection breaks, the post's status is read,
and --json prints that reading; nothing is sent twice.`,
    examples: [sampleId, `${sampleId} --yes --json`],
  });
  changesWorkspace(unschedule, invoke, async (call, [id]) => {
    const { client, config, context } = call;
    await call.confirm('posts unschedule', `Unschedule post ${id}?`, async () => {
      // the question names the post, so that a wrong id is noticed
      const { post } = await client.getPost(id, context);
      const { status, publishAt } = post;
      const timing = publishAt === null ? status : `${status}, for ${localTime(publishAt, config)}`;
      return `Unschedule post ${id}, ${quotedTitle(post)} (${timing})?`;
    });
    return call.print(
      async () => {
        const answer = await client.unschedulePost(id, context);
        if (answer.isReadBack) {
          const found = 'no answer proved it; the post was read again, and is Finalized';
          context.log.warn({ post: id }, found);
        }
        return answer;
      },
      ({ post }) => post ?? `Post ${id} is Finalized.`,
    );
  });
};

export const registerApprovals: Register = (program, invoke) => {
  const approvals = program.command('approvals');
  const list = addCommand(approvals, 'list', {
    argument: 'postId',
    noun: 'post',
    description: 'show who was asked to approve a post, and what they said',
    examples: [sampleId],
  });
  readsWorkspace(list, invoke, ({ client, context, print }, [postId]) =>
    print(
      () => client.listApprovals(postId, context),
      ({ approvals: found }) =>
        found.length === 0 ? 'Nobody was asked to approve this post.' : found,
    ),
  );
  const request = addCommand(approvals, 'request', {
    argument: 'postId',
    noun: 'post',
    description: 'ask people to approve a post; shows who was asked before',
    examples: [
      `${sampleId} \\\n      --user ${sampleUser} --message "Is the figure right?" --due 2026-12-01`,
      `${sampleId} \\\n      --user ${sampleUser} --blocking --yes --json`,
    ],
  })
    .requiredOption('--user <id>', 'whom to ask, a UUID; may be repeated', repeated(parseUuid))
    .option('--message <text>', 'what to tell them')
    .option(
      '--due <time>',
      'until when: a day (its end in the timezone of jobs.yaml) or an ISO 8601 time',
      parseDeadline,
    )
    .option('--blocking', 'the post must not be published without it');
  changesWorkspace(request, invoke, async (call, [postId], options) => {
    const { client, config, context } = call;
    const { clock, log } = context;
    const { message, due, blocking: isBlocking = false } = options;
    const users = [...new Set(options.user)];
    const dueDate = due && deadlineTime(due, config.timezone);
    if (dueDate !== undefined && new Date(dueDate) <= clock.now())
      log.warn({}, `the approval is due in the past: ${dueDate}`);
    const people = users.length === 1 ? '1 person' : `${users.length} people`;
    const asking = `Ask ${people} to approve post ${postId}`;
    await call.confirm('approvals request', `${asking}?`, async () => {
      const { post } = await client.getPost(postId, context);
      const by = dueDate === undefined ? '' : `, by ${localTime(dueDate, config)}`;
      const before = isBlocking ? ', before it can be published' : '';
      return `${asking}, ${quotedTitle(post)}${by}${before}?`;
    });
    // a message and a due date that are not given are left to the API
    const requests = users.map((userId) => ({
      userId,
      isBlocking,
      ...(message !== undefined && { message }),
      ...(dueDate !== undefined && { dueDate }),
    }));
    return call.print(
      () => client.createApprovals(postId, requests, context),
      ({ createdApprovals, existingApprovals }) => ({ createdApprovals, existingApprovals }),
    );
  });
};

export const registerIdeas: Register = (program, invoke) => {
  const archive = addCommand(program.command('ideas'), 'archive', {
    argument: 'id',
    noun: 'idea',
    description: 'put an idea into the trash, from which it is deleted after 30 days',
    note: 'Until then it can be restored in the workspace.',
    examples: [`${sampleId} --yes`],
  });
  changesWorkspace(archive, invoke, async (call, [id]) => {
    const question = `Put idea ${id} into the trash? It is deleted after 30 days.`;
    await call.confirm('ideas archive', question);
    return call.print(
      () => call.client.archiveIdea(id, call.context),
      ({ idea }) =>
        `Idea ${idea.id} has been in the trash since ${localTime(idea.archivedAt, call.config)}; it is deleted 30 days later.`,
    );
  });
};

export const registerEngagements: Register = (program, invoke) => {
  const remove = addCommand(program.command('engagements'), 'delete', {
    argument: 'id',
    noun: 'auto-engagement',
    description: 'remove an auto-engagement from its post, for good',
    examples: [`${sampleId} --yes`],
  });
  changesWorkspace(remove, invoke, async (call, [id]) => {
    const question = `Delete auto-engagement ${id}? It cannot be restored.`;
    await call.confirm('engagements delete', question);
    return call.print(
      () => call.client.deleteEngagement(id, call.context),
      () => `Auto-engagement ${id} was removed from its post.`,
    );
  });
};

export const registerComments: Register = (program, invoke) => {
  const list = addCommand(program.command('comments'), 'list', {
    argument: 'postId',
    noun: 'post',
    description: "show the threads of comments on a post's text",
    examples: [sampleId, `${sampleId} --channel LinkedIn --resolved false`],
  })
    .option(
      '--channel <name>',
      `of one channel: ${commentChannels.join(', ')}`,
      oneOf(commentChannels),
    )
    .option('--resolved <true|false>', 'resolved ones, or open ones, alone', parseYesOrNo);
  readsWorkspace(list, invoke, ({ client, context, print }, [postId], { channel, resolved }) =>
    print(
      () => client.listInlineComments(postId, { channel, resolved }, context),
      ({ inlineComments: threads }) =>
        threads.length === 0 ? 'No inline comments were found on this post.' : threads,
    ),
  );
};
