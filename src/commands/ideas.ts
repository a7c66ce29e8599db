import type { Register } from './context.ts';
import { parseUuid } from './option-values.ts';
import { localTime } from './view.ts';
import { changesWorkspace } from './workspace-call.ts';

export const registerIdeas: Register = (program, invoke) => {
  const archive = program
    .command('ideas')
    .command('archive')
    .description('put an idea into the trash, from which it is deleted after 30 days')
    .argument('<id>', "the idea's id, a UUID", parseUuid)
    .addHelpText(
      'after',
      `
Until then it can be restored in the workspace.

Example:
  $ postledger ideas archive 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11 --yes`,
    );
  changesWorkspace(archive, invoke, async (call, [id]) => {
    const question = `Put idea ${id} into the trash? It is deleted after 30 days.`;
    await call.confirm('ideas archive', question);
    return call.print(
      () => call.client.archiveIdea(id, call.context),
      ({ idea }, place) =>
        `Idea ${idea.id} has been in the trash since ${localTime(idea.archivedAt, place)}; it is deleted 30 days later.`,
    );
  });
};
