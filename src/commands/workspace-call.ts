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
import { resourceLines } from './resource-view.ts';

interface CallOptions {
  readonly workspace?: string | undefined;
  readonly json?: true | undefined;
  /** The answer to the question of an operation that changes something. */
  readonly yes?: true | undefined;
}

type Work<Args extends unknown[], Options> = (
  call: WorkspaceCall,
  args: Args,
  options: Options,
) => Promise<ExitCode>;

/** Makes a command do `work` with a client of the workspace that `--workspace` names. */
export function readsWorkspace<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
  invoke: Invoke,
  work: Work<Args, Options>,
): void {
  command
    .option(
      '--workspace <key>',
      'which of the workspaces of jobs.yaml; needed where it has several',
    )
    .option('--json', "the API's answer as it came")
    .action(() =>
      invoke((context) => {
        const options = command.opts();
        return withClient(context, options, (call) => work(call, command.processedArgs, options));
      }),
    );
}

/** Does the same as {@link readsWorkspace}, for work that changes something and asks first. */
export function changesWorkspace<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
  invoke: Invoke,
  work: Work<Args, Options>,
): void {
  readsWorkspace(command, invoke, work);
  command.option('--yes', 'do it without asking; needed where there is no terminal to ask on');
}

/** @throws UnsetSecretError before anything is asked, when the workspace's key is not set */
async function withClient(
  context: CommandContext,
  options: CallOptions,
  work: (call: WorkspaceCall) => Promise<ExitCode>,
): Promise<ExitCode> {
  const config = await context.loadConfig();
  const workspace = selectWorkspace(config, options.workspace);
  workspace.apiKey.reveal();
  const { dataDir } = config;
  const onWait = (wait: ClientWait | null) => logWait(wait, context);
  const client = new WorkspaceClient({ workspace, dataDir, ...context, onWait });
  try {
    return await work(new WorkspaceCall(client, config, context, options));
  } finally {
    await client.close();
  }
}

/** One operation on a workspace. */
class WorkspaceCall {
  readonly client: WorkspaceClient;
  readonly config: Config;
  readonly context: CommandContext;
  readonly #options: CallOptions;

  constructor(
    client: WorkspaceClient,
    config: Config,
    context: CommandContext,
    options: CallOptions,
  ) {
    this.client = client;
    this.config = config;
    this.context = context;
    this.#options = options;
  }

  /**
   * Returns when a change may be made.
   * @param command as the user typed it, for example `posts unschedule`
   * @param readQuestion a better question that takes requests to ask, where a person can answer it
   */
  async confirm(
    command: string,
    question: string,
    readQuestion: () => Promise<string> = () => Promise.resolve(question),
  ): Promise<void> {
    const { dialogue, signal, log } = this.context;
    const yes = this.#options.yes === true;
    const isAsked = !yes && isTerminal(dialogue);
    const asked = !isAsked
      ? question
      : await readQuestion().catch((error: unknown) => {
          // a post of another form than documented can be changed all the same
          if (unexpectedBody(error) === null) throw error;
          log.warn({}, errorMessage(error));
          return question;
        });
    await confirmChange(asked, { ...dialogue, yes, signal, command });
  }

  /**
   * Prints what the API answers: its body as it came for `--json`, in whatever form that is, else what of it people read.
   * @throws ApiError of a change also after printing the body, which then does not say that a change was made
   */
  readonly print = async <Answer extends Reading>(
    ask: () => Promise<Answer>,
    shown: (answer: Answer) => string | object,
  ): Promise<ExitCode> => {
    const { output, log, clock } = this.context;
    const { timezone, locale } = this.config;
    const { json } = this.#options;
    try {
      const answer = await ask();
      if (json) writeBody(answer.body, output);
      else {
        const place = { ...output, timezone, locale, now: clock.now() };
        output.write(`${resourceLines(shown(answer), place).join('\n')}\n`);
      }
    } catch (error) {
      const body = json ? unexpectedBody(error) : null;
      if (body) writeBody(body, output);
      // a read has given its body; a change has an unknown outcome
      if (!body || (error instanceof ApiError && error.isOutcomeUnknown)) throw error;
      log.warn({}, errorMessage(error));
    }
    return exitCodes.done;
  };
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
