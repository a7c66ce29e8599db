import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { ClientWait, Reading } from '../api/call-runner.ts';
import { WorkspaceClient } from '../api/client.ts';
import { ApiError } from '../api/api-error.ts';
import type { Config } from '../config/config.ts';
import { selectWorkspace } from '../config/select.ts';
import { errorMessage, exitCodes, type ExitCode } from '../core/errors.ts';
import { stripTerminalControls } from '../core/terminal-text.ts';
import { confirmChange, isTerminal } from './confirmation.ts';
import type { CommandContext, Invoke, Output } from './context.ts';
import { parseUuid } from './option-values.ts';
import { resourceLines } from './resource-view.ts';

/** A call of one operation, with a client of the workspace that `--workspace` names. */
interface Call<Options> {
  readonly client: WorkspaceClient;
  readonly config: Config;
  readonly context: CommandContext;
  /** The id of the thing that the operation reads or changes. */
  readonly id: string;
  readonly options: Options;
}

/** An operation of the API on one thing, as a command. */
interface Operation<Options extends OptionValues, Answer extends Reading> {
  readonly name: string;
  /** The thing that the id names, in words. */
  readonly noun: string;
  readonly description: string;
  /** What the help says above the examples. */
  readonly note?: string;
  readonly examples: readonly string[];
  readonly addOptions?: (command: Command<[string]>) => Command<[string], Options>;
  /** What an operation that changes something asks first. */
  readonly question?: (call: Call<Options>) => string;
  /** A better question that takes requests to ask, where a person can answer it. */
  readonly readQuestion?: (call: Call<Options>) => Promise<string>;
  readonly send: (call: Call<Options>) => Promise<Answer>;
  /** What people read of the answer. */
  readonly shown: (answer: Answer, call: Call<Options>) => string | object;
}

/** Returns what adds the operation's command to its group. */
export function operation<Options extends OptionValues, Answer extends Reading>(
  described: Operation<Options, Answer>,
) {
  return (group: Command, invoke: Invoke): void => {
    const { name, noun, description, note, examples, addOptions, question } = described;
    const argument = noun === 'post' && group.name() !== 'posts' ? 'postId' : 'id';
    const shown = examples.map((example) => `  $ postledger ${group.name()} ${name} ${example}`);
    const head = examples.length === 1 ? 'Example:' : 'Examples:';
    const own: Command<[string]> = group
      .command(name)
      .description(description)
      .argument(`<${argument}>`, `the ${noun}'s id, a UUID`, parseUuid)
      .addHelpText('after', ['', ...(note ? [note, ''] : []), head, ...shown].join('\n'));
    const command = (addOptions?.(own) ?? own)
      .option(
        '--workspace <key>',
        'which of the workspaces of jobs.yaml; needed where it has several',
      )
      .option('--json', "the API's answer as it came");
    if (question)
      command.option('--yes', 'do it without asking; needed where there is no terminal to ask on');
    command.action((id) =>
      invoke((context) =>
        perform(
          { ...described, name: `${group.name()} ${name}` },
          id,
          command.opts() as Options & CallOptions,
          context,
        ),
      ),
    );
  };
}

interface CallOptions {
  readonly workspace?: string | undefined;
  readonly json?: true | undefined;
  /** The answer to the question of an operation that changes something. */
  readonly yes?: true | undefined;
}

/** @throws UnsetSecretError before anything is asked, when the workspace's key is not set */
async function perform<Options extends OptionValues, Answer extends Reading>(
  described: Operation<Options, Answer>,
  id: string,
  options: Options & CallOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const config = await context.loadConfig();
  const workspace = selectWorkspace(config, options.workspace);
  workspace.apiKey.reveal();
  const { dataDir } = config;
  const onWait = (wait: ClientWait | null) => logWait(wait, context);
  const client = new WorkspaceClient({ workspace, dataDir, ...context, onWait });
  try {
    const call = { client, config, context, id, options };
    await confirm(described, call);
    await print(described, call);
    return exitCodes.done;
  } finally {
    await client.close();
  }
}

/** Returns when a change may be made. */
async function confirm<Options extends OptionValues & CallOptions, Answer extends Reading>(
  { name, question, readQuestion }: Operation<Options, Answer>,
  call: Call<Options>,
): Promise<void> {
  if (!question) return;
  const { dialogue, signal, log } = call.context;
  const yes = call.options.yes === true;
  const readAsked = async () => {
    try {
      return await readQuestion?.(call);
    } catch (error) {
      // a post of another form than documented can be changed all the same
      if (unexpectedBody(error) === null) throw error;
      log.warn({}, errorMessage(error));
      return undefined;
    }
  };
  const plain = question(call);
  const isAsked = !yes && isTerminal(dialogue);
  const asked = (isAsked ? await readAsked() : undefined) ?? plain;
  await confirmChange(asked, { ...dialogue, yes, signal, command: name });
}

/**
 * Prints what the API answers: its body as it came for `--json`, in whatever form that is, else what of it people read.
 * @throws ApiError of a change also after printing the body, which then does not say that a change was made
 */
async function print<Options extends OptionValues & CallOptions, Answer extends Reading>(
  { send, shown }: Operation<Options, Answer>,
  call: Call<Options>,
): Promise<void> {
  const { output, log } = call.context;
  const { json } = call.options;
  try {
    const answer = await send(call);
    if (json) writeBody(answer.body, output);
    else {
      const terminal = { ...output, timezone: call.config.timezone };
      output.write(`${resourceLines(shown(answer, call), terminal).join('\n')}\n`);
    }
  } catch (error) {
    const body = json ? unexpectedBody(error) : null;
    if (body) writeBody(body, output);
    // a read has given its body; a change has an unknown outcome
    if (!body || (error instanceof ApiError && error.isOutcomeUnknown)) throw error;
    log.warn({}, errorMessage(error));
  }
}
/** The body of an answer of another form than documented. */
function unexpectedBody(error: unknown): Buffer | null {
  return error instanceof ApiError ? error.unexpectedBody() : null;
}

/** Writes the body byte by byte to a file or a pipe; on a terminal, control characters are removed. */
function writeBody(body: Buffer, output: Output): void {
  if (!output.isTerminal) output.write(body);
  else output.write(`${stripTerminalControls(body.toString('utf8')).trimEnd()}\n`);
}

const waitReasons: Readonly<Record<ClientWait['reason'], string>> = {
  'rate-limit': 'the rate limit',
  throttled: 'the service, whose rate limit is exceeded (429)',
  retry: 'another try',
};

function logWait(wait: ClientWait | null, { log }: CommandContext): void {
  if (wait === null || wait.ms < 1000) return;
  log.info({}, `waiting ${Math.ceil(wait.ms / 1000)} s for ${waitReasons[wait.reason]}`);
}
