import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { dataRoot } from '../../core/package-root.ts';

/** What posts of one subject are put together from; data/topics.yaml says what each list is. */
export interface Topic {
  readonly isPersonal: boolean;
  readonly campaign: CampaignText | null;
  readonly labels: readonly LabelText[];
  readonly titles: readonly string[];
  readonly hooks: readonly string[];
  readonly sentences: readonly string[];
  readonly closings: readonly string[];
  readonly hashtags: readonly string[];
}

interface LabelText {
  readonly key: string;
  readonly name: string;
  readonly color: string;
  readonly backgroundColor: string;
}

export interface CampaignText {
  readonly key: string;
  /** The name, with the slots {year} and {lastYear}. */
  readonly name: string;
  /** The first and the last day as month and day, both included. */
  readonly from: string;
  readonly to: string;
}

/** data/workspace.yaml */
interface WorkspaceText {
  readonly team: readonly {
    readonly firstName: string;
    readonly lastName: string;
    readonly mailbox: string;
  }[];
  readonly labels: readonly LabelText[];
  readonly campaigns: readonly CampaignText[];
}

/** data/texts.yaml */
interface OtherTexts {
  readonly places: readonly string[];
  readonly firstNames: readonly string[];
  readonly otherLanguages: readonly string[];
  readonly oddTexts: readonly string[];
  readonly firstReplies: readonly string[];
  readonly laterReplies: readonly string[];
  readonly reactions: readonly string[];
  readonly approvalMessages: readonly string[];
}

interface TopicText extends Omit<Topic, 'isPersonal' | 'campaign' | 'labels'> {
  readonly isPersonal?: true;
  readonly campaign: string | null;
  readonly labels: readonly string[];
}

export const workspaceTexts = readTexts('workspace.yaml') as WorkspaceText;
export const texts = readTexts('texts.yaml') as OtherTexts;
export const topics: readonly Topic[] = (readTexts('topics.yaml') as TopicText[]).map((topic) => ({
  ...topic,
  isPersonal: topic.isPersonal ?? false,
  campaign: topic.campaign === null ? null : byKey(workspaceTexts.campaigns, topic.campaign),
  labels: topic.labels.map((key) => byKey(workspaceTexts.labels, key)),
}));

function readTexts(name: string): unknown {
  return parse(readFileSync(join(dataRoot, 'sandbox', 'data', name), 'utf8'));
}

function byKey<Item extends { readonly key: string }>(items: readonly Item[], key: string): Item {
  const found = items.find((item) => item.key === key);
  if (!found) throw new RangeError(`workspace.yaml has nothing with the key ${key}`);
  return found;
}
