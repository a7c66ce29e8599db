import type { ProfileConfig } from '../config/config.ts';
import { AnswerSizes, type Suspicion } from '../plan/answer-sizes.ts';
import { halvesOf, isSingleDay } from '../plan/halves.ts';
import type { GivenAnswer, PastAnswers, Window } from '../plan/plan.ts';
import { carryOut, windowCall, type Desk } from './call.ts';
import { describeCutOff, type CutOffWindow } from './extract-outcome.ts';
import { PostSet } from './post-set.ts';

/** A window's answer that is on disk, with the posts in it. */
export interface WindowAnswer extends GivenAnswer {
  readonly profile: ProfileConfig;
  readonly seq: number;
  readonly found: PostSet;
}

/** What was found of a window in its halves. */
interface Halves {
  readonly earlier: PostSet;
  readonly later: PostSet;
  readonly together: PostSet;
}

/**
 * Reads windows of one workspace, and sees to it that no answer is taken for whole that was cut off. One
 * that looks so is compared with its halves: what these have and it has not proves that it was.
 */
export class WindowReadings {
  readonly #desk: Desk;
  readonly #sizes: AnswerSizes;
  /** Answers that may look cut off once more of them are known. */
  readonly #unsettled = new Set<WindowAnswer>();

  constructor({ answers, checks }: PastAnswers, desk: Desk) {
    this.#desk = desk;
    this.#sizes = new AnswerSizes(answers, checks);
  }

  /** Reads a window. An answer that is strongly suspected is checked before anything else is asked. */
  async read(profile: ProfileConfig, window: Window): Promise<void> {
    const answer = await this.#ask(profile, window);
    if (answer && this.#suspicionOf(answer) === 'strong') await this.check(answer);
  }

  /**
   * The answers of this run to check now, after all windows were read: what is weakly suspected depends on
   * the largest answer, and a few checks settle all of them. None once nothing is left to doubt.
   */
  due(): WindowAnswer[] {
    const suspected = (suspicion: Suspicion) =>
      [...this.#unsettled].filter((answer) => this.#suspicionOf(answer) === suspicion);
    const strong = suspected('strong');
    return strong.length > 0 ? strong : suspected('weak').slice(0, this.#sizes.agreementsLeft);
  }

  /**
   * Reads the halves of an answer's window, halves of halves where these look cut off, and lands what the
   * comparison found. Where a half fails nothing is said, and the next run reads the window again.
   * @param isHalf whether it is checked for the sake of a longer window
   * @returns the window's posts, from all answers together; null when one failed
   */
  async check(answer: WindowAnswer, isHalf = false): Promise<PostSet | null> {
    this.#unsettled.delete(answer);
    if (isSingleDay(answer.window)) {
      if (this.#suspicionOf(answer) === 'strong') await this.#conclude(answer, null, isHalf);
      return answer.found;
    }
    const halves = await this.#readHalves(answer.profile, answer.window, answer);
    if (halves === null) return null;
    const judged = await this.#confirm(answer, halves);
    if (judged === null) return null;
    await this.#conclude(judged, halves, isHalf);
    return PostSet.union([judged.found, halves.together]);
  }

  /** @param whole the answer that is checked; null where its window is known to be cut off */
  async #readHalves(
    profile: ProfileConfig,
    window: Window,
    whole: WindowAnswer | null,
  ): Promise<Halves | null> {
    const [laterDays, earlierDays] = halvesOf(window);
    const later = await this.#readHalf(profile, laterDays, whole);
    const earlier = later && (await this.#readHalf(profile, earlierDays, whole));
    return earlier && { earlier, later, together: PostSet.union([earlier, later]) };
  }

  async #readHalf(
    profile: ProfileConfig,
    window: Window,
    whole: WindowAnswer | null,
  ): Promise<PostSet | null> {
    if (this.#sizes.isCutOff(profile.id, window)) {
      return (await this.#readHalves(profile, window, null))?.together ?? null;
    }
    const half = await this.#askMore(profile, window);
    if (half === null) return null;
    // a half as large as what is suspected is no less suspect: both may have been cut off there
    const isSuspect = half.posts === whole?.posts || this.#suspicionOf(half) === 'strong';
    return isSuspect ? this.check(half, true) : half.found;
  }

  /**
   * Posts that were published or synchronised between the requests are no sign that anything was cut off:
   * before the first limit of a workspace is believed, the whole window is read once more.
   * @returns the answer to judge by; null when it failed
   */
  async #confirm(answer: WindowAnswer, { together }: Halves): Promise<WindowAnswer | null> {
    const isWhole = together.missingFrom(answer.found) === 0;
    if (isWhole || this.#sizes.isLimit(answer)) return answer;
    const again = await this.#askMore(answer.profile, answer.window);
    if (again) this.#unsettled.delete(again);
    return again;
  }

  async #conclude(answer: WindowAnswer, halves: Halves | null, isHalf: boolean): Promise<void> {
    const { clock, part } = this.#desk.tools;
    const { profile, profileId, window, records, posts } = answer;
    const missing = halves?.together.missingFrom(answer.found) ?? 0;
    const kind = halves === null ? 'indivisible' : missing > 0 ? 'cut_off' : 'agreed';
    const checkedAt = clock.now();
    await part.landCheck({
      seq: answer.seq,
      profile_id: profileId,
      start_date: window.start,
      end_date: window.end,
      kind,
      checked_at: checkedAt.toISOString(),
      records_whole: records,
      posts_whole: posts,
      posts_first_half: halves?.earlier.size ?? null,
      posts_second_half: halves?.later.size ?? null,
      posts_halves: halves?.together.size ?? null,
      missing,
    });
    const { workspace } = profile;
    this.#sizes.sawCheck({ workspace, profileId, window, records, posts, kind, checkedAt });
    if (kind !== 'agreed') this.#tell({ ...answer, kind, missing }, isHalf);
  }

  /** What a half lacks is part of what its whole lacks. */
  #tell(
    {
      profile,
      window,
      kind,
      posts,
      missing,
    }: WindowAnswer & Pick<CutOffWindow, 'kind' | 'missing'>,
    isHalf: boolean,
  ): void {
    const { tools, outcome } = this.#desk;
    const { subject } = windowCall(profile, window, tools);
    const finding: CutOffWindow = { subject, kind, posts, missing };
    if (isHalf && kind === 'cut_off') {
      tools.log.info({ posts, missing }, describeCutOff(finding));
      return;
    }
    outcome.cutOff.push(finding);
    tools.log.warn({ posts, missing }, describeCutOff(finding));
  }

  async #askMore(profile: ProfileConfig, window: Window): Promise<WindowAnswer | null> {
    const { tools, stops } = this.#desk;
    if (tools.signal.aborted || stops.covers(profile.id)) return null;
    tools.task.grow(1);
    const answer = await this.#ask(profile, window);
    tools.task.advance();
    return answer;
  }

  async #ask(profile: ProfileConfig, window: Window): Promise<WindowAnswer | null> {
    const landed = await carryOut(windowCall(profile, window, this.#desk.tools), this.#desk);
    if (landed === null) return null;
    const { seq, records } = landed.manifest;
    const answer: WindowAnswer = {
      profile,
      profileId: profile.id,
      window,
      seq,
      records: records ?? 0,
      posts: landed.posts.size,
      found: landed.posts,
    };
    this.#sizes.sawAnswer(answer);
    if (this.#sizes.mayBeLargest(answer)) this.#unsettled.add(answer);
    return answer;
  }

  #suspicionOf(answer: WindowAnswer): Suspicion | null {
    return this.#sizes.suspicionOf(answer, this.#desk.tools.clock.now());
  }
}
