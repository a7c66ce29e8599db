import type { Command } from '@commander-js/extra-typings';
import {
  findingsOf,
  lookAgain,
  verifyArchive,
  type Places,
  type Verification,
} from '../archive/verify-archive.ts';
import { isNote, type Finding } from '../archive/finding.ts';
import { sealArchive } from '../archive/seal-archive.ts';
import { readWaitingNames } from '../archive/waiting-names.ts';
import { exitCodes, PostledgerError, type ExitCode } from '../core/errors.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../warehouse/database.ts';
import { openIfPresent } from '../warehouse/history.ts';
import { recoverSlugs } from '../load/events/recover-slugs.ts';
import { withWarehouseLock } from '../warehouse/warehouse.ts';
import { findLostInArchive } from './archive-losses.ts';
import type { CommandContext, Invoke } from './context.ts';
import { plural } from './load-sentence.ts';
import { parseSeconds } from './option-values.ts';

interface VerifyFlags {
  readonly seal?: true;
  readonly wait: number;
  readonly json?: true;
}

/** What `--json` writes. */
interface Report {
  readonly parts: number;
  readonly files: number;
  readonly segments: number;
  readonly events: number;
  /** The ledger does not tell of them. */
  readonly unsealed: { readonly parts: number; readonly segments: number };
  /** By this call. */
  readonly sealed: { readonly parts: number; readonly segments: number };
  /** Segments of which the ledger was told again, from the warehouse, what slugs stood for. */
  readonly recovered: number;
  readonly findings: readonly Finding[];
}

/** Adds `archive verify` to the group of archive commands. */
export function registerVerify(archive: Command, invoke: Invoke): void {
  archive
    .command('verify')
    .description('read all of the archive and tell what is damaged, missing or foreign')
    .option('--seal', 'enter what proved good, and is not in the ledger, in the ledger')
    .option(
      '--wait <seconds>',
      'with --seal, wait so long while another process loads',
      parseSeconds,
      0,
    )
    .option('--json', 'counts and findings as JSON')
    .addHelpText(
      'after',
      `
Changes nothing without --seal, and holds up no load. Ends with exit code 1 when there are findings; notes, as of
what a killed load left behind, are none.

Examples:
  $ postledger archive verify
  $ postledger archive verify --json | jq '.findings[] | select(.kind != "note")'
  $ postledger archive verify --seal`,
    )
    .action((options) => invoke((context) => verify(context, options)));
}

async function verify(context: CommandContext, options: VerifyFlags): Promise<ExitCode> {
  const { loadConfig, log, progress, signal, output } = context;
  const config = await loadConfig();
  const walk = { dataDir: config.dataDir, progress, signal };
  // first of all, so that whatever it has is beside it by the time that it is looked for
  const database = await openToCompare(config.warehouse, log);
  try {
    const waiting = await readWaitingNames(config.dataDir);
    const found = await verifyArchive(walk);
    const lost = database ? await findLostInArchive(config.dataDir, database, found, waiting) : [];
    const sealed = options.seal
      ? await seal(context, config, found, {
          waitSeconds: options.wait,
          isWarehouseRead: database !== null,
        })
      : nothing;
    if (options.seal) await lookAgain(walk, found, sealed);
    const report = reportOf(found, lost, sealed);
    progress.close();
    output.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
    return report.findings.every(isNote) ? exitCodes.done : exitCodes.failed;
  } finally {
    database?.close();
  }
}

interface Sealed extends Places {
  readonly recovered: number;
}

const nothing: Sealed = { parts: [], segments: [], recovered: 0 };

async function seal(
  { clock, log, signal }: CommandContext,
  config: Config,
  found: Verification,
  { waitSeconds, isWarehouseRead }: { waitSeconds: number; isWarehouseRead: boolean },
): Promise<Sealed> {
  const access = { path: config.warehouse, clock, waitMs: waitSeconds * 1000, signal };
  const purpose = 'sealing the archive beside';
  return withWarehouseLock({ ...access, purpose }, async () => {
    const sealed = await sealArchive(config.dataDir, found);
    // as it is now that nobody loads
    const database = isWarehouseRead ? await openToCompare(config.warehouse, log) : null;
    try {
      return { ...sealed, recovered: database ? await recoverSlugs(config, database) : 0 };
    } finally {
      database?.close();
    }
  });
}

/** An archive is verified most of all when the warehouse has failed. */
async function openToCompare(path: string, log: Log): Promise<Database | null> {
  try {
    return await openIfPresent(path);
  } catch (error) {
    if (!(error instanceof PostledgerError)) throw error;
    log.warn({}, `${error.message}; the archive is not compared with the warehouse`);
    return null;
  }
}

function reportOf(found: Verification, lost: readonly Finding[], sealed: Sealed): Report {
  const parts = [...found.parts.values()];
  const segments = [...found.segments.values()];
  const countUnsealed = (checks: readonly { readonly isSealed: boolean }[]) =>
    checks.filter(({ isSealed }) => !isSealed).length;
  return {
    parts: parts.length,
    files: parts.reduce((sum, { files }) => sum + files, 0),
    segments: segments.length,
    events: segments.reduce((sum, { events }) => sum + events, 0),
    unsealed: { parts: countUnsealed(parts), segments: countUnsealed(segments) },
    sealed: { parts: sealed.parts.length, segments: sealed.segments.length },
    recovered: sealed.recovered,
    findings: [...findingsOf(found), ...lost].sort((a, b) => Number(isNote(a)) - Number(isNote(b))),
  };
}

function reportText(report: Report): string {
  const lines = report.findings.map(({ kind, path, problem, remedy }) => {
    const label = kind.charAt(0).toUpperCase() + kind.slice(1);
    return `${label.padEnd(9)} ${path}: ${problem}; ${remedy}`;
  });
  return `${[...lines, summarySentence(report)].join('\n')}\n`;
}

function summarySentence({ findings, unsealed, sealed, recovered, ...counts }: Report): string {
  const notes = findings.filter(isNote).length;
  const read = `${plural(counts.parts, 'part')} of runs with ${plural(counts.files, 'file')} and ${plural(counts.segments, 'segment')} with ${plural(counts.events, 'event')} read`;
  const told = [plural(findings.length - notes, 'finding')];
  if (notes > 0) told.push(plural(notes, 'note'));
  const sentences = [`${read}: ${told.join(', ')}.`];
  if (sealed.parts + sealed.segments > 0) sentences.push(`${amount(sealed)} sealed.`);
  if (recovered > 0) {
    sentences.push(
      `What slugs stood for was entered again for ${plural(recovered, 'segment')}, from the warehouse.`,
    );
  }
  if (unsealed.parts + unsealed.segments > 0) {
    // of what the ledger has lost, the findings tell
    const origin = findings.length === notes ? ', as earlier versions left them' : '';
    sentences.push(`${amount(unsealed)} not sealed${origin}: --seal does it.`);
  }
  return sentences.join(' ');
}

function amount({ parts, segments }: { parts: number; segments: number }): string {
  const counts = [
    [parts, 'part'],
    [segments, 'segment'],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => plural(count, noun))
    .join(' and ');
}
