import type { Register } from './context.ts';
import { parseUuid } from './option-values.ts';
import {
  callWorkspace,
  confirmCall,
  printAnswer,
  withCallOptions,
  withYesOption,
} from './workspace-call.ts';

export const registerEngagements: Register = (program, invoke) => {
  const engagements = program
    .command('engagements')
    .description('auto-engagements (likes, comments, reposts) of posts: delete one');
  withYesOption(
    withCallOptions(
      engagements
        .command('delete')
        .description('remove an auto-engagement from its post, for good')
        .argument('<id>', "the auto-engagement's id, a UUID", parseUuid),
    ),
  )
    .addHelpText(
      'after',
      `
Example:
  $ postledger engagements delete 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11 --yes`,
    )
    .action((id, options) =>
      invoke((context) =>
        callWorkspace(context, options, async (call) => {
          await confirmCall(call, options, {
            command: 'engagements delete',
            question: `Delete auto-engagement ${id}? It cannot be restored.`,
          });
          return printAnswer(
            call,
            options,
            () => call.client.deleteEngagement(id, context),
            () => `Auto-engagement ${id} was removed from its post.`,
          );
        }),
      ),
    );
};
