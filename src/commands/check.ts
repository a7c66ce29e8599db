import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ApiError } from '../api/api-error.ts';
import { WorkspaceClient } from '../api/client.ts';
import { UnsetSecretError } from '../config/secret.ts';
import { addressIn } from '../config/value-kinds.ts';
import { requireApiKeys } from '../config/select.ts';
import { definedDeliveries } from '../config/defined-deliveries.ts';
import type { Config, ProfileConfig, WorkspaceConfig } from '../config/config.ts';
import { dayOf } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { nearestFolder, resolveLinks } from '../core/destination.ts';
import {
  exitCodes,
  isSystemError,
  PostledgerError,
  UsageError,
  type ExitCode,
} from '../core/errors.ts';
import { acquireLock } from '../core/lock.ts';
import { problemText } from '../core/machine-problem.ts';
import { stripTerminalControls } from '../core/terminal-text.ts';
import { secretProblems } from '../webhooks/authentication.ts';
import { addressOf } from '../deliver/mail-message.ts';
import { defaultLimits } from '../warehouse/limits.ts';
import { refuseInternal } from './internal-reports.ts';
import { refuseBodies } from '../pipeline/markdown-file.ts';
import { checkAlerts } from '../pipeline/metric-alerts.ts';
import { readLogo } from '../output/report-files.ts';
import { checkDefinitions } from '../output/report-output.ts';
import { findBrowser, hasEmojiFont, PdfError } from '../render/pdf.ts';
import { isLegible } from '../render/html/colors.ts';
import { builtInReports, findReports, userReports } from '../report/report-catalog.ts';
import { reportConfigOf } from '../report/report-parameters.ts';
import { resolvePeriod } from '../report/period.ts';
import { nextRunAt } from '../schedule/cron-expression.ts';
import { profileDoubts } from '../status/profile-doubts.ts';
import type { CommandContext, Register } from './context.ts';
import { checkSentence, refuseFaults } from './report-check.ts';
import { plural } from '../core/wording.ts';

export const register: Register = (program, invoke) => {
  program
    .command('check')
    .option('--online', 'spend one request per profile to try its key and id')
    .option('--no-secrets', 'without API keys and tokens, as in CI: they may be unset')
    .option('--reports', 'the built-in reports as well as your own')
    .addHelpText(
      'after',
      `
Examples:
  $ postledger check
  $ postledger check --no-secrets
  $ postledger check --online --config /etc/postledger/jobs.yaml`,
    )
    .action((options) =>
      invoke(async (context) => {
        if (options.online && !options.secrets) {
          throw new UsageError('--online needs the API keys that --no-secrets does without');
        }
        const config = await context.loadConfig({ mayBeErasing: true });
        await checkConfig(config, options, context);
        return options.online ? tryAll(config, context) : exitCodes.done;
      }),
    );
};

/**
 * Prints what is right and logs what is doubtful.
 * @param secrets false where they may be unset
 * @param reports true to check the built-in reports as well as those beside the config
 * @throws UnsetSecretError, UsageError, LogoError, ConfigError, ReportDefinitionError
 */
async function checkConfig(
  config: Config,
  {
    secrets,
    reports = false,
  }: { readonly secrets: boolean; readonly reports?: boolean | undefined },
  context: CommandContext,
): Promise<void> {
  if (secrets) requireApiKeys(config);
  if (secrets) checkReceiver(config, context);
  for (const { brand } of [config, ...config.clients.values()]) await readLogo(brand?.logo ?? null);
  await refuseBodies(config);
  await refuseInternal(config);
  const known = await findReports([builtInReports, userReports(config.folder)]);
  await checkDisks(config, context);
  context.output.write(`${describeConfig(config)}\n`);
  const { clock, signal } = context;
  const doubts = [
    ...(secrets ? unsetSecrets(config) : []),
    ...placeholders(config),
    ...internationalAddresses(config),
    ...(await browserDoubts(config)),
    ...illegibleColors(config),
    ...earlySchedules(config, clock),
    ...(await profileDoubts(config, clock)),
  ];
  for (const doubt of doubts) context.log.warn({}, doubt);
  const tools = { clock, signal, limits: defaultLimits };
  // the program's own tests check the built-in ones
  const checked = [...known.values()].filter(
    ({ folder }) => reports || dirname(folder) !== builtInReports,
  );
  const alerts = await checkAlerts({ config, clock, signal });
  const check =
    checked.length === 0
      ? []
      : await checkDefinitions(reportConfigOf(config, null, clock.now()), checked, tools);
  refuseFaults([...check, alerts]);
  if (check.length > 0) context.output.write(`${stripTerminalControls(checkSentence(check))}\n`);
  if (alerts.count === 0) return;
  context.output.write(`${plural(alerts.count, 'alert')}: valid.\n`);
  if (!config.notify.some(({ when }) => when.includes('alert')))
    context.log.warn({}, 'no rule of notify has alert in its when, so alerts are never run');
}

/**
 * Tries the disks of data_dir and the warehouse. On a machine that only checks, nothing may be writable there.
 * @throws UsageError for a disk that has no hard links, or is not mounted
 */
async function checkDisks(
  { dataDir, warehouse }: Config,
  { clock, log }: Pick<CommandContext, 'clock' | 'log'>,
): Promise<void> {
  for (const path of [dataDir, ...(typeof warehouse === 'string' ? [dirname(warehouse)] : [])]) {
    try {
      const trial = join(nearestFolder(await resolveLinks(path)), `.${randomUUID()}.lock`);
      await (await acquireLock(trial, { purpose: 'trying the disk', waitMs: 0, clock })).release();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      if (existsSync(path)) log.warn({}, problemText(error));
    }
  }
}

/**
 * Unset secrets are no mistake of the file, since the receiver may have an environment of its own.
 * @throws UsageError for secrets that cannot be used
 */
function checkReceiver({ webhooks }: Config, { log }: Pick<CommandContext, 'log'>): void {
  const problems = webhooks ? secretProblems(webhooks) : [];
  const isUnset = (problem: Error) => problem instanceof UnsetSecretError;
  for (const { message } of problems.filter(isUnset))
    log.warn({}, `${message}; as it is now, webhooks serve refuses to start`);
  const invalid = problems.filter((problem) => !isUnset(problem));
  if (invalid.length > 0) throw new UsageError(invalid.map(({ message }) => message).join('\n  '));
}

/** Jobs run without them: reports wait, and no notification is sent. */
function unsetSecrets({ mail, s3, notify, jobs }: Config): string[] {
  const login = mail?.login;
  const secrets = [
    ...(login ? ['password' in login ? login.password : login.clientSecret] : []),
    ...(s3 ? [s3.accessKeyId, s3.secretAccessKey] : []),
    ...notify.flatMap(({ to }) => ('post' in to ? [to.post] : [])),
    ...[...jobs.values()].flatMap(({ ping }) => ping ?? []),
  ];
  return secrets
    .filter(({ isSet }) => !isSet)
    .map(
      ({ place, variable }) =>
        `${place}: ${variable} is not set; as it is now, nothing is sent there`,
    );
}

/** Nobody owns the host that `init` writes (RFC 2606). */
function placeholders({ workspaces }: Config): string[] {
  return [...workspaces.values()]
    .filter(({ baseUrl }) => /(^|\.)example(\.(com|net|org))?$/.test(new URL(baseUrl).hostname))
    .map(
      ({ key, baseUrl }) =>
        `workspaces.${key}.base_url: ${baseUrl} is the placeholder that init writes; put the address of your workspace's API there`,
    );
}

/** Domains have a form in ASCII, names of mailboxes have none. */
function internationalAddresses({ mail, notify, jobs }: Config): string[] {
  const targets = [...jobs.values()].flatMap(definedDeliveries).map(({ target }) => target);
  const addresses = [
    ...(mail ? [addressOf(mail.from)] : []),
    ...notify.flatMap(({ to }) => ('mail' in to ? to.mail : [])),
    ...targets.flatMap((target) => (target.kind === 'mail' ? target.to.map(addressIn) : [])),
  ];
  return [...new Set(addresses)]
    .filter((address) => /[^ -~].*@/.test(address))
    .map(
      (address) => `${address} is not ASCII before the @, so the mail server must know SMTPUTF8`,
    );
}

/** Text and lines in such a colour could not be read. */
function illegibleColors({ brand, clients }: Config): string[] {
  const colors = [brand, ...[...clients.values()].map((client) => client.brand)].flatMap(
    (each) => each?.color ?? [],
  );
  return [...new Set(colors)]
    .filter((color) => !isLegible(color))
    .map(
      (color) =>
        `brand.color ${color} cannot be read on white, so charts and links keep their blue there; name a darker one`,
    );
}

/** The machine that runs the jobs may be another one. */
async function browserDoubts({ jobs, pdf }: Config): Promise<string[]> {
  const reports = [...jobs.values()].flatMap((job) => job.reports);
  if (!reports.some(({ formats }) => formats.includes('pdf'))) return [];
  const root = 'this is root, for whom Chromium has no sandbox; print PDFs as another user';
  const emoji =
    "no font on this machine has emoji, which PDFs then show as boxes; install Debian's package fonts-noto-color-emoji";
  try {
    await findBrowser(pdf.browser);
    return [
      ...(process.getuid?.() === 0 ? [root] : []),
      ...((await hasEmojiFont()) ? [] : [emoji]),
    ];
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    return [`${error.message}; as it is now, reports come without their PDF`];
  }
}

/** A client's period that is not over at the scheduled time is sent by a later run. */
function earlySchedules({ jobs, timezone }: Config, clock: Clock): string[] {
  return [...jobs.values()].flatMap(({ name, schedule, reports }) => {
    const at = schedule && nextRunAt(schedule, timezone, clock.now());
    if (!at) return [];
    const early = reports.flatMap(({ client, period }) => {
      const { to, isOver } = resolvePeriod(period, at, timezone);
      const isEarly = client && to !== null && isOver && dayOf(at, client.timezone) <= to;
      return isEarly ? [`${client.key} (${client.timezone})`] : [];
    });
    if (early.length === 0) return [];
    const clients = [...new Set(early)].join(', ');
    return `jobs.${name}.schedule: at its next time the last day of the period is not over for ${clients}; the report is held until it is, and sent by catch-up; schedule the job later to send it at once`;
  });
}

function describeConfig(config: Config): string {
  const workspaces = [...config.workspaces.values()];
  const profiles = workspaces.flatMap((workspace) => workspace.profiles);
  return `${config.file} is valid: ${[
    plural(workspaces.length, 'workspace'),
    plural(profiles.length, 'profile'),
    plural(config.jobs.size, 'job'),
  ].join(', ')}.`;
}

/** A service that answers no request of one day by then is not there, whatever `timeout_seconds` says. */
const deadAfterSeconds = 5;

/** One request for each profile; what is wrong with several of a workspace is printed once. */
async function tryAll(config: Config, context: CommandContext): Promise<ExitCode> {
  let wrong = 0;
  const print = (line: string) => context.output.write(`${stripTerminalControls(line)}\n`);
  for (const workspace of config.workspaces.values()) {
    const namesByProblem = new Map<string, string[]>();
    for await (const { name, error } of tryProfiles(workspace, config, context)) {
      if (error === null) {
        print(`ok     ${name}`);
        continue;
      }
      const problem = error instanceof ApiError ? error.reason : error.message;
      namesByProblem.set(problem, [...(namesByProblem.get(problem) ?? []), name]);
    }
    for (const [problem, names] of namesByProblem) print(`wrong  ${names.join(', ')}: ${problem}`);
    wrong += namesByProblem.size;
  }
  return wrong === 0 ? exitCodes.done : exitCodes.failed;
}

/** Tries one profile after another, until one fails as all others would; then it names the workspace. */
async function* tryProfiles(workspace: WorkspaceConfig, config: Config, context: CommandContext) {
  const { key, profiles, timeoutSeconds } = workspace;
  const client = new WorkspaceClient({
    ...context,
    workspace: { ...workspace, timeoutSeconds: Math.min(timeoutSeconds, deadAfterSeconds) },
    dataDir: config.dataDir,
    retryWithinMs: deadAfterSeconds * 1000,
  });
  try {
    for (const profile of profiles) {
      const error = await tryProfile(profile, client, config, context);
      const isOfAll = error instanceof ApiError && isOfWorkspace(error);
      yield { name: isOfAll ? key : `${key}/${profile.name}`, error };
      if (isOfAll) return;
    }
  } finally {
    await client.close();
  }
}

/** The key is refused, nothing answers, or something else than the API does. */
function isOfWorkspace({ reach, status, code }: ApiError): boolean {
  return reach === 'workspace' || status === null || code === 'API_NOT_JSON';
}

/** One request, for today alone. @returns what is wrong; null when it answers */
async function tryProfile(
  profile: ProfileConfig,
  client: WorkspaceClient,
  config: Config,
  { clock, signal }: CommandContext,
): Promise<PostledgerError | null> {
  const today = dayOf(clock.now(), config.timezone);
  try {
    await client.readAnalytics(profile.id, { start: today, end: today }, { signal });
    return null;
  } catch (error) {
    if (!(error instanceof PostledgerError) || signal.aborted) throw error;
    return error;
  }
}
