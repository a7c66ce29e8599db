import type { IncomingMessage, ServerResponse } from 'node:http';
import { declaredLength, type IncomingBody } from './incoming-body.ts';
import { parseTarget, type RequestTarget } from './request-target.ts';

/** A request and the answer to it. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: RequestTarget;
  /** The sender's, for log and limits. */
  readonly address: string;
  /** The sender waits for a word before it sends the body (RFC 9110, 10.1.1). */
  readonly isContinueAwaited: boolean;
  /** There once the body is being read. */
  body: IncomingBody | null = null;
  /** Its sender has shown a right token or signature. */
  isProven = false;
  /** What comes after this on its connection can no longer be understood. */
  isBroken = false;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    sender: { readonly address: string; readonly isContinueAwaited: boolean },
  ) {
    this.request = request;
    this.response = response;
    this.target = parseTarget(request.url ?? '');
    this.address = sender.address;
    this.isContinueAwaited = sender.isContinueAwaited;
  }

  get method(): string {
    return this.request.method ?? '';
  }

  get isAnswered(): boolean {
    return this.response.headersSent;
  }

  /** How much of the body has come, or else will. */
  get bodyBytes(): number {
    return this.body?.bytes ?? declaredLength(this.request) ?? 0;
  }
}
