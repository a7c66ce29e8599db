import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { LakeAccess, LakeConfig } from '../../src/config/config.ts';
import { Secret } from '../../src/config/secret.ts';
import { deafPort } from './loopback.ts';

/** The tools that .ci/lake-tools installs. */
const tools = resolve(import.meta.dirname, '../../.cache/lake');
export const extensions = join(tools, 'ext');
const s3Program = join(tools, 'bin', 'versitygw');

/** What sets up a lake's servers for its users. */
const setUp = resolve(import.meta.dirname, '../../deploy/lake');

export const passwords = {
  catalog: 'a-password-of-the-catalog',
  s3: 'a-secret-key-of-s3',
  s3Reader: 'a-secret-key-that-only-reads',
};

/** A PostgreSQL and an S3 server on loopback, in a folder that goes away with them. */
export class LakeServers {
  /** Anybody may write there: PostgreSQL does not run as root. */
  readonly folder = mkdtempSync(join(tmpdir(), 'postledger-lake-'));
  readonly #catalogPort: number;
  readonly #s3Port: number;
  #s3: ChildProcess | null = null;
  #lakes = 0;

  private constructor(catalogPort: number, s3Port: number) {
    this.#catalogPort = catalogPort;
    this.#s3Port = s3Port;
  }

  static async start(): Promise<LakeServers> {
    const servers = new LakeServers(await deafPort(), await deafPort());
    chmodSync(servers.folder, 0o777);
    await runPostgres(
      'initdb',
      '-D',
      servers.#cluster,
      '-U',
      'postgres',
      '-A',
      'trust',
      '--no-sync',
    );
    await servers.startCatalog();
    await servers.startS3();
    servers.#makeBucket();
    return servers;
  }

  async startCatalog(): Promise<void> {
    const settings = '-c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200';
    const options = `-p ${this.#catalogPort} -k ${this.folder} ${settings}`;
    const log = join(this.folder, 'pg.log');
    await runPostgres('pg_ctl', '-D', this.#cluster, '-w', '-o', options, '-l', log, 'start');
  }

  async stopCatalog(): Promise<void> {
    await runPostgres('pg_ctl', '-D', this.#cluster, '-w', '-m', 'immediate', 'stop');
  }

  async startS3(): Promise<void> {
    const data = join(this.folder, 's3');
    const sidecar = join(this.folder, 'sidecar-of-s3');
    const users = join(this.folder, 'users-of-s3');
    for (const path of [data, sidecar, users]) mkdirSync(path, { recursive: true });
    const server = ['--port', `127.0.0.1:${this.#s3Port}`, '--quiet', '--iam-dir', users];
    this.#s3 = spawn(s3Program, [...server, 'posix', '--sidecar', sidecar, data], {
      stdio: 'ignore',
      env: { ROOT_ACCESS_KEY: 'key', ROOT_SECRET_KEY: passwords.s3 },
    });
    const isUp = () =>
      fetch(this.#s3Url).then(
        () => true,
        () => false,
      );
    while (!(await isUp())) {
      if (this.#s3.exitCode !== null) throw new Error('the S3 server did not start');
      await pause(20);
    }
  }

  /** Creates the bucket, and a user with read-only keys. */
  #makeBucket(): void {
    const root = ['--access', 'key', '--secret', passwords.s3, '--endpoint-url', this.#s3Url];
    const user = ['--access', 'reader', '--secret', passwords.s3Reader, '--role', 'user'];
    execFileSync(s3Program, ['admin', ...root, 'create-user', ...user], { stdio: 'ignore' });
    execFileSync('sh', [join(setUp, 'bucket.sh')], {
      env: {
        PATH: process.env['PATH'],
        S3_ENDPOINT: this.#s3Url,
        S3_BUCKET: 'lakes',
        S3_KEY_ID: 'key',
        S3_SECRET: passwords.s3,
        READER: 'reader',
      },
    });
  }

  async stopS3(): Promise<void> {
    const server = this.#s3;
    if (server?.exitCode !== null) return;
    const ended = new Promise((done) => server.once('exit', done));
    server.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.stopS3();
    await this.stopCatalog();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs SQL in a database of the catalog's server, as its administrator. */
  sql(database: string, ...statements: string[]): string {
    return this.#psql(
      database,
      statements.flatMap((text) => ['-c', text]),
    );
  }

  #psql(database: string, args: readonly string[], env: Record<string, string> = {}): string {
    const options = ['-qAtX', '-v', 'ON_ERROR_STOP=1', ...args, database];
    const settings = { encoding: 'utf8', env: { ...process.env, ...env } } as const;
    return execFileSync('psql', [...this.#server, ...options], settings).trim();
  }

  /** Writes a database into a file, as docs/lake.md says. @returns its path */
  async dump(database: string): Promise<string> {
    const file = join(this.folder, `${database}.dump`);
    await runPostgres('pg_dump', ...this.#server, '-Fc', '-f', file, database);
    return file;
  }

  /** Creates a database from such a file. */
  async restore(database: string, file: string): Promise<void> {
    this.newDatabase(database);
    await runPostgres('pg_restore', ...this.#server, '-d', database, file);
  }

  get #server(): string[] {
    return ['-h', '127.0.0.1', '-p', String(this.#catalogPort), '-U', 'postgres'];
  }

  /** Creates a database with the roles of a lake. */
  newDatabase(database: string): void {
    this.#psql('postgres', ['-f', join(setUp, 'catalog.sql')], {
      LAKE_DATABASE: database,
      LOADER_PASSWORD: passwords.catalog,
      READER_PASSWORD: passwords.catalog,
    });
  }

  /** A lake that nothing has been loaded into, with a database of its own and a reader. */
  newLake(on: 'disk' | 's3', change: Partial<LakeConfig> = {}): TestLake {
    const database = `lake${(this.#lakes += 1)}`;
    this.newDatabase(database);
    const s3 = on === 's3' ? this.s3Access() : null;
    const readS3 = s3 && this.s3Access(passwords.s3Reader, 'reader');
    return {
      database,
      writer: { catalog: this.catalog('loader', database), s3 },
      reader: { catalog: this.catalog('reader', database), s3: readS3 },
      data: on === 's3' ? `s3://lakes/${database}/` : `${join(this.folder, database)}/`,
      raw: null,
      shards: 2,
      extensions,
      ...change,
    };
  }

  /** Where the catalog's server is, for libpq. */
  get address(): string {
    return `host=127.0.0.1 port=${this.#catalogPort}`;
  }

  catalog(role: string, database: string): Secret {
    const login = `${role}:${passwords.catalog}`;
    const url = `postgres://${login}@127.0.0.1:${this.#catalogPort}/${database}`;
    return new Secret('CATALOG_URL', 'jobs.yaml: warehouse.lake.catalog', url);
  }

  s3Access(key = passwords.s3, id = 'key'): NonNullable<LakeAccess['s3']> {
    const secretOf = (name: string, value: string) =>
      new Secret(name, `jobs.yaml: warehouse.lake.s3`, value);
    return {
      accessKeyId: secretOf('S3_KEY_ID', id),
      secretAccessKey: secretOf('S3_SECRET', key),
      endpoint: this.#s3Url,
      region: 'us-east-1',
    };
  }

  get #s3Url(): string {
    return `http://127.0.0.1:${this.#s3Port}`;
  }

  get #cluster(): string {
    return join(this.folder, 'pg');
  }
}

export interface TestLake extends LakeConfig {
  /** The name of its database in the catalog. */
  readonly database: string;
}

/** PostgreSQL refuses to run as root. */
async function runPostgres(program: string, ...args: string[]): Promise<void> {
  const [version = ''] = readdirSync('/usr/lib/postgresql').sort().reverse();
  const command = [join('/usr/lib/postgresql', version, 'bin', program), ...args];
  const isRoot = process.getuid?.() === 0;
  const other = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
  const [file = '', ...rest] = isRoot ? [...other, ...command] : command;
  const child = spawn(file, rest, { stdio: 'ignore', cwd: '/' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}
