import { group } from 'd3-array';
import { firstFew, plural } from '../core/wording.ts';
import { reasonOf, type OpenProblem, type ProblemKind } from './open-problems.ts';

export const verdictNames = ['stale', 'warning', 'failed'] as const;

/** A sentence for each reason why it holds: none where it does not, null where that is unknown. */
export type Verdicts = Readonly<Record<(typeof verdictNames)[number], readonly string[] | null>>;

/** @param isWarehouseUnknown true if only what is known without the warehouse is among the problems */
export function verdictsOf(
  problems: readonly OpenProblem[],
  isWarehouseUnknown: boolean,
): Verdicts {
  const sentences = (verdict: OpenProblem['severity']) => {
    const found = problemSentences(problems.filter(({ severity }) => severity === verdict));
    return found.length === 0 && isWarehouseUnknown ? null : found;
  };
  return {
    stale: sentences('stale'),
    warning: sentences('warning'),
    failed: sentences('failed'),
  };
}

type Group = readonly [OpenProblem, ...OpenProblem[]];

/** One sentence for each problem, or for all that have one cause, in the order of the first of them. */
export function problemSentences(problems: readonly OpenProblem[]): string[] {
  return [...group(problems, groupOf).values()].map((each) => sentenceOf(each as unknown as Group));
}

/** Equal for problems that share a sentence. */
function groupOf({ kind, severity, workspace, subject, job, message }: OpenProblem): string {
  if (kind === 'failed_range') return JSON.stringify([kind, workspace, message]);
  if (kind === 'failed_delivery' || kind === 'unknown_delivery') return 'deliveries';
  return JSON.stringify([kind, job, subject, severity === 'warning' ? '' : message]);
}

/** The sentences of kinds that say more than their subject and message. */
const sentences: Partial<Record<ProblemKind, (first: OpenProblem, all: Group) => string>> = {
  failed_run: runSentence,
  interrupted_run: runSentence,
  failed_range: (_, all) => reasonSentence(all, 'date range'),
  failed_delivery: deliverySentence,
  unknown_delivery: deliverySentence,
  failed_alert: ({ message }) => `an alert failed: ${message}`,
  sent_unread: ({ message, remedy }) =>
    `${message}; once it is read again, \`postledger ${remedy}\` corrects it for all who got it`,
  stale_profile: ({ job, subject, message }) => `${job}: ${subject} ${message}`,
  rejected_deletions: ({ message, remedy }) => `${message}; \`postledger ${remedy}\` says why`,
  kept_deletions: ({ message, remedy }) =>
    `${message}; add it to the slugs of its workspace (workspaces.<key>.slug) and run \`postledger ${remedy}\`, or end it with \`postledger webhooks discard\` (\`postledger webhooks list --outcome kept\` has the keys)`,
  damaged_files: ({ message, subject, remedy }) =>
    `${message} in the ${subject}; \`postledger ${remedy}\` names them`,
  later_reading: ({ subject, message }) =>
    `${subject}: ${message}, later than now, and wins over all until then; see "A clock that was days ahead" in docs/failures.md`,
  unreadable_values: ({ subject }, all) =>
    `${subject}: could not be read: ${all.map(({ message }) => message).join(', ')}; the table rejected_records has the values, and a reading that has them ends it`,
};

function sentenceOf(all: Group): string {
  const [first] = all;
  return (
    sentences[first.kind]?.(first, all) ??
    `${first.subject}: ${firstFew(all.map(({ message }) => message))}`
  );
}

function runSentence({ subject, message, remedy }: OpenProblem): string {
  return `${subject}: its ${message}; see: postledger ${remedy}`;
}

function deliverySentence(_: OpenProblem, all: Group): string {
  return `deliveries that failed or may not have arrived: ${all.length}; see: postledger deliver list`;
}

interface FailedRequest {
  readonly workspace: string;
  readonly subject: string;
  readonly error: string | null;
}

/** A sentence for each reason in a workspace: a refused key is one mistake, however many requests it costs. */
export function reasonSentences(failed: readonly FailedRequest[], noun: string): string[] {
  const requests = failed.map(({ workspace, subject, error }) => {
    return { workspace, subject, message: reasonOf(error) };
  });
  const groups = group(requests, ({ workspace, message }) => JSON.stringify([workspace, message]));
  return [...groups.values()].map((each) => reasonSentence(each, noun));
}

function reasonSentence(
  requests: readonly Pick<OpenProblem, 'subject' | 'message'>[],
  noun: string,
): string {
  const more = requests.length > 1 ? ` and ${plural(requests.length - 1, `more ${noun}`)}` : '';
  return `${requests[0]?.subject}${more}: ${requests[0]?.message}`;
}
