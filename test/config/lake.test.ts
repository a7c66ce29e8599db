import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { loadJobs, problemsOf, top } from '../support/jobs-file.ts';

const onS3 = `warehouse:
  lake:
    catalog: \${CATALOG_URL}
    data: s3://bucket/prefix
    s3:
      access_key_id: \${S3_KEY_ID}
      secret_access_key: \${S3_SECRET}
      endpoint: https://s3.example.com
  reader:
    catalog: \${CATALOG_READ_URL}`;

it('a lake has its catalog, its data and its keys, and shows no secret', async () => {
  const environment = {
    CATALOG_URL: 'postgres://loader:of-the-loader@db/postledger',
    CATALOG_READ_URL: 'postgres://reader:of-the-reader@db/postledger',
    S3_KEY_ID: 'an-id',
    S3_SECRET: 'a-secret',
  };
  const { warehouse } = await loadJobs(top(onS3), { environment });
  if (typeof warehouse === 'string') throw new Error('not a lake');
  const s3 = {
    accessKeyId: '${S3_KEY_ID}',
    secretAccessKey: '${S3_SECRET}',
    endpoint: 'https://s3.example.com',
    region: 'us-east-1',
  };
  expect(JSON.parse(JSON.stringify(warehouse))).toEqual({
    writer: { catalog: '${CATALOG_URL}', s3 },
    reader: { catalog: '${CATALOG_READ_URL}', s3 },
    data: 's3://bucket/prefix/',
    raw: null,
    shards: 4,
    extensions: null,
  });
  expect(warehouse.writer.catalog.reveal()).toBe(environment.CATALOG_URL);
  expect(warehouse.reader?.catalog.reveal()).toBe(environment.CATALOG_READ_URL);
  expect(warehouse.reader?.s3?.secretAccessKey.reveal()).toBe('a-secret');
});

it('a lake in a folder has absolute paths and no keys', async () => {
  const config = await loadJobs(
    top(
      'warehouse: { lake: { catalog: "${CATALOG_URL}", data: ./lake, shards: 2 }, extensions: ./ext }',
    ),
  );
  const folder = dirname(config.file);
  expect(config.warehouse).toMatchObject({
    writer: { s3: null },
    reader: null,
    data: `${join(folder, 'lake')}/`,
    shards: 2,
    extensions: join(folder, 'ext'),
  });
});

it.each([
  [
    'data on S3 without keys',
    'warehouse: { lake: { catalog: "${CATALOG_URL}", data: "s3://b/p/" } }',
    'must have s3, with the keys of the bucket',
  ],
  [
    'a catalog that stands there itself',
    'warehouse: { lake: { catalog: "postgres://a:b@c/d", data: ./lake } }',
    'warehouse.lake.catalog',
  ],
])('%s is refused', async (_what, line, problem) => {
  const problems = (await problemsOf(top(line))).join('\n');
  expect(problems).toContain(problem);
  expect(problems).not.toContain('a:b@');
});
