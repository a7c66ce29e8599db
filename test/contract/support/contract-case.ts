import { operations, type OperationName } from '../../../src/api/schemas/operations.ts';

/** One request of an operation, and the status that the sandbox must answer with. */
export interface ContractCase {
  readonly operation: OperationName;
  /** What is special about it. */
  readonly about: string;
  readonly status: number;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** JSON, or text that is sent as it is. */
  readonly body?: unknown;
  /** The valid one when there is none, no header at all when it is null. */
  readonly key?: string | null;
}

export interface Exchange extends ContractCase {
  readonly answered: number;
  readonly contentType: string | null;
  readonly answer: unknown;
}

/** @param server base URL and valid key of a running sandbox */
export async function exchange(
  server: { readonly url: string; readonly keys: { readonly valid: string } },
  asked: ContractCase,
): Promise<Exchange> {
  const key = asked.key === undefined ? server.keys.valid : asked.key;
  const { method } = operations[asked.operation];
  const response = await fetch(`${server.url}${pathOf(asked)}`, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(asked.body === undefined ? {} : { body: bodyText(asked.body) }),
  });
  return {
    ...asked,
    answered: response.status,
    contentType: response.headers.get('content-type'),
    answer: await response.json(),
  };
}

function pathOf({ operation, parameters = {}, query = {} }: ContractCase): string {
  const path = operations[operation].path.replace(/\{(\w+)\}/g, (_place, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  );
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}

function bodyText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}
