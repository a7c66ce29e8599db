import { bodyModes } from './body-modes.mjs';
import { recordModes } from './record-modes.mjs';
import { statusModes } from './status-modes.mjs';
import { transportModes } from './transport-modes.mjs';

/**
 * What each kind of fault has to come to, as exit codes of a run in which every try of one window and one post's
 * details meets it; of one in which each first try does; and of one in which every try does.
 */
const outcomes = {
  /** An odd way of giving what is right. */
  harmless: [0, 0, 0],
  /** Odd values, which are kept as they were given until the next answer. */
  taken: [0, 0, 0],
  /** Members that cannot be taken, and are told of in rejected_records. */
  rejected: [0, 0, 0],
  /** Another try may be better. */
  retried: [3, 0, 3],
  /** Another try is pointless. */
  refused: [3, 3, 3],
};

/** Pauses between tries are so many times as short as they are. */
const usualSpeed = 40;

/** By name: how it answers, and what has to come of it. */
export const modes = new Map(
  [
    ...named('retried', transportModes.retried),
    ...named('refused', transportModes.refused),
    ...named('harmless', transportModes.harmless),
    ...named('retried', bodyModes.retried),
    ...named('refused', bodyModes.refused),
    ...named('harmless', bodyModes.harmless),
    ...named('retried', statusModes.retried),
    ...named('refused', statusModes.refused),
    ...named('harmless', statusModes.harmless),
    ...named('harmless', recordModes.harmless),
    ...named('taken', recordModes.taken),
    ...named('rejected', recordModes.rejected),
  ].map((mode) => [mode.name, mode]),
);

function named(kind, answers) {
  return Object.entries(answers).map(([name, given]) => {
    const { answer, ...traits } = typeof given === 'function' ? { answer: given } : given;
    return {
      name,
      kind,
      answer,
      isTriedAgain: ['retried', 'refused'].includes(kind),
      codes: outcomes[kind],
      speed: usualSpeed,
      isModelled: true,
      leavesOthers: false,
      ...traits,
    };
  });
}
