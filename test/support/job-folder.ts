import { join } from 'node:path';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';
import { runCli, startCli, writeFiles, type Finished, type Running } from './cli.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { uuid } from './made-records.ts';

export interface JobFolderOptions {
  readonly url: string;
  /** Names and numbers of profiles, ids as `uuid(number)`. */
  readonly profiles?: readonly {
    readonly name: string;
    readonly number: number;
    readonly cpm?: number;
  }[];
  readonly limit?: { readonly requests: number; readonly perSeconds: number };
  readonly windows?: string;
  readonly details?: boolean | string;
  readonly reports?: string;
  readonly key?: string;
  readonly top?: string;
}

/** A folder with jobs.yaml and .env in which the program runs. */
export interface JobFolder {
  readonly folder: string;
  readonly run: (...args: string[]) => Promise<Finished>;
  readonly start: (...args: string[]) => Running;
  /** Writes files by their path in the folder. */
  readonly write: (files: Record<string, string>) => Promise<void>;
  /** Returns the rows of a query on the warehouse. */
  readonly query: (sql: string) => Promise<Record<string, unknown>[]>;
}

export async function jobFolder(options: JobFolderOptions): Promise<JobFolder> {
  const folder = await temporaryFolder();
  await writeFiles(folder, {
    'jobs.yaml': jobsYaml(options),
    '.env': `PLAIN_KEY=${options.key ?? 'plain-key'}\nHOOK_TOKEN=hook-token-of-a-job\n`,
  });
  const run = (...args: string[]) => runCli(args, { cwd: folder });
  return {
    folder,
    run,
    start: (...args) => startCli(args, { cwd: folder }),
    write: (files) => writeFiles(folder, files),
    query: async (sql) => {
      const database = await openWarehouse(join(folder, 'data/postledger.duckdb'));
      try {
        return await database.queryObjects(sql);
      } finally {
        database.close();
      }
    },
  };
}

function jobsYaml(options: JobFolderOptions): string {
  const limit = options.limit ?? { requests: 1000, perSeconds: 1 };
  const profiles = options.profiles ?? [{ name: 'Acme', number: 900 }];
  return `${options.top ?? 'timezone: UTC'}
workspaces:
  acme:
    base_url: ${options.url}
    api_key: \${PLAIN_KEY}
    rate_limit: { requests: ${limit.requests}, per_seconds: ${limit.perSeconds} }
    timeout_seconds: 5
    profiles:
${profiles.map(({ name, number, cpm }) => `      - { id: ${uuid(number)}, name: ${name}${cpm === undefined ? '' : `, cpm: ${cpm}`} }`).join('\n')}
jobs:
  daily:
    profiles: [acme/*]
    windows: ${options.windows ?? '{ days: 60, size_days: 30, refresh_days: 10 }'}
    details: ${options.details ?? true}
    reports: ${options.reports ?? '[]'}
`;
}
