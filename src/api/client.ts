import type { z } from 'zod';
import type { DetailKind } from '../config/config.ts';
import { CallRunner, type ClientCall, type Endpoint, type Reading } from './call-runner.ts';
import { completeOptions, type WorkspaceClientOptions } from './client-options.ts';
import { approvalsOf, archived, unscheduled } from './outcome.ts';
import {
  dotSegments,
  invalidFields,
  readAnswer,
  readList,
  readMember,
  requestPath,
  type AnyRequest,
  type RequestOf,
} from './request.ts';
import type { Approval } from './schemas/approvals.ts';
import type { ArchivedIdea } from './schemas/ideas.ts';
import type { InlineComment } from './schemas/inline-comments.ts';
import { operations, type ApprovalRequest, type Operation } from './schemas/operations.ts';
import type { Post, PostDetails } from './schemas/posts.ts';
import type { CommentChannel } from './schemas/vocabulary.ts';
import { invalidRequest } from './transport-errors.ts';

interface Stop {
  /** Ends the call when it aborts. */
  readonly signal: AbortSignal;
}

/** Details of a call for messages, beside its request. */
interface CallNotes {
  /** Advice on how to find out the outcome; given for a call that changes something. */
  readonly outcomeAdvice?: string;
  readonly subject?: string;
}

/** The operation for each kind of details, and the member of its answer. */
const detailReadings = {
  post: {
    operation: operations.getPost,
    parameter: 'id',
    member: { name: 'post', form: 'object' },
  },
  approvals: {
    operation: operations.listApprovals,
    parameter: 'postId',
    member: { name: 'approvals', form: 'list' },
  },
  comments: {
    operation: operations.listInlineComments,
    parameter: 'postId',
    member: { name: 'inlineComments', form: 'list' },
  },
} as const;

/**
 * The API of one workspace, called within its rate limit, its concurrency and its timeout. A call that only
 * reads is tried up to five times. A call that changes something is sent once, and again only if it certainly
 * was not carried out. Expected failures reject with a PostledgerError: an ApiError that counts the requests
 * sent, an InterruptedError, or an UnsetSecretError before anything is sent.
 */
export class WorkspaceClient {
  readonly #workspace: Endpoint;
  readonly #runner: CallRunner;

  constructor(options: WorkspaceClientOptions) {
    const complete = completeOptions(options);
    this.#workspace = complete.workspace;
    this.#runner = new CallRunner(complete);
  }

  /** HTTP requests sent so far, including retries and those answered with 429. */
  get requests(): number {
    return this.#runner.requests;
  }

  /** Attempts beyond each call's first, not counting those after a 429. */
  get retries(): number {
    return this.#runner.retries;
  }

  /** Answers with the status 429. */
  get throttled(): number {
    return this.#runner.throttled;
  }

  /** Closes the connections. Calls in flight are aborted, and no new call begins. */
  async close(): Promise<void> {
    await this.#runner.close();
  }

  /**
   * Reads the analytics of a profile's LinkedIn posts that were published from `start` to `end`, both inclusive.
   * The records are returned unchecked, so that an invalid one does not cost its siblings;
   * `linkedInPostAnalyticsSchema` tells which are valid.
   * @param options encoding: `latin1` reads the records faster, for a caller that looks at no text beyond ASCII;
   *   attempts: how often it is tried at most
   */
  async readAnalytics(
    profileId: string,
    { start, end }: { start: string; end: string },
    {
      signal,
      encoding = 'utf8',
      attempts,
    }: Stop & { readonly encoding?: 'utf8' | 'latin1'; readonly attempts?: number | undefined },
  ): Promise<Reading & { records: unknown[] }> {
    const operation = operations.listLinkedInAnalytics;
    const request = { parameters: { profileId }, query: { startDate: start, endDate: end } };
    const call = { ...this.#checkedCall(operation, request), isWindow: true, attempts };
    if (start > end) throw invalidRequest(call, { startDate: [`is after ${end}`] });
    const { value, ...reading } = await this.#runner.run(call, signal, (asked, answer) =>
      readList(asked, answer, encoding),
    );
    return { ...reading, records: value };
  }

  /**
   * Reads one post, its approvals or its inline comments, without checking the id or the fields, for a caller that
   * stores the answer and checks it later.
   */
  async readDetail(
    kind: DetailKind,
    postId: string,
    { signal }: Stop,
  ): Promise<Reading & { detail: unknown }> {
    const { operation, parameter, member } = detailReadings[kind];
    const parameters = { [parameter]: postId };
    const call = this.#call(operation, { parameters });
    const wrong = dotSegments(parameters);
    if (wrong) throw invalidRequest(call, wrong);
    const { value, ...reading } = await this.#runner.run(call, signal, (asked, answer) =>
      readMember(asked, answer, member),
    );
    return { ...reading, detail: value };
  }

  /** Reads one post of the workspace. */
  async getPost(postId: string, stop: Stop): Promise<Reading & { post: PostDetails }> {
    const request = { parameters: { id: postId } };
    const { value, ...reading } = await this.#ask(operations.getPost, request, stop);
    return { ...reading, post: value.post };
  }

  /** Takes a scheduled post back to Finalized. */
  async unschedulePost(postId: string, stop: Stop): Promise<Reading & { post: Post }> {
    const request = { parameters: { id: postId } };
    const outcomeAdvice = `look at its status: ${this.#command(`posts get ${postId}`)}`;
    const operation = { ...operations.unschedulePost, answer: unscheduled(postId) };
    const { value, ...reading } = await this.#ask(operation, request, stop, { outcomeAdvice });
    return { ...reading, post: value };
  }

  /** Reads the approvals of a post, whatever their state. */
  async listApprovals(
    postId: string,
    stop: Stop,
  ): Promise<Reading & { approvals: readonly Approval[] }> {
    const request = { parameters: { postId } };
    const { value, ...reading } = await this.#ask(operations.listApprovals, request, stop);
    return { ...reading, approvals: value.approvals };
  }

  /** Asks people to approve a post; due dates are sent in UTC. */
  async createApprovals(
    postId: string,
    approvals: readonly ApprovalRequest[],
    stop: Stop,
  ): Promise<
    Reading & { createdApprovals: readonly Approval[]; existingApprovals: readonly Approval[] }
  > {
    const outcomeAdvice = `see who has been asked: ${this.#command(`approvals list ${postId}`)}`;
    const notes = { outcomeAdvice, subject: `post ${postId}` };
    const operation = operations.createApprovals;
    this.#checkedCall(
      operation,
      { parameters: {}, body: { postId, approvals: approvals as ApprovalRequest[] } },
      notes,
    );
    const request = { parameters: {}, body: { postId, approvals: approvals.map(withTimeInUtc) } };
    const askedIds = approvals.map(({ userId }) => userId);
    const asking = { ...operation, answer: approvalsOf(askedIds) };
    const { value, ...reading } = await this.#ask(asking, request, stop, notes);
    const { createdApprovals, existingApprovals } = value;
    return { ...reading, createdApprovals, existingApprovals };
  }

  /** Moves an idea to the trash, where it stays for 30 days. */
  async archiveIdea(ideaId: string, stop: Stop): Promise<Reading & { idea: ArchivedIdea }> {
    const outcomeAdvice = "see whether it is in the workspace's trash";
    const request = { parameters: { id: ideaId } };
    const operation = { ...operations.archiveIdea, answer: archived(ideaId) };
    const { value, ...reading } = await this.#ask(operation, request, stop, { outcomeAdvice });
    return { ...reading, idea: value };
  }

  /** Removes an auto-engagement from its post. */
  async deleteEngagement(engagementId: string, stop: Stop): Promise<Reading & { success: true }> {
    const outcomeAdvice = 'run it again: "not found" then means that it is gone';
    const request = { parameters: { id: engagementId } };
    const operation = operations.deleteEngagement;
    const { value, ...reading } = await this.#ask(operation, request, stop, { outcomeAdvice });
    return { ...reading, success: value.success };
  }

  /** Reads the threads of comments on a post, optionally those of one channel or state alone. */
  async listInlineComments(
    postId: string,
    query: { channel?: CommentChannel | undefined; resolved?: boolean | undefined },
    stop: Stop,
  ): Promise<Reading & { inlineComments: readonly InlineComment[] }> {
    const request = { parameters: { postId }, query };
    const { value, ...reading } = await this.#ask(operations.listInlineComments, request, stop);
    return { ...reading, inlineComments: value.inlineComments };
  }

  /** Carries out an operation, after checking its values. */
  async #ask<Asked extends Operation>(
    operation: Asked,
    request: RequestOf<Asked>,
    { signal }: Stop,
    notes: CallNotes = {},
  ): Promise<Reading & { value: z.output<Asked['answer']> }> {
    const call = this.#checkedCall(operation, request, notes);
    const schema: Asked['answer'] = operation.answer;
    return this.#runner.run(call, signal, (asked, answer) => readAnswer(asked, answer, schema));
  }

  /** Returns the command line that also works where several workspaces are configured. */
  #command(command: string): string {
    return `postledger ${command} --workspace ${this.#workspace.key} --json`;
  }

  #checkedCall<Asked extends Operation>(
    operation: Asked,
    request: RequestOf<Asked>,
    notes: CallNotes = {},
  ): ClientCall {
    const call = this.#call(operation, request, notes);
    const wrong = invalidFields(operation, request);
    if (wrong) throw invalidRequest(call, wrong);
    return call;
  }

  #call(
    operation: Operation,
    request: AnyRequest,
    { outcomeAdvice = '', ...subject }: CallNotes = {},
  ): ClientCall {
    const { key, apiKey, baseUrl } = this.#workspace;
    return {
      method: operation.method,
      path: requestPath(operation, request),
      body: request.body === undefined ? null : JSON.stringify(request.body),
      origin: new URL(baseUrl).origin,
      configKey: `workspaces.${key}`,
      keyVariable: apiKey.variable,
      outcomeAdvice: outcomeAdvice || null,
      ...subject,
    };
  }
}

function withTimeInUtc(request: ApprovalRequest): ApprovalRequest {
  const { dueDate } = request;
  return dueDate === undefined ? request : { ...request, dueDate: new Date(dueDate).toISOString() };
}
