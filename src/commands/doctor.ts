import { readdir, readFile, stat } from 'node:fs/promises';
import { release } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { Secret } from '../config/secret.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import type { Clock } from '../core/clock.ts';
import { exitCodes } from '../core/errors.ts';
import { silentLog } from '../core/log.ts';
import { problemText } from '../core/machine-problem.ts';
import { packageVersion } from '../core/package-version.ts';
import { parseYaml } from '../core/yaml-source.ts';
import { readRunStory } from '../status/run-story.ts';
import { readRuns } from '../status/runs.ts';
import { Database } from '../warehouse/database.ts';
import { checkConfig } from './check.ts';
import type { CommandContext, Register } from './context.ts';
import { readWholeStatus } from './status.ts';
import { reasonSentences } from './status-verdicts.ts';

export const registerDoctor: Register = (program, invoke) => {
  program
    .command('doctor')
    .option('--out <file>', 'write it to this file, which only you may read')
    .addHelpText(
      'after',
      `
It has versions, jobs.yaml with secrets by their names, what \`check\` and \`status\` say, the last runs with their errors,
and the size of data_dir, as JSON. Of mail addresses it has the domain, of commands the program. It sends nothing.

Examples:
  $ postledger doctor --out doctor.json
  $ postledger doctor | jq .checks`,
    )
    .action(({ out }) =>
      invoke(async (context) => {
        const text = await createBundle(context);
        if (out === undefined) {
          context.output.write(text);
          return exitCodes.done;
        }
        await writeFileAtomic(resolve(out), text);
        context.output.write(`Wrote ${resolve(out)}. Read it before you pass it on.\n`);
        return exitCodes.done;
      }),
    );
};

const shownRuns = 20;
/** The variables that change how Node works. Their values may hold passwords. */
const shownVariables = /^(?:NODE_\w+|TZ|(?:HTTPS?|NO)_PROXY)$/i;

/** Returns the bundle as JSON. What cannot be read has an `error` in its place. */
async function createBundle(context: CommandContext): Promise<string> {
  const { clock, environment } = context;
  const config = await attempt(() => context.loadConfig());
  const bundle = {
    made_at: clock.now().toISOString(),
    versions: {
      postledger: packageVersion,
      node: process.version,
      duckdb: await attempt(readEngineVersion),
      platform: `${process.platform} ${process.arch} ${release()}`,
    },
    variables: Object.keys(environment).filter((name) => shownVariables.test(name)),
    ...('error' in config ? { config } : await describeAll(config, context)),
  };
  return `${JSON.stringify(redact(bundle, secretsIn(config)), null, 2)}\n`;
}

async function describeAll(config: Config, context: CommandContext) {
  return {
    config: await attempt(async () => parseYaml(await readFile(config.file, 'utf8')).value),
    checks: await readChecks(config, context),
    runs: await attempt(() => readLastRuns(config)),
    status: await attempt(() => readHarmlessStatus(config, context.clock)),
    data_dir: await attempt(() => measureFolders(config.dataDir)),
  };
}

async function attempt<Value>(
  work: () => Promise<Value>,
): Promise<Value | { readonly error: string }> {
  return work().catch((error: unknown) => ({ error: problemText(error) }));
}

async function readEngineVersion(): Promise<string> {
  const database = await Database.open(':memory:', 'READ_WRITE');
  try {
    return String((await database.query('select version()')).rows[0]?.[0]);
  } finally {
    database.close();
  }
}

async function readChecks(config: Config, { clock, signal }: CommandContext) {
  const notes: string[] = [...config.warnings];
  const log = { ...silentLog, warn: (_: unknown, message: string) => void notes.push(message) };
  const output = { write: () => undefined };
  const checked = await attempt(() =>
    checkConfig(config, { secrets: true }, { clock, signal, log, output }),
  );
  return { notes, error: checked?.error ?? null };
}

async function readLastRuns(config: Config) {
  const runs = (await readRuns(config)).slice(0, shownRuns);
  return Promise.all(
    runs.map(async (run) => {
      if (run.status === 'succeeded') return { ...run, errors: [] };
      const { errors, damaged } = await readRunStory(run, config);
      return { ...run, errors: [...reasonSentences(errors, 'request'), ...damaged] };
    }),
  );
}

/** Returns the status without runs, and without reasons that may quote records or events. */
async function readHarmlessStatus(config: Config, clock: Clock) {
  const { rejected, events, ...status } = await readWholeStatus(config, clock);
  return {
    ...status,
    runs: undefined,
    rejected: rejected.map(({ source, records }) => ({ source, records })),
    events: { ...events, reasons: [] },
  };
}

/** Counts the files in each folder of `data_dir`, and adds up their bytes. */
async function measureFolders(folder: string) {
  const sizes: Record<string, { files: number; bytes: number }> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const [name = ''] = path.slice(folder.length + 1).split(/[\\/]/);
    const size = (sizes[name] ??= { files: 0, bytes: 0 });
    size.files += 1;
    size.bytes += (await stat(path)).size;
  }
  return sizes;
}

function secretsIn(value: unknown): Secret[] {
  if (value instanceof Secret) return value.isSet ? [value] : [];
  if (value instanceof Map) return [...value.values()].flatMap(secretsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(secretsIn);
}

/** Replaces secrets by their names, shortens mail addresses to their domains, and commands to their programs. */
function redact(value: unknown, secrets: readonly Secret[]): unknown {
  if (typeof value === 'string') return redactText(value, secrets);
  if (Array.isArray(value)) return value.map((item) => redact(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]: [string, unknown]) => {
      const isCommand = key === 'command' && Array.isArray(child) && child.length > 1;
      return [redactText(key, secrets), redact(isCommand ? [child[0], '…'] : child, secrets)];
    }),
  );
}

function redactText(text: string, secrets: readonly Secret[]): string {
  const named = secrets.reduce(
    (all, secret) => all.replaceAll(secret.reveal(), secret.toString()),
    text,
  );
  return named
    .replaceAll(/\/\/[^\s/@]*@/g, '//…@')
    .replaceAll(/[^\s<>"'(),;:/@]+@(?=[^\s@]+)/g, '…@');
}
