import type { SandboxProfile } from '../identity.ts';
import { logNormal, randomFor } from './random.ts';

/** How a profile publishes and is read. */
export interface Account {
  readonly profile: SandboxProfile;
  readonly index: number;
  /** Of all posts of the workspace. */
  readonly share: number;
  readonly medianImpressions: number;
  /** Standard deviation of the logarithm of impressions within the account. */
  readonly sigma: number;
}

interface Habits {
  readonly weight: number;
  readonly medianImpressions: number;
  readonly sigma: number;
}

/**
 * Log-normal as in real accounts (medians from 1,100 to 14,000; sigma from 0.43 to 1.71 for whole
 * accounts, 0.8 to 1.12 in the middle half), without the most extreme one, in which one post has
 * four fifths of all impressions.
 */
const knownHabits: readonly Habits[] = [
  { weight: 1.55, medianImpressions: 2300, sigma: 0.85 },
  { weight: 0.85, medianImpressions: 1250, sigma: 0.8 },
  { weight: 1.1, medianImpressions: 5200, sigma: 1.08 },
  { weight: 0.85, medianImpressions: 3200, sigma: 1 },
  { weight: 0.65, medianImpressions: 1070, sigma: 0.62 },
];

export function accountsOf(seed: number, profiles: readonly SandboxProfile[]): Account[] {
  const habits = profiles.map((_, index) => knownHabits[index] ?? drawHabits(seed, index));
  const total = habits.reduce((sum, { weight }) => sum + weight, 0);
  return profiles.flatMap((profile, index) => {
    const own = habits[index];
    if (!own) return [];
    const { weight, medianImpressions, sigma } = own;
    return [{ profile, index, share: weight / total, medianImpressions, sigma }];
  });
}

function drawHabits(seed: number, index: number): Habits {
  const random = randomFor(seed, 'account', index);
  return {
    weight: 0.5 + random(),
    medianImpressions: logNormal(2000, 0.5, random),
    sigma: 0.8 + 0.32 * random(),
  };
}
