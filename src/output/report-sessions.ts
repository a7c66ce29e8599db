import { tmpdir } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { makePrivateFolder, type PrivateFolder } from '../core/private-files.ts';
import type { ReportDefinition } from '../report/report-catalog.ts';
import type { ReportSession, SessionOptions } from '../report/report-session.ts';
import { withinTime, type LimitTools } from '../warehouse/limits.ts';

export interface SessionRequest {
  /** What decides its rows. Reports with equal ones, made one after another, share a session. */
  readonly about: unknown;
  /** The existing folder in which it has one of its own, for files; null: it can write none. */
  readonly parent: string | null;
  readonly open: (options: SessionOptions) => Promise<ReportSession>;
}

interface OpenSession {
  readonly about: unknown;
  readonly session: ReportSession;
  /** The session's folder for files; empty: it has none. */
  readonly folder: string;
  /** That folder, and the one for what does not fit into memory. */
  readonly folders: readonly PrivateFolder[];
}

/**
 * The sessions of reports that are made one after another, of which one is open at a time. A report sees nothing of the
 * one before it, and each has the whole time and memory of the limits. A session in which a report failed is closed.
 */
export class ReportSessions {
  readonly tools: LimitTools;
  #open: OpenSession | null = null;

  private constructor(tools: LimitTools) {
    this.tools = tools;
  }

  static async with<Result>(
    tools: LimitTools,
    work: (sessions: ReportSessions) => Promise<Result>,
  ): Promise<Result> {
    const sessions = new ReportSessions(tools);
    try {
      return await work(sessions);
    } finally {
      await sessions.#close();
    }
  }

  /**
   * @param definition of the report that is made
   * @param work is given the session and its own folder, which is empty without a `parent`
   * @throws InterruptedError when the signal aborts
   */
  async use<Result>(
    definition: ReportDefinition,
    request: SessionRequest,
    work: (session: ReportSession, folder: string) => Promise<Result>,
  ): Promise<Result> {
    return withinTime(nameOf(definition), this.tools, async (signal) => {
      try {
        const { session, folder } = await this.#opened(request, signal);
        session.database.interruptOn(signal);
        return await work(session, folder);
      } catch (error) {
        await this.#close();
        throw error;
      }
    });
  }

  async #opened(
    { about, parent, open }: SessionRequest,
    signal: AbortSignal,
  ): Promise<OpenSession> {
    if (this.#open && isDeepStrictEqual(this.#open.about, about)) return this.#open;
    await this.#close();
    const folders: PrivateFolder[] = [];
    const makeFolder = async (inside: string) => {
      const folder = await makePrivateFolder(inside);
      folders.push(folder);
      return folder.path;
    };
    try {
      const spillFolder = await makeFolder(tmpdir());
      const { memoryBytes } = this.tools.limits;
      const limits = { memoryBytes, spillFolder, signal };
      const folder = parent === null ? '' : await makeFolder(parent);
      const session = await open({ limits, ...(folder !== '' && { folder }) });
      this.#open = { about, session, folder, folders };
      return this.#open;
    } catch (error) {
      for (const folder of folders) await folder.remove();
      throw error;
    }
  }

  async #close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    open?.session.close();
    for (const folder of open?.folders ?? []) await folder.remove();
  }
}

/** Names a report in messages. */
export function nameOf({ name }: Pick<ReportDefinition, 'name'>): string {
  return `the report ${name}`;
}
