import { document } from './document-readings.ts';

interface ResponseObject {
  readonly $ref?: string;
  readonly content?: Readonly<
    Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
  >;
}

export interface DocumentedAnswer {
  readonly operation: string;
  /** As the document writes it: a number, or `2XX`. */
  readonly status: string;
  readonly contentTypes: readonly string[];
  /** Where its schema stands, for the only content type that there is. */
  readonly schemaPointer: string;
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
}

/** Every answer that the document has, to every operation. */
export const documentedAnswers: readonly DocumentedAnswer[] = Object.entries(
  document.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId, responses }]) =>
    Object.entries(responses).map(([status, response]) =>
      describeAnswer(
        operationId,
        status,
        pointerTo('paths', path, method, 'responses', status),
        response,
      ),
    ),
  ),
);

/** @throws Error when the document has no such answer */
export function findAnswer(operation: string, status: number): DocumentedAnswer {
  const found = documentedAnswers.find(
    (each) => each.operation === operation && isOf(status, each.status),
  );
  if (!found) throw new Error(`the document has no ${status} for ${operation}`);
  return found;
}

function describeAnswer(
  operation: string,
  status: string,
  pointer: string,
  response: ResponseObject,
): DocumentedAnswer {
  const { $ref } = response;
  const { content = {} } = $ref === undefined ? response : sharedResponse($ref);
  const contentTypes = Object.keys(content);
  const [contentType = ''] = contentTypes;
  return {
    operation,
    status,
    contentTypes,
    schemaPointer: `${$ref ?? pointer}${pointerTo('content', contentType, 'schema').slice(1)}`,
    examples: content[contentType]?.examples ?? {},
  };
}

function isOf(status: number, documented: string): boolean {
  return String(status) === documented || `${String(status)[0]}XX` === documented;
}

function sharedResponse($ref: string): ResponseObject {
  const name = $ref.replace('#/components/responses/', '');
  const responses = document.components.responses as Readonly<Record<string, ResponseObject>>;
  const response = responses[name];
  if (!response) throw new Error(`the document has no response ${$ref}`);
  return response;
}

/** A JSON pointer as the fragment of a URI. */
function pointerTo(...steps: string[]): string {
  const escaped = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'));
  return `#/${escaped.map(encodeURIComponent).join('/')}`;
}
