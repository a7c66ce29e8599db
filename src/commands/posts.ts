import type { Command } from '@commander-js/extra-typings';
import type { Invoke, Register } from './context.ts';
import { parseUuid } from './option-values.ts';
import { postView } from './post-view.ts';
import { localTime, quotedTitle } from './view.ts';
import { changesWorkspace, readsWorkspace } from './workspace-call.ts';

export const registerPosts: Register = (program, invoke) => {
  const posts = program.command('posts');
  addGet(posts, invoke);
  addUnschedule(posts, invoke);
};

function addGet(posts: Command, invoke: Invoke): void {
  const get = posts
    .command('get')
    .description('show a post with its labels, contents and assets')
    .argument('<id>', "the post's id, a UUID", parseUuid)
    .addHelpText(
      'after',
      `
Examples:
  $ postledger posts get 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11
  $ postledger posts get 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11 --json | jq .post.status`,
    );
  readsWorkspace(get, invoke, (call, [id]) =>
    call.print(
      () => call.client.getPost(id, call.context),
      ({ post }, place) => postView(post, place),
    ),
  );
}

function addUnschedule(posts: Command, invoke: Invoke): void {
  const unschedule = posts
    .command('unschedule')
    .description('take a scheduled post back to Finalized; it will not be published')
    .argument('<id>', "the post's id, a UUID", parseUuid)
    .addHelpText(
      'after',
      `
On a terminal it shows the post's title and asks. When the connection breaks, the post's status is read
to see what became of it, and --json prints that reading; nothing is sent twice.

Examples:
  $ postledger posts unschedule 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11
  $ postledger posts unschedule 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11 --yes --json`,
    );
  changesWorkspace(unschedule, invoke, async (call, [id]) => {
    const { client, config, context } = call;
    await call.confirm('posts unschedule', `Unschedule post ${id}?`, async () => {
      // names the post: a wrong id shows here
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
      ({ post }, place) => (post ? postView(post, place) : `Post ${id} is Finalized.`),
    );
  });
}
