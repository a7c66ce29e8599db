import { PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { LakeAccess, LakeConfig } from '../../src/config/config.ts';
import { Secret } from '../../src/config/secret.ts';

/** The tools that .ci/lake-tools installs. */
const tools = resolve(import.meta.dirname, '../../.cache/lake');
export const extensions = join(tools, 'ext');
const s3Program = join(tools, 'bin', 'versitygw');

/** What docs/lake.md does to a new database, so that the role `reader` can only read. */
const readerSql =
  /\\c postledger\n([^]+?)```/.exec(
    readFileSync(resolve(import.meta.dirname, '../../docs/lake.md'), 'utf8'),
  )?.[1] ?? '';

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
    const servers = new LakeServers(await freePort(), await freePort());
    chmodSync(servers.folder, 0o777);
    runPostgres('initdb', '-D', servers.#cluster, '-U', 'postgres', '-A', 'trust', '--no-sync');
    servers.startCatalog();
    servers.sql('postgres', 'create role loader login', 'create role reader login');
    await servers.startS3();
    await servers.#admitReader();
    return servers;
  }

  startCatalog(): void {
    const settings = '-c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200';
    const options = `-p ${this.#catalogPort} -k ${this.folder} ${settings}`;
    const log = join(this.folder, 'pg.log');
    runPostgres('pg_ctl', '-D', this.#cluster, '-w', '-o', options, '-l', log, 'start');
  }

  stopCatalog(): void {
    runPostgres('pg_ctl', '-D', this.#cluster, '-w', '-m', 'immediate', 'stop');
  }

  async startS3(): Promise<void> {
    const data = join(this.folder, 's3');
    const sidecar = join(this.folder, 'sidecar-of-s3');
    const users = join(this.folder, 'users-of-s3');
    for (const path of [join(data, 'lakes'), sidecar, users]) mkdirSync(path, { recursive: true });
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

  /** Creates a user with read-only keys. */
  async #admitReader(): Promise<void> {
    const root = ['--access', 'key', '--secret', passwords.s3, '--endpoint-url', this.#s3Url];
    const user = ['--access', 'reader', '--secret', passwords.s3Reader, '--role', 'user'];
    execFileSync(s3Program, ['admin', ...root, 'create-user', ...user], { stdio: 'ignore' });
    const allow = (action: string, resource: string) => ({
      Effect: 'Allow',
      Principal: ['reader'],
      Action: [`s3:${action}`],
      Resource: [`arn:aws:s3:::${resource}`],
    });
    const policy = {
      Version: '2012-10-17',
      Statement: [allow('GetObject', 'lakes/*'), allow('ListBucket', 'lakes')],
    };
    const client = new S3Client({
      endpoint: this.#s3Url,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'key', secretAccessKey: passwords.s3 },
    });
    await client.send(
      new PutBucketPolicyCommand({ Bucket: 'lakes', Policy: JSON.stringify(policy) }),
    );
    client.destroy();
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
    this.stopCatalog();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs SQL in a database of the catalog's server, as its administrator. */
  sql(database: string, ...statements: string[]): string {
    const target = ['-h', '127.0.0.1', '-p', String(this.#catalogPort), '-U', 'postgres'];
    return execFileSync(
      'psql',
      [
        ...target,
        '-qAtX',
        '-v',
        'ON_ERROR_STOP=1',
        ...statements.flatMap((sql) => ['-c', sql]),
        database,
      ],
      { encoding: 'utf8' },
    ).trim();
  }

  /** A lake that nothing has been loaded into, with a database of its own and a reader. */
  newLake(on: 'disk' | 's3', change: Partial<LakeConfig> = {}): TestLake {
    const database = `lake${(this.#lakes += 1)}`;
    this.sql('postgres', `create database ${database} owner loader`);
    this.sql(database, readerSql);
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
function runPostgres(program: string, ...args: string[]): void {
  const [version = ''] = readdirSync('/usr/lib/postgresql').sort().reverse();
  const command = [join('/usr/lib/postgresql', version, 'bin', program), ...args];
  const isRoot = process.getuid?.() === 0;
  const other = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
  const [file = '', ...rest] = isRoot ? [...other, ...command] : command;
  execFileSync(file, rest, { stdio: 'ignore', cwd: '/' });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
