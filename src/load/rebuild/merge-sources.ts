import type { ReadSegment } from '../../archive/archive-segments.ts';
import { finding, type Finding } from '../../archive/finding.ts';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../core/log.ts';
import type { Progress } from '../../core/progress.ts';
import type { DamagedFileError } from '../../landing/landing-errors.ts';
import { readSql } from '../../warehouse/sql-file.ts';
import type { WorkSpace } from '../../warehouse/warehouse.ts';
import { SegmentReading } from '../events/segment-reading.ts';
import type { SlugHistory } from '../events/slug-history.ts';
import { beginMerging } from '../merge-batch.ts';
import { mergeParts } from '../merge-parts.ts';
import { ArchivedParts, mergeEventHistory, type EventSource } from './merge-archive.ts';
import type { Sources } from './sources.ts';

export interface MergeSourcesOptions {
  readonly config: Config;
  readonly log: Log;
  readonly progress: Progress;
  readonly signal?: AbortSignal | undefined;
  readonly history: SlugHistory;
  /** Of the inbox's segments so many events each; all where it is not said. */
  readonly inboxLimit?: ReadonlyMap<string, number>;
}

/** What a warehouse was made of. */
export interface MergedSources {
  readonly counts: RebuiltCounts;
  /** Of the archive; each once. */
  readonly damages: readonly Finding[];
  /** Of landing. */
  readonly landingDamages: readonly DamagedFileError[];
  readonly segments: readonly ReadSegment[];
  /** A line of JSON for each response whose body was pruned; null when there is none. */
  readonly prunedFile: string | null;
  /** Responses of the archive whose bodies were pruned. */
  readonly pruned: number;
}

/** What the warehouse has now. */
export interface RebuiltCounts {
  readonly runs: number;
  readonly responses: number;
  /** LinkedIn posts. */
  readonly posts: number;
  readonly events: { readonly applied: number; readonly kept: number; readonly rejected: number };
}

/** Fills an empty warehouse from the archive, landing and the inbox, by what loads do. */
export async function mergeSources(
  space: WorkSpace,
  sources: Sources,
  options: MergeSourcesOptions,
): Promise<MergedSources> {
  const findings = new Findings(options.log);
  await beginMerging(space);
  const responses = await mergeResponses(space, sources, options, findings);
  const segments = await mergeEvents(space, sources, options, findings);
  return { counts: await countRows(space), damages: findings.damages, ...responses, segments };
}

async function mergeResponses(
  space: WorkSpace,
  { archive, landed }: Sources,
  { config, progress, signal }: MergeSourcesOptions,
  findings: Findings,
): Promise<Pick<MergedSources, 'landingDamages' | 'prunedFile' | 'pruned'>> {
  const waiting = landed.parts.reduce((sum, { part }) => sum + part.responses.length, 0);
  const total = (await archive.countResponses()) + waiting;
  const task = progress.task('archive', total, 'responses');
  const onMerged = (count: number) => task.advance(count);
  const archived = new ArchivedParts(archive, space, findings.add, signal);
  // what is wrong with a body was found before it is read here
  const onDamage = (damage: DamagedFileError) => findings.addFile(damage);
  await mergeParts(space, archived.read(), { config, onDamage, onMerged });
  const landingDamages = [...landed.damages];
  await mergeParts(space, landed.parts, {
    config,
    onDamage: (damage) => void landingDamages.push(damage),
    onMerged,
  });
  task.finish();
  return { landingDamages, prunedFile: archived.prunedFile, pruned: archived.pruned };
}

async function mergeEvents(
  space: WorkSpace,
  { archive, segments }: Sources,
  options: MergeSourcesOptions,
  findings: Findings,
): Promise<readonly ReadSegment[]> {
  const { progress, history, inboxLimit } = options;
  const reading = new SegmentReading({ ...options, isTrial: inboxLimit !== undefined });
  const archived = (await archive.segments()).map((place): EventSource => {
    const read = () => archive.readEvents(place, findings.add);
    return { name: baseName(place), isArchived: true, read };
  });
  const waiting = segments.map((segment): EventSource => {
    const most = inboxLimit?.get(segment.name) ?? Infinity;
    const read = async () => (await reading.read(segment)).slice(0, most);
    return { name: segment.name, isArchived: false, read };
  });
  const task = progress.task('events', archive.countEvents(), 'events');
  await mergeEventHistory(space, [...archived, ...waiting], history, task);
  task.finish();
  return [...new Map(reading.segments.map((segment) => [segment.path, segment])).values()];
}

async function countRows({ database }: WorkSpace): Promise<RebuiltCounts> {
  const [row] = await database.queryObjects(await readSql('rebuild/summary.sql'));
  const count = (name: string) => Number(row?.[name] ?? 0);
  return {
    runs: count('runs'),
    responses: count('responses'),
    posts: count('posts'),
    events: { applied: count('applied'), kept: count('kept'), rejected: count('rejected') },
  };
}

/** What is not as it was archived, told as it is found, each once. */
class Findings {
  readonly #log: Log;
  readonly #told = new Map<string, Finding>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** What was never archived costs nothing that was. */
  get damages(): readonly Finding[] {
    return [...this.#told.values()].filter(({ kind }) => kind !== 'foreign');
  }

  readonly add = (found: Finding): void => {
    if (this.#told.has(found.path)) return;
    this.#told.set(found.path, found);
    const { path, problem, remedy } = found;
    this.#log.warn({ path }, `${problem}; it was left out, ${remedy}`);
  };

  addFile({ message, files: [path = ''] }: DamagedFileError): void {
    this.add(finding('damaged', path, message));
  }
}

function baseName(place: string): string {
  return place.slice(place.lastIndexOf('/') + 1);
}
