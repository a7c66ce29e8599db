import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { ClientWait, Reading } from '../api/call-runner.ts';
import type { WorkspaceClient } from '../api/client.ts';
import { OutcomeUnknownError } from '../api/api-error.ts';
import { UnexpectedBodyError } from '../api/transport-errors.ts';
import type { Config } from '../config/config.ts';
import { selectWorkspace } from '../config/select.ts';
import { errorMessage, exitCodes, type ExitCode } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { stripTerminalControls } from '../core/terminal-text.ts';
import { connectWorkspace } from '../pipeline/workspace-run.ts';
import { confirmChange, isTerminal } from './confirmation.ts';
import type { CommandContext, Output } from './context.ts';
import type { ViewPlace } from './views/view-place.ts';

/** What every operation of the API takes beside its own flags. */
export interface CallOptions {
  readonly workspace?: string | undefined;
  readonly json?: true | undefined;
}

/** Of an operation that changes something. */
export interface ChangeOptions extends CallOptions {
  readonly yes?: true | undefined;
}

export interface WorkspaceCall {
  readonly client: WorkspaceClient;
  readonly config: Config;
  readonly context: CommandContext;
}

export function withCallOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option(
      '--workspace <key>',
      'which of the workspaces of jobs.yaml; needed where it has several',
    )
    .option('--json', "the API's answer as it came");
}

/** For what changes something, besides. */
export function withYesOption<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command.option(
    '--yes',
    'do it without asking; needed where there is no terminal to ask on',
  );
}

/**
 * Does `work` with a client of the workspace that the options name, and closes it.
 * @throws UnsetSecretError before anything is asked, when the workspace's key is not there
 */
export async function callWorkspace<Result>(
  context: CommandContext,
  options: CallOptions,
  work: (call: WorkspaceCall) => Promise<Result>,
): Promise<Result> {
  const config = await context.loadConfig();
  const workspace = selectWorkspace(config, options.workspace);
  workspace.apiKey.reveal();
  const onWait = (wait: ClientWait | null) => tellWait(wait, context.log);
  const client = connectWorkspace(workspace, { config, ...context }, onWait);
  try {
    return await work({ client, config, context });
  } finally {
    await client.close();
  }
}

/**
 * Prints what the API answers: its body as it came for `--json`, in whatever form that is, else the view.
 * @throws OutcomeUnknownError also after printing the body, which then does not say that a change was made
 */
export async function printAnswer<Answer extends Reading>(
  { config, context }: WorkspaceCall,
  { json }: CallOptions,
  ask: () => Promise<Answer>,
  view: (answer: Answer, place: ViewPlace) => string,
): Promise<ExitCode> {
  const { output, log, clock } = context;
  const place = { ...output, timezone: config.timezone, locale: config.locale };
  try {
    const answer = await ask();
    if (json) writeBody(answer.body, output);
    else output.write(`${view(answer, { ...place, now: clock.now() })}\n`);
  } catch (error) {
    const odd = json ? oddBodyOf(error) : null;
    if (odd) writeBody(odd, output);
    // what was to be read has been; what was to be changed has an unknown outcome
    if (!odd || error instanceof OutcomeUnknownError) throw error;
    log.warn({}, errorMessage(error));
  }
  return exitCodes.done;
}

/** An answer of another form than documented, as it came. */
function oddBodyOf(error: unknown): Buffer | null {
  const cause = error instanceof OutcomeUnknownError ? error.cause : error;
  return cause instanceof UnexpectedBodyError ? cause.body : null;
}

/**
 * Returns when a change may be made.
 * @param readQuestion a question that takes requests to ask, for where there is somebody to answer it
 */
export async function confirmCall(
  { context: { dialogue, log, signal } }: WorkspaceCall,
  options: ChangeOptions,
  change: { command: string; question: string; readQuestion?: () => Promise<string> },
): Promise<void> {
  const yes = options.yes === true;
  const { command, readQuestion } = change;
  const question =
    readQuestion && !yes && isTerminal(dialogue)
      ? await readQuestion().catch(plainQuestionFor(change.question, log))
      : change.question;
  await confirmChange(question, { ...dialogue, yes, signal, command });
}

/** A post that is not as documented can be changed all the same. */
function plainQuestionFor(question: string, log: Log): (error: unknown) => string {
  return (error) => {
    if (!(error instanceof UnexpectedBodyError)) throw error;
    log.warn({}, error.message);
    return question;
  };
}

/** To a file or a pipe byte by byte; a terminal must not be steered by it. */
function writeBody(body: Buffer, output: Output): void {
  if (!output.isTerminal) output.write(body);
  else output.write(`${stripTerminalControls(body.toString('utf8')).trimEnd()}\n`);
}

const leastWaitMs = 1000;
const waitReasons: Readonly<Record<ClientWait['reason'], string>> = {
  'rate-limit': 'the rate limit',
  throttled: 'the service, whose rate limit is exceeded (429)',
  retry: 'another try',
};

function tellWait(wait: ClientWait | null, log: Log): void {
  if (wait === null || wait.ms < leastWaitMs) return;
  log.info({}, `waiting ${Math.ceil(wait.ms / 1000)} s for ${waitReasons[wait.reason]}`);
}
