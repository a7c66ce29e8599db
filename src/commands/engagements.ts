import type { Register } from './context.ts';
import { parseUuid } from './option-values.ts';
import { changesWorkspace } from './workspace-call.ts';

export const registerEngagements: Register = (program, invoke) => {
  const remove = program
    .command('engagements')
    .command('delete')
    .description('remove an auto-engagement from its post, for good')
    .argument('<id>', "the auto-engagement's id, a UUID", parseUuid)
    .addHelpText(
      'after',
      `
Example:
  $ postledger engagements delete 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11 --yes`,
    );
  changesWorkspace(remove, invoke, async (call, [id]) => {
    const question = `Delete auto-engagement ${id}? It cannot be restored.`;
    await call.confirm('engagements delete', question);
    return call.print(
      () => call.client.deleteEngagement(id, call.context),
      () => `Auto-engagement ${id} was removed from its post.`,
    );
  });
};
