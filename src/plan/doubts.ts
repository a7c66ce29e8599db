import type { ProfileConfig } from '../config/config.ts';
import { AnswerSizes } from './answer-sizes.ts';
import { pastAnswers } from './past-answers.ts';
import type { PastCheck, PastReading, Window } from './plan.ts';

interface DoubtsQuestion {
  readonly history: readonly PastReading[];
  readonly checks: readonly PastCheck[];
  readonly now: Date;
}

/** Which earlier answers cannot be trusted to be whole, over all workspaces, for one plan. */
export class Doubts {
  readonly #question: DoubtsQuestion;
  readonly #workspaces = new Map<string, AnswerSizes>();
  /** Weak suspicions that the plan follows up, by workspace: a few checks settle all of them. */
  readonly #followed = new Map<string, Set<PastReading>>();

  constructor(question: DoubtsQuestion) {
    this.#question = question;
  }

  /** Whether an answer to this window would be cut off. */
  isCutOff({ workspace, id }: Pick<ProfileConfig, 'workspace' | 'id'>, window: Window): boolean {
    return this.#sizes(workspace).isCutOff(id, window);
  }

  /** Whether it read a window whose answers are cut off. */
  isOfCutOffWindow({ workspace, profileId, window }: PastReading): boolean {
    return this.#sizes(workspace).isCutOff(profileId, window);
  }

  /** Whether the reading's answer looks cut off, nobody has looked yet, and this plan is to. */
  isDoubtful(reading: PastReading): boolean {
    const sizes = this.#sizes(reading.workspace);
    const suspicion = sizes.suspicionOf(reading, this.#question.now);
    if (suspicion !== 'weak') return suspicion !== null;
    const followed = this.#followed.get(reading.workspace) ?? new Set();
    this.#followed.set(reading.workspace, followed);
    if (followed.size < sizes.agreementsLeft) followed.add(reading);
    return followed.has(reading);
  }

  #sizes(workspace: string): AnswerSizes {
    const known = this.#workspaces.get(workspace);
    if (known) return known;
    const { answers, checks } = pastAnswers(this.#question, workspace);
    const sizes = new AnswerSizes(answers, checks);
    this.#workspaces.set(workspace, sizes);
    return sizes;
  }
}
