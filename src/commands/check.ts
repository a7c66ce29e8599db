import { dirname } from 'node:path';
import { ApiError } from '../api/api-error.ts';
import { tryProfiles } from '../api/profile-trials.ts';
import {
  cutTextDoubts,
  placeholderDoubts,
  priceDoubts,
  unsetSecretDoubts,
} from '../config/config-doubts.ts';
import { targetNames } from '../config/clients-schema.ts';
import { pathText, type Finding } from '../config/config-error.ts';
import { figuresFiles, type Config } from '../config/config.ts';
import { refuseFindings } from '../config/load-config.ts';
import { requireApiKeys } from '../config/select.ts';
import { dayOf } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { diskDoubts } from '../core/disk-trial.ts';
import { exitCodes, UsageError, type ExitCode } from '../core/errors.ts';
import { stripTerminalControls } from '../core/terminal-text.ts';
import { hintAmong } from '../core/nearest.ts';
import { plural } from '../core/wording.ts';
import { addressDoubts } from '../deliver/mail-message.ts';
import { checkDefinitions } from '../output/report-output.ts';
import { readLogo } from '../output/report-files.ts';
import { bodyDoubts, commandDoubts } from '../pipeline/markdown-file.ts';
import { alertDoubts, checkAlerts } from '../pipeline/metric-alerts.ts';
import {
  builtInReports,
  findReports,
  userReports,
  type ReportDefinition,
} from '../report/report-catalog.ts';
import { checkSetKeys, reportConfigOf, resolveSetValues } from '../report/report-parameters.ts';
import { colorDoubts } from '../render/html/colors.ts';
import { browserDoubts } from '../render/pdf.ts';
import { scheduleDoubts } from '../schedule/schedule-doubts.ts';
import { profileDoubts } from '../status/profile-doubts.ts';
import { windowDoubts } from '../status/window-doubts.ts';
import { defaultLimits } from '../warehouse/limits.ts';
import { readOwnFigures } from '../warehouse/own-figures.ts';
import { receiverDoubts } from '../webhooks/authentication.ts';
import type { CommandContext, Register } from './context.ts';
import { refuseInternal } from './internal-reports.ts';
import { checkSentence, refuseFaults } from './report-check.ts';

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
        const { clock, output, log } = context;
        const ofConfig = await checkConfig(config, options.secrets, clock);
        const reports = await findReports([builtInReports, userReports(config.folder)]);
        await refuseParameters(config, reports);
        const doubts = [...ofConfig, ...(await windowDoubts(config, reports, clock))];
        output.write(`${describeConfig(config)}\n`);
        for (const doubt of doubts) log.warn({}, doubt);
        // the program's own tests check the built-in ones
        const checked = [...reports.values()].filter(
          ({ folder }) => options.reports === true || dirname(folder) !== builtInReports,
        );
        await checkReports(config, checked, context);
        return options.online ? tryAll(config, context) : exitCodes.done;
      }),
    );
};

/**
 * @param areSecretsNeeded false where they may be unset
 * @returns sentences about what is doubtful
 * @throws UnsetSecretError, UsageError, LogoError, ConfigError
 */
async function checkConfig(
  config: Config,
  areSecretsNeeded: boolean,
  clock: Clock,
): Promise<string[]> {
  const { dataDir, warehouse, clients } = config;
  if (areSecretsNeeded) requireApiKeys(config);
  const ofReceiver = areSecretsNeeded ? receiverDoubts(config) : [];
  for (const { brand } of [config, ...clients.values()]) await readLogo(brand?.logo ?? null);
  const ofBodies = await bodyDoubts(config);
  const ofFigures = await figureDoubts(config);
  await refuseInternal(config);
  const folders = [dataDir, ...(typeof warehouse === 'string' ? [dirname(warehouse)] : [])];
  return [
    ...ofReceiver,
    ...(await diskDoubts(folders, clock)),
    ...(areSecretsNeeded ? unsetSecretDoubts(config) : []),
    ...placeholderDoubts(config),
    ...priceDoubts(config, dayOf(clock.now(), config.timezone)),
    ...(await cutTextDoubts(config)),
    ...addressDoubts(config),
    ...ofBodies,
    ...ofFigures,
    ...commandDoubts(config),
    ...(await browserDoubts(config)),
    ...colorDoubts(config),
    ...scheduleDoubts(config, clock),
    ...(await alertDoubts(config)),
    ...(await profileDoubts(config, clock)),
  ];
}

/**
 * Reads the files of figures.
 * @throws FiguresFileError, ConfigError for a target of a figure that its file does not have
 */
async function figureDoubts(config: Config): Promise<string[]> {
  const doubts: string[] = [];
  const findings: Finding[] = [];
  for (const { path, file, profiles, targets } of figuresFiles(config)) {
    const rows = await readOwnFigures(file, profiles, config.workspaces);
    if (rows.length === 0)
      doubts.push(`${pathText([...path, 'figures'])}: ${file.file} has no row of its profiles`);
    const names = [...new Set(rows.map(({ figure }) => figure))];
    for (const name of Object.keys(targets))
      if (!targetNames.includes(name) && !names.includes(name))
        findings.push({
          path: [...path, 'targets', name],
          message: `is no figure of a report or of ${file.file}; ${hintAmong(name, [...targetNames, ...names])}`,
        });
  }
  await refuseFindings(config.file, findings);
  return doubts;
}

/**
 * Refuses parameters that their report does not have, or not in this form.
 * @throws ConfigError that names each
 */
async function refuseParameters(
  { file, jobs }: Config,
  reports: ReadonlyMap<string, ReportDefinition>,
): Promise<void> {
  const findings: Finding[] = [];
  for (const { name, reports: entries } of jobs.values())
    for (const { report, index, set } of entries) {
      const definition = reports.get(report);
      try {
        if (definition === undefined) continue;
        checkSetKeys([definition], set);
        resolveSetValues(definition, set);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        const message = error.message.replace(/^--set /, '');
        findings.push({ path: ['jobs', name, 'reports', index, 'set'], message });
      }
    }
  await refuseFindings(file, findings);
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

/**
 * Checks reports and the alerts.
 * @throws ReportDefinitionError
 */
async function checkReports(
  config: Config,
  reports: readonly ReportDefinition[],
  { clock, signal, output }: CommandContext,
): Promise<void> {
  const alerts = await checkAlerts({ config, clock, signal });
  const tools = { clock, signal, limits: defaultLimits };
  const check =
    reports.length === 0
      ? []
      : await checkDefinitions(reportConfigOf(config, null, clock.now()), reports, tools);
  refuseFaults([...check, alerts]);
  if (check.length > 0) output.write(`${stripTerminalControls(checkSentence(check))}\n`);
  if (alerts.count > 0) output.write(`${plural(alerts.count, 'alert')}: valid.\n`);
}

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
