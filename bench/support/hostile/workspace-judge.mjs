import { compareTables, metrics } from '../expected-tables.mjs';

const columns = Object.entries(metrics);
const texts = ['url', 'commentary', 'type'];
const windows = ['2025-05-31', '2025-05-01', '2025-04-01'];
const targetWindow = windows[1];

/** Holds what the warehouse has of one workspace against the truth of the hostile service. */
export class WorkspaceJudge {
  constructor(workspace, truth) {
    this.workspace = workspace;
    this.truth = truth;
  }

  /** One window of one profile, and the details of one post. */
  isTarget({ profileId, postId, from }) {
    const [profile] = this.truth.profiles;
    if (postId !== null) return postId === this.#targetPost(profile);
    return profileId === profile.id && from === targetWindow;
  }

  /** Of the last run: 0 stands for success, 3 for anything less. */
  async judgeStatus(query, code, told) {
    const [part] = await query(`select status from run_parts where workspace = '${this.workspace}'
      order by started_at desc limit 1`);
    const failed = await query(`select error, http_status from extract_windows
      where workspace = '${this.workspace}' and status = 'failed'`);
    const isSuccess = part?.status === 'succeeded';
    if (isSuccess !== (code === 0)) {
      const why = failed.at(-1)?.error ?? 'no window failed';
      told(
        `the run's part ${part?.status ?? 'is not there'}, where exit code ${code} is due: ${why}`,
      );
    }
    if (failed.some(({ error }) => !error)) told('a window failed without a reason');
  }

  /** Whatever went wrong, what is there is what some answer said, and what did not suffer is new. */
  async lookBetween(query, disk, { mode, isModelled, isLimited, told }) {
    if (isModelled) await this.#compareWithResponses(query, disk, told);
    const isNewAll = mode === null || mode.kind === 'harmless';
    const isAnything = ['taken', 'rejected'].includes(mode?.kind);
    const isNewBeside = isLimited && !mode?.stops;
    if (!isAnything || isNewBeside)
      await this.#compareGenerations(query, { isNewAll, isNewBeside, isAnything, told });
    if (mode?.kind === 'rejected') await this.#requireReasons(query, told);
  }

  /** All has to be as if no fault had ever been. */
  async lookAtTheEnd(query, { leavesOthers = false, told }) {
    const all = this.truth.all();
    await this.#compareGenerations(query, { isNewAll: true, isNewBeside: true, told });
    await this.#compareWorkspacePosts(query, all, told);
    if (leavesOthers) return;
    const [row] = await query(`select count(extra)::int as extras,
        count(*)::int as posts, count(distinct post_id)::int as linked,
        (select count(*)::int from posts where workspace = '${this.workspace}') as known
      from linkedin_posts where workspace = '${this.workspace}'`);
    if (row.posts !== all.length) told(`linkedin_posts has ${row.posts} posts, not ${all.length}`);
    if (row.known !== row.linked)
      told(`posts has ${row.known} posts, and ${row.linked} are linked`);
    if (row.extras > 0) told('linkedin_posts still has fields of a bad answer');
  }

  lookAtStatus(profiles, { leavesOthers = false, told }) {
    for (const { workspace, name, failed_windows: failed, posts } of profiles) {
      if (workspace !== this.workspace) continue;
      if (failed.length > 0) told(`status still tells of failed windows of ${name}`);
      if (posts !== this.truth.all().length / 2 && !leavesOthers)
        told(`status tells of ${posts} posts of ${name}`);
    }
  }

  async #compareWithResponses(query, disk, told) {
    const own = [...disk.responses].filter(([key]) => key.startsWith(`${this.workspace} `));
    const ownRows = async (sql) => {
      const rows = await query(sql);
      return rows.filter(
        ({ workspace }) => workspace === undefined || workspace === this.workspace,
      );
    };
    const problems = await compareTables(ownRows, new Map(own), 'UTC');
    for (const problem of problems.slice(0, 3)) told(problem);
  }

  /** Rows are those of one generation each; of the present one where nothing can have gone wrong. */
  async #compareGenerations(query, { isNewAll, isNewBeside, isAnything = false, told }) {
    const now = this.truth.generation;
    const found = new Map((await this.#readRows(query)).map((row) => [row.id, row]));
    const problems = [];
    for (const { profileId, record } of this.truth.all()) {
      const row = found.get(record.id);
      const asked = { profileId, postId: null, from: windowOf(record) };
      const isBeside = isNewBeside && !this.isTarget(asked);
      if (isAnything && !isBeside) continue;
      const oldest = isNewAll || isBeside ? now : 1;
      if (!row || !this.#isOfGeneration(row, oldest, now))
        problems.push(`${JSON.stringify(row)} for ${JSON.stringify(record)}`);
    }
    if (problems.length > 0) told(`${problems.length} posts are not as new as due: ${problems[0]}`);
  }

  #isOfGeneration(row, oldest, newest) {
    for (let generation = newest; generation >= oldest; generation -= 1)
      if (isRow(row, this.truth.find(row.id, generation))) return true;
    return false;
  }

  async #requireReasons(query, told) {
    const rows = await query(
      `select reason from rejected_records where workspace = '${this.workspace}'`,
    );
    if (rows.length === 0) told('nothing was rejected');
    const wordless = rows.find(({ reason }) => !/expected|missing|empty/.test(reason));
    if (wordless) told(`a reason says nothing: ${JSON.stringify(wordless)}`);
  }

  /** What details, links and labels have to have come to. */
  async #compareWorkspacePosts(query, all, told) {
    const rows = await query(`select posts.post_id, title, missing_since,
        list_sort(list(name) filter (where name is not null)) as labels
      from posts left join post_labels using (workspace, post_id)
        left join labels using (workspace, label_id)
      where workspace = '${this.workspace}' group by all`);
    const found = new Map(rows.map((row) => [row.post_id, row]));
    const linked = all.flatMap(({ record }) => (record.servicePost ? [record.servicePost] : []));
    for (const { id, title, labels } of linked) {
      const row = found.get(id);
      const names = JSON.stringify(labels.map(({ name }) => name));
      if (row?.title !== title || JSON.stringify(row.labels ?? []) !== names)
        told(`posts has ${JSON.stringify(row)} for ${id}: ${title} with ${names}`);
      if (row?.missing_since) told(`post ${id} is still said to be missing`);
    }
  }

  #targetPost({ id }) {
    const records = this.truth.recordsOf(id, windows[0], '9999-12-31');
    return records.find(({ servicePost }) => servicePost !== null)?.servicePost.id;
  }

  #readRows(query) {
    return query(`select linkedin_post_id as id, profile_id, url, commentary, type, post_id,
        strftime(published_at, '%Y-%m-%dT%H:%M:%S.%gZ') as published_at,
        ${columns.map(([, column]) => column).join(', ')}
      from linkedin_posts where workspace = '${this.workspace}'`);
  }
}

function isRow(row, { profileId, record }) {
  return (
    row.profile_id === profileId &&
    row.published_at === record.publishedAt &&
    (row.post_id ?? null) === (record.servicePost?.id ?? null) &&
    texts.every((name) => (row[name] ?? null) === record[name]) &&
    columns.every(([name, column]) =>
      record[name] === null ? (row[column] ?? null) === null : Number(row[column]) === record[name],
    )
  );
}

function windowOf({ publishedAt }) {
  return windows.find((first) => first <= publishedAt.slice(0, 10));
}
