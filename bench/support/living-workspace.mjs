import { compareDumps } from './expected-tables.mjs';
import { dumpTables, withWarehouse } from './warehouse-file.mjs';

export const timezone = 'Europe/Berlin';
export const firstRead = '2023-01-01';

/** @param more lines of the workspace, of the job, and what stands below `webhooks` */
export function jobsFile({ url, profiles, slug, workspace = '', job = '', port = 0 }) {
  const own = profiles.map(({ id, name }) => `{ id: ${id}, name: ${name}, cpm: 30 }`);
  return `timezone: ${timezone}
workspaces:
  acme:
    base_url: ${url}
    api_key: "\${ACME_API_KEY}"
    rate_limit: { requests: 100000, per_seconds: 60 }
    slug: ${slug}
${workspace}    profiles: [${own.join(', ')}]
jobs:
  daily:
    profiles: [acme/*]
    windows: { start: ${firstRead}, size_days: 30, refresh_days: 35 }
    details: true
${job}webhooks: { port: ${port}, token: "\${WEBHOOK_TOKEN}" }
`;
}

/** What people do on a day: figures that are put right, and now and then a post that is deleted. */
export async function changeWorkspace(world, random, deleted) {
  // an answer may have suffered a fault
  const read = await world.posts(firstRead).catch(() => []);
  const posts = read.filter(({ id }) => typeof id === 'string');
  if (posts.length === 0) return;
  for (let count = 0; count < 3; count += 1) {
    const { id } = random.pick(posts);
    const change = {
      impressionCount: random.integer(0, 100_000),
      likeCount: random.integer(-1, 500),
    };
    await world.control('POST', `/linkedin-posts/${id}/metrics`, change);
  }
  const linked = posts.filter(({ servicePost }) => typeof servicePost?.id === 'string');
  if (linked.length < 10 || !random.isChance(0.25)) return;
  const { id } = random.pick(linked).servicePost;
  await world.control('POST', `/posts/${id}/delete`);
  deleted.add(id);
}

/** @returns what a rebuild changes, a sentence each */
export async function compareWithRebuild(postledger, warehouse, options) {
  const before = await withWarehouse(warehouse, dumpTables);
  await postledger.run(['rebuild', '--wait', '20', '--log-level', 'error'], options);
  const after = await withWarehouse(warehouse, dumpTables);
  return compareDumps(before, after).map((problem) => `after a rebuild, ${problem}`);
}
