import { operations, type Operation } from '../../api/schemas/operations.ts';
import type { Clock } from '../../core/clock.ts';
import { between, integerBetween, type Random } from '../made-up/random.ts';
import { changeAnswer, type AnswerChange } from './changed-answer.ts';
import type { LateFaultKind } from './fault-kinds.ts';
import type { FaultedRequest, PlannedFault } from './fault-plan.ts';
import { drippingBody } from './dripping-body.ts';

/**
 * The answer of the route, spoilt.
 *
 * @returns null when this answer cannot be spoilt so, for example a list without members
 */
export async function lateAnswer(
  kind: Exclude<LateFaultKind, 'reset_after'>,
  answer: Response,
  fault: PlannedFault,
  request: FaultedRequest,
  clock: Clock,
): Promise<Response | null> {
  const text = await answer.clone().text();
  if (text === '') return null;
  switch (kind) {
    case 'slow_drip':
      return dripAnswer(answer, text, fault, clock);
    case 'cut_body':
      return cutAnswer(answer, text, fault.random);
    case 'malformed_json':
      return withBody(answer, malformedJson(text, fault.random));
    case 'duplicated_members':
    case 'unknown_fields':
    case 'unknown_enum_values':
    case 'nulled_optional':
    case 'nulled_required':
      return changedAnswer(kind, answer, text, fault, request);
  }
}

/** The length is right, so time is all that goes wrong. */
function dripAnswer(answer: Response, text: string, fault: PlannedFault, clock: Clock): Response {
  const { seconds, level, random } = fault;
  const drawn = level === 'hostile' ? between(3, 45, random) : between(0.5, 2.5, random);
  const bytes = new TextEncoder().encode(text);
  const body = drippingBody(bytes, (seconds ?? drawn) * 1000, clock);
  return withBody(answer, body, { 'content-length': String(bytes.length) });
}

/** The length is that of the whole, and the connection closes before. */
function cutAnswer(answer: Response, text: string, random: Random): Response {
  const bytes = new TextEncoder().encode(text);
  const part = bytes.subarray(0, integerBetween(0, bytes.length - 1, random));
  const headers = { 'content-length': String(bytes.length), connection: 'close' };
  return withBody(answer, part, headers);
}

/** Objects and lists that end early, or go on after their end, are no JSON. */
function malformedJson(text: string, random: Random): string {
  if (random() < 0.3) return `${text}, ${text.slice(0, 1)}`;
  return text.slice(0, integerBetween(1, text.length - 1, random));
}

function changedAnswer(
  kind: AnswerChange,
  answer: Response,
  text: string,
  { random }: PlannedFault,
  request: FaultedRequest,
): Response | null {
  const body: unknown = JSON.parse(text);
  const schema = answer.ok ? (operationOf(request)?.answer ?? null) : null;
  return changeAnswer(kind, body, schema, random) ? withBody(answer, JSON.stringify(body)) : null;
}

function operationOf({ method, path }: FaultedRequest): Operation | null {
  const asked = path.replace(/\?.*$/, '');
  const all: readonly Operation[] = Object.values(operations);
  return all.find((each) => each.method === method && pathPattern(each).test(asked)) ?? null;
}

function pathPattern({ path }: Operation): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

function withBody(
  answer: Response,
  body: string | Uint8Array | ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
): Response {
  const all = { ...Object.fromEntries(answer.headers), ...headers };
  return new Response(body, { status: answer.status, headers: all });
}
