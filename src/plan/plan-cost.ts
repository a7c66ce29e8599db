import type { ProfileConfig, RateLimit } from '../config/config.ts';
import type { WorkspacePlan } from './plan.ts';

/** What a plan costs when nothing has to be asked twice. */
export interface PlanCost {
  readonly workspace: string;
  readonly requests: number;
  readonly windows: number;
  readonly details: number;
  /** From the first request to the last, as far as the limit alone makes it take. */
  readonly seconds: number;
  /** An estimate of the details that are not known to be due yet; null: nothing is known. */
  readonly expectedDetails: number | null;
  /** As `seconds`, with these. */
  readonly expectedSeconds: number;
  /** Those with windows to read, in the order of asking. */
  readonly profiles: readonly ProfileCost[];
}

interface ProfileCost {
  readonly profile: ProfileConfig;
  /** One request each. */
  readonly windows: number;
}

export function planCost(plan: Omit<WorkspacePlan, 'checks'>, rateLimit: RateLimit): PlanCost {
  const windows = plan.windows.length;
  const details = plan.details.length;
  const requests = windows + details;
  const { expectedDetails } = plan;
  return {
    workspace: plan.workspace,
    requests,
    windows,
    details,
    seconds: limitSeconds(requests, rateLimit),
    expectedDetails,
    expectedSeconds: limitSeconds(requests + (expectedDetails ?? 0), rateLimit),
    profiles: profileCosts(plan),
  };
}

/** At most `requests` in any interval: the next ones can leave when the first ones are an interval old. */
function limitSeconds(count: number, { requests, perSeconds }: RateLimit): number {
  return count === 0 ? 0 : Math.floor((count - 1) / requests) * perSeconds;
}

function profileCosts({ windows }: Pick<WorkspacePlan, 'windows'>): ProfileCost[] {
  const counts = new Map<ProfileConfig, number>();
  for (const { profile } of windows) counts.set(profile, (counts.get(profile) ?? 0) + 1);
  return [...counts].map(([profile, count]) => ({ profile, windows: count }));
}
