import type { z } from 'zod';
import { systemClock } from '../core/clock.ts';
import { silentLog } from '../core/log.ts';
import { packageVersion } from '../core/package-version.ts';
import { readAnswer, readList, readMember } from './answer-json.ts';
import {
  CallRunner,
  type CallRunnerOptions,
  type ClientCall,
  type Endpoint,
  type Reading,
} from './call-runner.ts';
import { InvalidRequestError } from './errors/invalid-request-error.ts';
import { OutcomeUnknownError } from './errors/outcome-errors.ts';
import { readApprovalsBack, readStatusBack } from './read-back.ts';
import { invalidFields, requestBody, requestPath, type RequestOf } from './request.ts';
import type { Approval } from './schemas/approvals.ts';
import type { ArchivedIdea } from './schemas/ideas.ts';
import type { InlineComment } from './schemas/inline-comments.ts';
import { operations, type ApprovalRequest, type Operation } from './schemas/operations.ts';
import type { Post, PostDetails } from './schemas/posts.ts';
import type { CommentChannel } from './schemas/vocabulary.ts';

/** Ends the call when it aborts. */
interface Stop {
  readonly signal: AbortSignal;
}

/** A workspace of the config, or its address and key alone: the rest has the config's defaults. */
type ClientWorkspace = Pick<Endpoint, 'key' | 'baseUrl' | 'apiKey'> & Partial<Endpoint>;

/** What is not given: the machine's clock and random numbers, and a log that keeps silent. */
export type WorkspaceClientOptions = Partial<Omit<CallRunnerOptions, 'workspace' | 'dataDir'>> &
  Pick<CallRunnerOptions, 'dataDir'> & { readonly workspace: ClientWorkspace };

const defaults = {
  rateLimit: { requests: 100, perSeconds: 60 },
  concurrency: 4,
  timeoutSeconds: 30,
};

/**
 * One workspace's API, within its rate limit, its concurrency and its time-out. What only reads is tried
 * up to five times; what changes something goes out once, unless it is certain that it was not carried
 * out. Every call rejects with an ApiError that says what was spent, or with an InterruptedError.
 */
export class WorkspaceClient {
  readonly #workspace: WorkspaceClientOptions['workspace'];
  readonly #runner: CallRunner;

  constructor(options: WorkspaceClientOptions) {
    this.#workspace = options.workspace;
    this.#runner = new CallRunner({
      clock: systemClock,
      log: silentLog,
      version: packageVersion,
      random: Math.random,
      ...options,
      workspace: { ...defaults, ...options.workspace },
    });
  }

  /** HTTP requests sent so far, repeats and 429s included. */
  get requests(): number {
    return this.#runner.requests;
  }

  /** Attempts beyond each call's first; 429s are none. */
  get retries(): number {
    return this.#runner.retries;
  }

  /** 429 answers. */
  get throttled(): number {
    return this.#runner.throttled;
  }

  /** Closes the connections; what is still under way is broken off. */
  async close(): Promise<void> {
    await this.#runner.close();
  }

  /**
   * Analytics of a profile's LinkedIn posts that were published from `start` to `end`, both inclusive.
   * The records are as they came, so that a bad one does not cost its siblings: `linkedInPostAnalyticsSchema`
   * tells which are good.
   */
  async readAnalytics(
    profileId: string,
    { start, end }: { start: string; end: string },
    { signal }: Stop,
  ): Promise<Reading & { records: unknown[] }> {
    const request = { parameters: { profileId }, query: { startDate: start, endDate: end } };
    const call = this.#call(operations.listLinkedInAnalytics, request, null);
    const { value, ...reading } = await this.#runner.run(
      { ...call, isWindow: true },
      signal,
      readList,
    );
    return { ...reading, records: value };
  }

  /** One post as it came, for whoever keeps the answer and judges it later. */
  async readPost(
    postId: string,
    { signal }: Stop,
  ): Promise<Reading & { post: Record<string, unknown> }> {
    const call = this.#call(operations.getPost, { parameters: { id: postId } }, null);
    const { value, ...reading } = await this.#runner.run(call, signal, (asked, answer) =>
      readMember(asked, answer, 'post'),
    );
    return { ...reading, post: value };
  }

  /** One post of the workspace. */
  async getPost(postId: string, stop: Stop): Promise<Reading & { post: PostDetails }> {
    const { value, ...reading } = await this.#ask(
      operations.getPost,
      { parameters: { id: postId } },
      stop,
    );
    return { ...reading, post: value.post };
  }

  /**
   * Takes a scheduled post back to Finalized. When its answer is lost, the post is read to see what became
   * of it: `isReadBack` then says that `body` and `post` are that reading's.
   * @throws NotCarriedOutError when the post is as it was; OutcomeUnknownError when that cannot be told
   */
  async unschedulePost(
    postId: string,
    stop: Stop,
  ): Promise<Reading & { post: Post | PostDetails; isReadBack: boolean }> {
    const howToFindOut = `look at its status: postledger posts get ${postId}`;
    const request = { parameters: { id: postId } };
    try {
      const { value, ...reading } = await this.#ask(
        operations.unschedulePost,
        request,
        stop,
        howToFindOut,
      );
      return { ...reading, post: value, isReadBack: false };
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError) || stop.signal.aborted) throw error;
      const found = await readStatusBack(error, () => this.getPost(postId, stop));
      return { ...found, isReadBack: true };
    }
  }

  /** The approvals of a post, whatever their state. */
  async listApprovals(
    postId: string,
    stop: Stop,
  ): Promise<Reading & { approvals: readonly Approval[] }> {
    const request = { parameters: { postId } };
    const { value, ...reading } = await this.#ask(operations.listApprovals, request, stop);
    return { ...reading, approvals: value.approvals };
  }

  /**
   * Asks people to approve a post. When its answer is lost, the post's approvals are read to see who has
   * been asked.
   * @throws NotCarriedOutError when none of them has; OutcomeUnknownError, with who has, otherwise
   */
  async createApprovals(
    postId: string,
    approvals: readonly ApprovalRequest[],
    stop: Stop,
  ): Promise<
    Reading & { createdApprovals: readonly Approval[]; existingApprovals: readonly Approval[] }
  > {
    const howToFindOut = `see who has been asked: postledger approvals list ${postId}`;
    const request = { parameters: {}, body: { postId, approvals: [...approvals] } };
    try {
      const { value, ...reading } = await this.#ask(
        operations.createApprovals,
        request,
        stop,
        howToFindOut,
      );
      const { createdApprovals, existingApprovals } = value;
      return { ...reading, createdApprovals, existingApprovals };
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError) || stop.signal.aborted) throw error;
      const asked = approvals.map(({ userId }) => userId);
      throw await readApprovalsBack(error, asked, () => this.listApprovals(postId, stop));
    }
  }

  /** Puts an idea into the trash, where it stays for 30 days. */
  async archiveIdea(ideaId: string, stop: Stop): Promise<Reading & { idea: ArchivedIdea }> {
    const howToFindOut = "see whether it is in the workspace's trash";
    const request = { parameters: { id: ideaId } };
    const { value, ...reading } = await this.#ask(
      operations.archiveIdea,
      request,
      stop,
      howToFindOut,
    );
    return { ...reading, idea: value };
  }

  /** Removes an auto-engagement from its post. */
  async deleteEngagement(engagementId: string, stop: Stop): Promise<Reading & { success: true }> {
    const howToFindOut = 'ask again: "not found" then says that it is gone';
    const request = { parameters: { id: engagementId } };
    const asked = operations.deleteEngagement;
    const { value, ...reading } = await this.#ask(asked, request, stop, howToFindOut);
    return { ...reading, success: value.success };
  }

  /** Threads of comments on a post, of one channel or state where these are given. */
  async listInlineComments(
    postId: string,
    query: { channel?: CommentChannel | undefined; resolved?: boolean | undefined },
    stop: Stop,
  ): Promise<Reading & { inlineComments: readonly InlineComment[] }> {
    const request = { parameters: { postId }, query };
    const { value, ...reading } = await this.#ask(operations.listInlineComments, request, stop);
    return { ...reading, inlineComments: value.inlineComments };
  }

  /** Carries out an operation, its values checked before anything is sent. */
  async #ask<Asked extends Operation>(
    operation: Asked,
    request: RequestOf<Asked>,
    { signal }: Stop,
    howToFindOut: string | null = null,
  ): Promise<Reading & { value: z.output<Asked['answer']> }> {
    const call = this.#call(operation, request, howToFindOut);
    const wrong = invalidFields(operation, request);
    if (wrong) throw new InvalidRequestError(call, wrong);
    const schema: Asked['answer'] = operation.answer;
    return this.#runner.run(call, signal, (asked, answer) => readAnswer(asked, answer, schema));
  }

  #call<Asked extends Operation>(
    operation: Asked,
    request: RequestOf<Asked>,
    howToFindOut: string | null,
  ): ClientCall {
    const { key, apiKey } = this.#workspace;
    return {
      method: operation.method,
      path: requestPath(operation, request),
      body: requestBody(request),
      place: `workspaces.${key}`,
      keyVariable: apiKey.variable,
      howToFindOut,
    };
  }
}
