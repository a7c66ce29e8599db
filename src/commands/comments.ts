import { commentChannels } from '../api/schemas/vocabulary.ts';
import type { Register } from './context.ts';
import { parseUuid, parseWord, parseYesOrNo } from './option-values.ts';
import { inlineCommentsView } from './views/inline-comments-view.ts';
import { callWorkspace, printAnswer, withCallOptions } from './workspace-call.ts';

export const registerComments: Register = (program, invoke) => {
  const comments = program.command('comments').description('inline comments on a post: list them');
  withCallOptions(
    comments
      .command('list')
      .description("show the threads of comments on a post's text")
      .argument('<postId>', "the post's id, a UUID", parseUuid)
      .option('--channel <name>', `of one channel: ${commentChannels.join(', ')}`, parseChannel)
      .option('--resolved <true|false>', 'resolved ones, or open ones, alone', parseYesOrNo),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ postledger comments list 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11
  $ postledger comments list 6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11 --channel LinkedIn --resolved false`,
    )
    .action((postId, options) =>
      invoke((context) =>
        callWorkspace(context, options, (call) => {
          const { channel, resolved } = options;
          const filters = { channel, resolved };
          return printAnswer(
            call,
            options,
            () => call.client.listInlineComments(postId, filters, context),
            ({ inlineComments }, place) => inlineCommentsView(inlineComments, place, filters),
          );
        }),
      ),
    );
};

function parseChannel(text: string) {
  return parseWord(text, commentChannels);
}
