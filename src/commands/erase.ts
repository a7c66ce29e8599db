import { Option } from '@commander-js/extra-typings';
import { exitCodes, UsageError } from '../core/errors.ts';
import { plural, thousands } from '../core/wording.ts';
import { erase, finishErasures, isErased, planErasure, type Erased } from '../maintenance/erase.ts';
import type { ErasedFiles, Target } from '../store/erased-store.ts';
import { confirmChange } from './confirmation.ts';
import { printResult, type Register } from './context.ts';
import { waitOption } from './option-values.ts';

export const register: Register = (program, invoke) => {
  program
    .command('erase')
    .addOption(
      new Option(
        '--person <email|id...>',
        'a person, by ids or addresses that the API has',
      ).conflicts('profile'),
    )
    .option('--profile <workspace/id>', 'a profile with all of its posts')
    .option('--dry-run', 'show what would be erased without erasing it')
    .option('--yes', 'answer yes to the question')
    .addOption(waitOption())
    .option('--json', 'the counts as JSON')
    .addHelpText(
      'after',
      `
Takes a person out of approvals, comments and events, or a profile with its posts out of everything: raw
data, warehouse, outbox and the reports of jobs. The files of all reports are removed, since any of them
may name what is erased; the next runs render them again. Salted hashes stay in erased.json of the data
folder. With them, later loads erase again what an answer, an event or a backup brings back.

Without --person and --profile everything that was erased before is erased again, as after a backup was
restored. The text of posts is not searched for names.

Examples:
  $ postledger erase --person ada@acme.example --dry-run
  $ postledger erase --profile acme/6f1c0d5e-1c8b-4a57-9d7e-3f1f2f0b9a11 --yes
  $ postledger erase`,
    )
    .action((options) =>
      invoke(async (context) => {
        const target = targetOf(options);
        const config = await context.loadConfig({ mayBeErasing: options.dryRun !== true });
        const tools = { ...context, config };
        const waitMs = options.wait * 1000;
        const finished = options.dryRun ? null : await finishErasures(waitMs, tools);
        if (finished && (await isErased(target, config))) {
          printResult(context.output, options, finished, erasedText);
          return exitCodes.done;
        }
        const plan = await planErasure(target, tools);
        if (plan === null) {
          printResult(context.output, options, { removed: 0, rewritten: 0 }, () =>
            unknownText(target),
          );
          return exitCodes.done;
        }
        if (options.dryRun) {
          printResult(context.output, options, plan.files, dryRunText);
          return exitCodes.done;
        }
        const question = `Erase for good? ${filesWords(plan.files)}, and the files of all reports.`;
        const { dialogue, signal } = context;
        await confirmChange(question, {
          ...dialogue,
          signal,
          yes: options.yes === true,
          command: 'erase',
        });
        const erased = await erase(plan.record, waitMs, tools);
        printResult(context.output, options, erased, erasedText);
        return exitCodes.done;
      }),
    );
};

function targetOf({ person, profile }: { person?: string[]; profile?: string }): Target | null {
  if (person) return { kind: 'person', texts: person };
  if (profile === undefined) return null;
  const [, workspace, profileId] = /^([^/]+)\/([^/]+)$/.exec(profile) ?? [];
  if (workspace === undefined || profileId === undefined)
    throw new UsageError(`--profile ${profile}: give it as <workspace>/<profile id>`);
  return { kind: 'profile', workspace, profileId };
}

function unknownText(target: Target | null): string {
  return target?.kind === 'person'
    ? 'Nothing was erased: there is nothing of this person. If there should be, give an id or an address as the API has it.\n'
    : 'Nothing was erased: there is nothing of this profile. If there should be, give it as <workspace>/<profile id>.\n';
}

function filesWords({ removed, rewritten }: ErasedFiles): string {
  const noun = rewritten === 1 ? 'response or event' : 'responses and events';
  return `${plural(removed, 'response')} removed, ${thousands(rewritten)} ${noun} rewritten`;
}

function dryRunText(files: ErasedFiles): string {
  return `Would be erased: ${filesWords(files)}. Nothing was changed.\n`;
}

function erasedText({ reports, discarded, ...files }: Erased): string {
  const lines = [
    `Erased: ${filesWords(files)}, ${plural(reports, 'file')} of reports removed.`,
    'The next runs render the reports again.',
    ...discarded.map((id) => `Discarded, since it waited: ${id}; postledger deliver resend ${id}`),
  ];
  return `${lines.join('\n')}\n`;
}
