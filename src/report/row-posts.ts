import type { DatabaseValue } from '../warehouse/cell.ts';
import type { QueryResult } from '../warehouse/database.ts';
import { quoteText } from '../warehouse/sql-text.ts';
import type { SectionDefinition } from './definition-schema.ts';
import { isPostList, postKey } from './report-document.ts';
import type { OpenReport } from './open-report.ts';
import { makeSectionTable, type SectionQuery } from './section-query.ts';

/** A post, and the values of key columns under which it counts. */
interface KeyedPost {
  readonly key: string;
  readonly isVideo: boolean;
  readonly keyValues: ReadonlyMap<string, readonly (string | null)[]>;
}

/** Of more posts a page shows no table whole, and to hold all in memory is most of the price of a long period. */
const maxPosts = 10_000;

/** Finds the posts behind the rows of a report's sections, at the grain of time that is set when it starts. */
export class RowPosts {
  readonly #report: OpenReport;
  readonly #posts: readonly KeyedPost[];

  private constructor(report: OpenReport, posts: readonly KeyedPost[]) {
    this.#report = report;
    this.#posts = posts;
  }

  /** Returns null for a report that has no list of all its posts, and for one of many. */
  static async start(report: OpenReport): Promise<RowPosts | null> {
    const { database, definition, session } = report;
    const { sections } = definition;
    if (!sections.some(isPostList)) return null;
    const { rows: counts } = await database.query('select count(*) from report_posts');
    if (Number(counts[0]?.[0]) > maxPosts) return null;
    const columns = [
      ...new Set([...sections.flatMap(({ key }) => key), 'workspace', 'profile_id']),
    ];
    const lists = columns.map((column) => `key_values[${quoteText(column)}]`);
    // the report's connection is in a transaction, and sees nothing that is made after that began
    await session.tables.make(['explained_key_values']);
    const { rows } = await session.database.query(`
      select workspace, linkedin_post_id, type = 'Video', to_json([${lists.join(', ')}])::varchar
      from explained_key_values
      where is_current
      order by workspace, linkedin_post_id`);
    const posts = rows.map(([workspace, id, isVideo, json]) => {
      // null in place of a list: the column says nothing about posts
      const values = JSON.parse(String(json)) as (readonly (string | null)[] | null)[];
      return {
        key: postKey(workspace, id),
        isVideo: isVideo === true,
        keyValues: new Map(columns.map((column, at) => [column, values[at] ?? []])),
      };
    });
    return new RowPosts(report, posts);
  }

  /**
   * Returns the posts of each row by `postKey`; none where they are not as many as the row counts, since such a row is
   * about others. `<section>.posts.sql` gives the posts of a section with rows of its own. Null for a section that
   * counts no posts.
   */
  async find(
    { name, key, layout }: SectionDefinition,
    { columns, rows }: QueryResult,
  ): Promise<readonly (readonly string[])[] | null> {
    const names = columns.map((column) => column.name);
    const scope = postScope(names);
    const counted = names.indexOf(scope);
    if (counted < 0 || key.length === 0 || layout !== 'table') return null;
    const file = `${name}.posts.sql`;
    const own = this.#report.definition.sql.has(file) ? { ...this.#report, file } : null;
    const by = own ? key : keyColumns(key, names);
    const posts = this.#posts.filter(({ isVideo }) => isVideo || scope === 'posts');
    const groups = own ? await ownGroups(own, by) : groupPosts(posts, by);
    return rows.map((row) => {
      const values = by.map((column) => groupText(row[names.indexOf(column)]));
      const found = groups.get(JSON.stringify(values)) ?? [];
      return found.length === Number(row[counted]) ? found : [];
    });
  }
}

/** Returns what a section with these columns is about: one that counts `videos`, and not `posts`, is about videos. */
export function postScope(names: readonly string[]): 'posts' | 'videos' {
  return names.includes('videos') && !names.includes('posts') ? 'videos' : 'posts';
}

/** The columns by which the posts of a row are found. Profiles go by their id, since two may have one name. */
export function keyColumns(key: readonly string[], names: readonly string[]): string[] {
  const ofProfile = names.filter((name) => name === 'workspace' || name === 'profile_id');
  const columns = new Set([...key, ...ofProfile]);
  if (columns.has('profile_id')) columns.delete('profile');
  return [...columns];
}

/** The keys of posts, by the JSON of the values under which they count. */
type Groups = ReadonlyMap<string, readonly string[]>;

/** Groups the posts by the key of the section, of which its own file gives the values. */
async function ownGroups(query: SectionQuery, key: readonly string[]): Promise<Groups> {
  await makeSectionTable('row_posts', query);
  const values = key.map((column) => `coalesce("${column}"::varchar, '')`);
  const { rows } = await query.database.query(`
    select to_json([${values.join(', ')}])::varchar, list(workspace || ' ' || linkedin_post_id order by workspace, linkedin_post_id)
    from row_posts
    group by all`);
  return new Map(
    rows.map(([json, keys]) => [JSON.stringify(JSON.parse(String(json))), keys as string[]]),
  );
}

/** Groups the posts by each combination of their values of these columns. */
function groupPosts(posts: readonly KeyedPost[], by: readonly string[]): Groups {
  const groups = new Map<string, string[]>();
  for (const { key, keyValues } of posts) {
    const combinations = by.reduce<readonly (readonly (string | null)[])[]>(
      (begun, column) =>
        begun.flatMap((before) => (keyValues.get(column) ?? []).map((value) => [...before, value])),
      [[]],
    );
    for (const values of combinations) {
      const name = JSON.stringify(values);
      const group = groups.get(name);
      if (group) group.push(key);
      else groups.set(name, [key]);
    }
  }
  return groups;
}

function groupText(cell: DatabaseValue | undefined): string {
  return String(cell ?? '');
}
