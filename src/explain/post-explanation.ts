import { UsageError } from '../core/errors.ts';
import type { DatabaseValue } from '../warehouse/cell.ts';
import { readSql } from '../warehouse/sql-file.ts';
import type { Source } from './cell-explanation.ts';
import type { ReportSession } from '../report/report-session.ts';

type ExplainedRow = Readonly<Record<string, DatabaseValue>>;

/** What is known of a post, and where it comes from. */
export type PostExplanation = Awaited<ReturnType<typeof explainPost>>;

export interface Metric {
  readonly metric: string;
  readonly title: string;
  readonly unit: 'count' | 'rate' | 'money' | 'seconds';
  /** The name by which a price list prices it, and per how many; null where none does. */
  readonly price: string | null;
  readonly per: number | null;
}

interface PostEvent {
  readonly type: string;
  readonly received_at: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly event_key: string;
}

/**
 * Explains a post of the session's scope.
 * @param name its id on LinkedIn, or its address
 * @throws UsageError if there is none that the filters let through, or if several workspaces have it
 */
export async function explainPost({ database, tables }: ReportSession, name: string) {
  await database.run(await readSql('address.sql'));
  await database.run(await readSql('explain/post.sql'), { post: name });
  const [post, ...others] = await database.queryObjects(
    'from explained_cell order by workspace, linkedin_post_id',
  );
  if (post === undefined)
    throw new UsageError(
      `${name}: there is no report and no post of that id or address here; \`postledger report list\` lists the reports, \`postledger sql "select linkedin_post_id, url from post_performance"\` the posts`,
    );
  if (others.length > 0) {
    const found = [post, ...others].map(
      (one) => `${String(one['workspace'])} ${String(one['linkedin_post_id'])}`,
    );
    throw new UsageError(
      `${name}: there are ${found.length} such posts (${found.join(', ')}); choose one with --workspace, or give its id`,
    );
  }
  return {
    /** The columns of report_posts, with the prices that make its EMV. */
    post,
    metrics: await database.queryObjects<Metric>(
      'select metric, title, unit, price, per from metrics order by position',
    ),
    /** The oldest first. The last one that has a metric gives its value. */
    readings: await tables.query<Omit<Source, 'metric'> & ExplainedRow>('explain/readings'),
    /** The events about the post of the workspace that it belongs to. */
    events: await tables.query<PostEvent>('explain/events'),
  };
}
