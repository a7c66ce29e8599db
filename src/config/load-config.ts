import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readText, textProblem } from '../core/text-file.ts';
import { ConfigError, configErrorOf, type ConfigProblem, type Finding } from './config-error.ts';
import { findConflicts, resolveConfig, type Config } from './config.ts';
import { findEqualDeliveries } from './defined-deliveries.ts';
import { jobsSchema, type ParsedConfig } from './jobs-schema.ts';
import { isRecord } from '../core/json.ts';
import type { KnownSections } from './reader-copy.ts';
import { schemaFindings } from './schema-findings.ts';
import { expandVariables } from './variable-references.ts';
import { readVariables } from './variables.ts';
import { parseYaml, type YamlSource } from '../core/yaml-source.ts';

export interface LoadConfigOptions {
  /** The path of jobs.yaml, relative to the working folder. */
  readonly file: string;
  /** The environment, which is not changed. Variables that it lacks are looked up in `.env` beside the file. */
  readonly environment: NodeJS.ProcessEnv;
  /** The current time, to refuse a `start` in the future. */
  readonly now: Date;
  /** The names of all reports. If absent, names are not checked. */
  readonly knownReports?: readonly string[];
  /** Reads the sections of all reports, which takes longer than their names. If absent, their names are not checked. */
  readonly readSections?: () => Promise<KnownSections>;
}

/**
 * Reads and checks jobs.yaml. Unset API keys are not an error here; see `requireApiKeys`.
 * @throws ConfigError with the mistakes in the file, each with its line: all mistakes of single parts, or if there are
 *   none, all conflicts between parts
 */
export async function loadConfig(options: LoadConfigOptions): Promise<Config> {
  const file = resolve(options.file);
  const source = await readSource(file);
  if (source.problems.length > 0) throw configErrorOf(file, source.problems);
  if (!isRecord(source.value)) throw configErrorOf(file, [topProblem(source.value)]);
  const refuse = (findings: readonly Finding[]) => {
    if (findings.length > 0) throw configErrorOf(file, withLines(findings, source));
  };
  const lookup = await readVariables(dirname(file), options.environment);
  const expanded = expandVariables(source, file, lookup);
  const parsed = jobsSchema.safeParse(expanded.value);
  const issues = parsed.error?.issues ?? [];
  const refused = [...expanded.findings, ...schemaFindings(issues, source.value)];
  refuse(firstOfEachPath(withCutHints(refused, source)));
  if (!parsed.data) throw parsed.error;
  const { now, knownReports = null } = options;
  const knownSections = namesSections(parsed.data) ? await options.readSections?.() : null;
  const known = { knownReports, knownSections: knownSections ?? null };
  refuse(firstOfEachPath(findConflicts(parsed.data, { now, ...known })));
  const config = resolveConfig(parsed.data, file, (path) => source.lineOf(path));
  refuse(findEqualDeliveries(config));
  const readable = await readableByOthers([join(config.folder, '.env'), config.dataDir]);
  if (readable.length === 0) return config;
  const warning = `others on this machine can read ${readable.join(' and ')}; run: chmod o-rwx ${readable.join(' ')}`;
  return Object.freeze({ ...config, warnings: Object.freeze([...config.warnings, warning]) });
}

/** Tells whether any client, report or delivery chooses its sections. */
function namesSections({ clients, jobs }: ParsedConfig): boolean {
  const carriers = Object.values(jobs).flatMap(({ reports, deliver }) => [
    ...deliver,
    ...reports.flatMap((report) => [report, ...report.deliver]),
  ]);
  return [...Object.values(clients), ...carriers].some(({ sections }) => sections !== undefined);
}

/** Returns the paths of files, or of folders with content, that every user of the machine may read. */
async function readableByOthers(paths: readonly string[]): Promise<string[]> {
  // On Windows, mode bits do not show permissions.
  if (process.platform === 'win32') return [];
  const found: string[] = [];
  for (const path of paths) {
    const { mode } = (await stat(path).catch(() => null)) ?? { mode: 0 };
    if ((mode & 0o005) !== 0) found.push(path);
  }
  return found;
}

/** @throws ConfigError that names each of the findings once, with its line, if there are any */
export async function refuseFindings(file: string, findings: readonly Finding[]): Promise<void> {
  if (findings.length === 0) return;
  const source = await readSource(file);
  const unique = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  throw configErrorOf(file, withLines([...unique.values()], source));
}

/** Keeps one finding for each path, since the first one is the cause of the others. */
function firstOfEachPath(findings: readonly Finding[]): Finding[] {
  const byPath = new Map<string, Finding>();
  for (const finding of findings) {
    const key = JSON.stringify(finding.path);
    if (!byPath.has(key)) byPath.set(key, finding);
  }
  return [...byPath.values()];
}

/** Adds the likely cause to findings about texts that end at a `#`. */
function withCutHints(findings: readonly Finding[], source: YamlSource): Finding[] {
  if (findings.length === 0) return [];
  const cut = new Set(source.cutTexts().map(({ path }) => JSON.stringify(path)));
  return findings.map(({ path, message }) => {
    const hint = cut.has(JSON.stringify(path))
      ? '; it ends at the # of its line: put it in quotes'
      : '';
    return { path, message: `${message}${hint}` };
  });
}

function withLines(findings: readonly Finding[], source: YamlSource): ConfigProblem[] {
  return findings.map((finding) => ({ ...finding, line: source.lineOf(finding.path) }));
}

function topProblem(value: unknown): ConfigProblem {
  const found = value === null ? 'is empty' : 'holds something else';
  const message = `must be a mapping with workspaces and jobs, but ${found}; create one with postledger init in an empty folder`;
  return { path: [], line: null, message };
}

/** @throws ConfigError if the file cannot be read */
export async function readSource(file: string): Promise<YamlSource> {
  try {
    return parseYaml(await readText(file));
  } catch (error) {
    const remedy = 'create one with postledger init, or name another with --config';
    throw new ConfigError(`${file} ${textProblem(error, remedy)}`, [], { cause: error });
  }
}
