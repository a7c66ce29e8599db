import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Database } from '../../src/warehouse/database.ts';
import { readSql } from '../../src/warehouse/sql-file.ts';

const oldView = join(import.meta.dirname, '../fixtures/first-version/post_performance.sql');
const reading = "'2026-01-20T06:00:00.000000Z run 000000001'";

/** A LinkedIn post of a post with a label, a campaign, two channels and an asset, as read on the 20th of January. */
const rows = `
  insert into linkedin_posts (
    workspace, linkedin_post_id, profile_id, url, type, impression_count, post_id,
    first_seen_at, last_seen_at, reading, value_readings
  ) values (
    'acme', 'urn:li:1', 'profile', 'https://linkedin/1', 'Image', 100, 'p1',
    '2026-01-20T06:00:00Z', '2026-01-20T06:00:00Z', ${reading},
    {'post_id': null}
  );
  insert into linkedin_post_snapshots (
    workspace, linkedin_post_id, captured_on, captured_at, impression_count, reading
  ) values (
    'acme', 'urn:li:1', '2026-01-20', '2026-01-20T06:00:00Z', 100, ${reading}
  );
  insert into posts (
    workspace, post_id, title, url, status, campaign_id, content,
    title_reading, labels_reading, campaign_reading, detail_reading
  ) values (
    'acme', 'p1', 'Detailed', 'https://app/p1', 'Posted', 'c1',
    '{"linkedIn":{"copy":"Hello"},"x":{"tweets":[{"copy":"Hi"}]}}',
    ${reading}, ${reading}, ${reading}, ${reading}
  );
  insert into assets (workspace, asset_id, post_id, channel) values ('acme', 'm1', 'p1', 'LinkedIn');
  insert into labels (workspace, label_id, name, name_reading) values ('acme', 'l1', 'one', ${reading});
  insert into post_labels values ('acme', 'p1', 'l1');
  insert into campaigns (workspace, campaign_id, name, name_reading)
  values ('acme', 'c1', 'Spring', ${reading});`;

/** A warehouse with the tables and the view of the first version, and with rows in them. */
export async function makeFirstWarehouse(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const database = await Database.open(path, 'READ_WRITE');
  try {
    await database.run(
      'create table schema_files (name varchar not null, sha256 varchar not null)',
    );
    const migration = await readSql('migrations/0001_initial.sql');
    await apply(database, 'migrations/0001_initial.sql', migration);
    const view = await readFile(oldView, 'utf8');
    await apply(database, 'views/post_performance.sql', view);
    await database.run(rows);
  } finally {
    database.close();
  }
}

async function apply(database: Database, name: string, sql: string): Promise<void> {
  await database.run(sql);
  const sha256 = createHash('sha256').update(sql).digest('hex');
  await database.run('insert into schema_files values ($name, $sha256)', { name, sha256 });
}
