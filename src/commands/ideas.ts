import type { Register } from './context.ts';
import { parseUuid } from './option-values.ts';
import { localTime } from './views/local-time.ts';
import {
  callWorkspace,
  confirmCall,
  printAnswer,
  withCallOptions,
  withYesOption,
} from './workspace-call.ts';

export const registerIdeas: Register = (program, invoke) => {
  const ideas = program.command('ideas').description('ideas of a workspace: archive one');
  withYesOption(
    withCallOptions(
      ideas
        .command('archive')
        .description('put an idea into the trash, from which it is deleted after 30 days')
        .argument('<id>', "the idea's id, a UUID", parseUuid),
    ),
  )
    .addHelpText(
      'after',
      `
Until then it can be restored in the workspace.

Example:
  $ postledger ideas archive 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11 --yes`,
    )
    .action((id, options) =>
      invoke((context) =>
        callWorkspace(context, options, async (call) => {
          await confirmCall(call, options, {
            command: 'ideas archive',
            question: `Put idea ${id} into the trash? It is deleted after 30 days.`,
          });
          return printAnswer(
            call,
            options,
            () => call.client.archiveIdea(id, context),
            ({ idea }, place) =>
              `Idea ${idea.id} has been in the trash since ${localTime(idea.archivedAt, place)}; it is deleted 30 days later.`,
          );
        }),
      ),
    );
};
