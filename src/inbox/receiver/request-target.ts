export interface RequestTarget {
  /** As it was sent, without the query. */
  readonly path: string;
  /** Without the question mark; it may hold a token, so nothing may log it. */
  readonly query: string;
}

/** Of a request line's target: `/webhooks?token=…`, or with the origin before it, as proxies send it. */
export function parseTarget(target: string): RequestTarget {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = local.indexOf('?');
  if (mark === -1) return { path: local, query: '' };
  return { path: local.slice(0, mark), query: local.slice(mark + 1) };
}
