import type { Day } from '../../core/calendar.ts';
import { sandboxUuid } from '../identity.ts';

export type CampaignKey =
  | 'heat-pumps'
  | 'apprentices'
  | 'annual-report'
  | 'summit'
  | 'winter'
  | 'fjord-cable'
  | 'open-day';

export interface Campaign {
  readonly id: string;
  readonly name: string;
  readonly startDate: Day;
  readonly endDate: Day;
}

interface CampaignPlan {
  readonly name: (year: number) => string;
  /** Month and day, both included. */
  readonly from: string;
  readonly to: string;
}

const campaignPlans: Readonly<Record<CampaignKey, CampaignPlan>> = {
  'heat-pumps': { name: (year) => `Heat pump myths ${year}`, from: '09-15', to: '12-15' },
  apprentices: { name: (year) => `Apprentices ${year}`, from: '01-10', to: '04-15' },
  'annual-report': { name: (year) => `Annual report ${year - 1}`, from: '03-01', to: '04-30' },
  summit: { name: (year) => `Grid Summit ${year}`, from: '04-20', to: '06-20' },
  winter: { name: (year) => `Winter ready ${year}`, from: '10-01', to: '12-20' },
  'fjord-cable': { name: (year) => `Fjord cable ${year}`, from: '02-01', to: '11-30' },
  'open-day': { name: (year) => `Open substation day ${year}`, from: '08-10', to: '09-20' },
};

export function isCampaignRunning(key: CampaignKey, day: Day): boolean {
  const { from, to } = campaignPlans[key];
  return day.slice(5) >= from && day.slice(5) <= to;
}

/** The campaign of this kind that runs on `day`, or null between two of them. */
export function campaignOn(seed: number, key: CampaignKey, day: Day): Campaign | null {
  if (!isCampaignRunning(key, day)) return null;
  const plan = campaignPlans[key];
  const year = day.slice(0, 4);
  return {
    id: sandboxUuid(seed, 'campaign', `${key}-${year}`),
    name: plan.name(Number(year)),
    startDate: `${year}-${plan.from}`,
    endDate: `${year}-${plan.to}`,
  };
}

const labelPlans = {
  event: { name: 'Event', color: '#5b21b6', backgroundColor: '#ede9fe' },
  customer: { name: 'Customer story', color: '#075985', backgroundColor: '#e0f2fe' },
  hiring: { name: 'Hiring', color: '#9d174d', backgroundColor: '#fce7f3' },
  leadership: { name: 'Thought leadership', color: '#1e3a8a', backgroundColor: '#dbeafe' },
  backstage: { name: 'Behind the scenes', color: '#854d0e', backgroundColor: '#fef9c3' },
  product: { name: 'Product', color: '#115e59', backgroundColor: '#ccfbf1' },
  award: { name: 'Award', color: '#92400e', backgroundColor: '#fef3c7' },
  safety: { name: 'Safety', color: '#991b1b', backgroundColor: '#fee2e2' },
  sustainability: { name: 'Sustainability', color: '#166534', backgroundColor: '#dcfce7' },
  community: { name: 'Community', color: '#3730a3', backgroundColor: '#e0e7ff' },
} as const;
export type LabelKey = keyof typeof labelPlans;

export interface Label {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly backgroundColor: string;
}

export const labelKeys = Object.keys(labelPlans) as LabelKey[];

export function labelOf(seed: number, key: LabelKey): Label {
  return { id: sandboxUuid(seed, 'label', key), ...labelPlans[key] };
}
