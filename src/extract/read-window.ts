import type { ProfileConfig } from '../config/config.ts';
import type { Window } from '../plan/plan.ts';
import { halvesOf, isSingleDay, type TruncationChecks } from '../plan/truncation.ts';
import { describeCutOff, type CutOffWindow, type ExtractContext } from './extraction.ts';
import { fetchAndStore, type StoredAnswer } from './fetch-and-store.ts';

interface WindowContext extends ExtractContext {
  readonly checks: TruncationChecks;
}

interface WindowAnswer extends StoredAnswer {
  readonly profile: ProfileConfig;
  readonly window: Window;
  /** The profile and the days, as shown to people. */
  readonly subject: string;
}

type PostIds = ReadonlySet<string>;

/**
 * Reads a window. An answer that may be truncated is compared with the answers to the window's halves: a post
 * that is in these but not in the answer proves the truncation. If a half fails, nothing is concluded and the
 * next run reads the window again.
 * @param isHalf true if the window is read to check a longer one
 * @returns the posts in all of these answers; null if one of them failed
 */
export async function readWindow(
  profile: ProfileConfig,
  window: Window,
  context: WindowContext,
  isHalf = false,
): Promise<PostIds | null> {
  const { start, end } = window;
  const { signal } = context;
  const call = {
    request: analyticsRequest(profile, window),
    workspace: profile.workspace,
    subject: `${profile.workspace}/${profile.name} ${start} to ${end}`,
    profileId: profile.id,
    // only ids are looked at, to tell posts apart
    ask: () => context.reader.readAnalytics(profile.id, window, { signal, encoding: 'latin1' }),
  };
  const stored = await fetchAndStore(call, context);
  if (stored === null) return null;
  const { manifest, postIds } = stored;
  const sizes = { records: manifest.records ?? 0, posts: postIds.size };
  if (!context.checks.isDue({ profileId: profile.id, window, ...sizes })) return postIds;

  const halves = isSingleDay(window) ? [] : await readHalves(profile, window, context);
  if (halves === null) return null;
  const answer = { ...stored, profile, window, subject: call.subject };
  await storeCheck(answer, halves, context, isHalf);
  return new Set([postIds, ...halves].flatMap((ids) => [...ids]));
}

export function analyticsRequest({ id }: ProfileConfig, { start, end }: Window) {
  return { kind: 'analytics' as const, profile_id: id, start_date: start, end_date: end };
}

/**
 * Reads both halves.
 * @returns the posts of the later and of the earlier half; null if one failed or was skipped
 */
async function readHalves(
  profile: ProfileConfig,
  window: Window,
  context: WindowContext,
): Promise<PostIds[] | null> {
  const halves: PostIds[] = [];
  for (const half of halvesOf(window)) {
    if (context.stops.causeFor(profile.id)) return null;
    context.task.grow(1);
    const postIds = await readWindow(profile, half, context, true);
    context.task.advance();
    if (postIds === null) return null;
    halves.push(postIds);
  }
  return halves;
}

/** Stores the result of the comparison and warns of a truncated answer. A single day has no halves. */
async function storeCheck(
  { manifest, postIds, profile, window, subject }: WindowAnswer,
  [later, earlier]: readonly PostIds[],
  { checks, writer, clock, outcome, log }: WindowContext,
  isHalf: boolean,
): Promise<void> {
  const inHalves = new Set([...(later ?? []), ...(earlier ?? [])]);
  const missing = [...inHalves].filter((id) => !postIds.has(id)).length;
  const kind = later === undefined ? 'indivisible' : missing > 0 ? 'cut_off' : 'agreed';
  const records = manifest.records ?? 0;
  const posts = postIds.size;
  const checkedAt = clock.now();
  await writer.storeCheck({
    seq: manifest.seq,
    profile_id: profile.id,
    start_date: window.start,
    end_date: window.end,
    kind,
    checked_at: checkedAt.toISOString(),
    records_whole: records,
    posts_whole: posts,
    posts_first_half: earlier?.size ?? null,
    posts_second_half: later?.size ?? null,
    posts_halves: later ? inHalves.size : null,
    missing,
  });
  const { workspace, id: profileId } = profile;
  checks.add({ workspace, profileId, window, records, posts, kind, checkedAt });
  // posts that a half lacks are counted with those that its whole window lacks
  if (kind === 'agreed' || (kind === 'cut_off' && isHalf)) return;
  const found: CutOffWindow = { subject, kind, posts, missing };
  outcome.cutOff.push(found);
  log.warn({ posts, missing }, describeCutOff(found));
}
