import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { errorMessage, hasErrorCode } from '../core/errors.ts';
import { ConfigError, configErrorOf, type ConfigProblem, type Finding } from './config-error.ts';
import { resolveConfig, type Config } from './config.ts';
import { findConflicts, shortTokenFindings } from './conflicts.ts';
import { findEqualDeliveries } from './defined-deliveries.ts';
import { jobsSchema } from './jobs-schema.ts';
import { isRecord } from '../core/json.ts';
import { schemaFindings } from './schema-findings.ts';
import { expandVariables, readVariables, type Lookup } from './variables.ts';
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
}

/**
 * Reads and checks jobs.yaml. Unset API keys are not an error here; see `requireApiKeys`.
 * @throws ConfigError with every mistake in the file at once, each with its line
 */
export async function loadConfig(options: LoadConfigOptions): Promise<Config> {
  const file = resolve(options.file);
  const source = parseYaml(await readText(file));
  if (source.problems.length > 0) throw configErrorOf(file, source.problems);
  if (!isRecord(source.value)) throw configErrorOf(file, [topProblem(source.value)]);
  const lookup = await readVariables(dirname(file), options.environment);
  const raw = check(source, lookup, options);
  if ('findings' in raw) throw configErrorOf(file, placed(raw.findings, source));
  const config = resolveConfig({ raw: raw.data, file, source, lookup });
  const equal = findEqualDeliveries(config, (path) => source.lineOf(path));
  if (equal.length > 0) throw configErrorOf(file, equal);
  const readable = await readableByOthers([join(config.folder, '.env'), config.dataDir]);
  if (readable.length === 0) return config;
  const warning = `others on this machine can read ${readable.join(' and ')}; run: chmod o-rwx ${readable.join(' ')}`;
  return Object.freeze({ ...config, warnings: Object.freeze([...config.warnings, warning]) });
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

type Checked =
  | { readonly data: z.output<typeof jobsSchema> }
  | { readonly findings: readonly Finding[] };

function check(source: YamlSource, lookup: Lookup, options: LoadConfigOptions): Checked {
  const expanded = expandVariables(source.value, lookup);
  const parsed = jobsSchema.safeParse(expanded.value);
  const { now, knownReports = null } = options;
  const findings = [
    ...expanded.findings,
    ...schemaFindings(parsed.error?.issues ?? [], source.value),
    ...findConflicts(expanded.value, { now, knownReports }),
    ...shortTokenFindings(source.value, lookup),
  ];
  return parsed.success && findings.length === 0 ? { data: parsed.data } : { findings };
}

/** @throws ConfigError that names each of the findings once, with its line, if there are any */
export async function refuseFindings(file: string, findings: readonly Finding[]): Promise<void> {
  if (findings.length === 0) return;
  const source = parseYaml(await readText(file));
  const unique = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  const problems = [...unique.values()].map((finding) => {
    return { ...finding, line: source.lineOf(finding.path) };
  });
  throw configErrorOf(file, problems);
}

/** Keeps one problem for each place, since the first one is the cause of the others. */
function placed(findings: readonly Finding[], source: YamlSource): ConfigProblem[] {
  const byPlace = new Map<string, ConfigProblem>();
  for (const { path, message } of findings) {
    const key = JSON.stringify(path);
    if (!byPlace.has(key)) byPlace.set(key, { path, message, line: source.lineOf(path) });
  }
  return [...byPlace.values()];
}

function topProblem(value: unknown): ConfigProblem {
  const found = value === null ? 'is empty' : 'holds something else';
  const message = `must be a mapping with workspaces and jobs, but ${found}; create one with postledger init in an empty folder`;
  return { path: [], line: null, message };
}

async function readText(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    throw new ConfigError(unreadable(file, error), [], { cause: error });
  }
}

function unreadable(file: string, error: unknown): string {
  if (hasErrorCode(error, 'ENOENT')) {
    return `${file} does not exist; create one with postledger init, or name another with --config`;
  }
  if (hasErrorCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA')) {
    return `${file} is not text in UTF-8; save it in that encoding`;
  }
  return `${file} cannot be read: ${errorMessage(error)}`;
}
