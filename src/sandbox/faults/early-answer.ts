import { integerBetween } from '../made-up/random.ts';
import { internalError, refusal } from '../refusal.ts';
import { quotaExceeded, type RequestLimit } from '../request-quota.ts';
import type { EarlyFaultKind } from './fault-kinds.ts';
import type { PlannedFault } from './fault-plan.ts';

const badGateway = { status: 502, code: 'BAD_GATEWAY', message: 'Bad Gateway' } as const;
const serviceUnavailable = {
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  message: 'Service Unavailable',
} as const;

/** What a client gets instead of an answer: the request was not carried out. */
export function earlyAnswer(
  kind: Exclude<EarlyFaultKind, 'reset_before'>,
  fault: PlannedFault,
  limit: RequestLimit,
): Response {
  switch (kind) {
    case 'rate_limited':
      return quotaExceeded(limit, waitSeconds(fault)).getResponse();
    case 'server_error':
      return refusal(internalError).getResponse();
    case 'bad_gateway':
      return refusal(badGateway).getResponse();
    case 'unavailable':
      return unavailable(fault);
    case 'html_bad_gateway':
      return htmlPage(502, '502 Bad Gateway');
    case 'html_page':
      return htmlPage(200, 'We are back in a minute');
  }
}

function waitSeconds({ level, seconds, random }: PlannedFault): number {
  return Math.ceil(seconds ?? integerBetween(1, level === 'hostile' ? 5 : 2, random));
}

/** Some services say when to come back, some do not. */
function unavailable(fault: PlannedFault): Response {
  const response = refusal(serviceUnavailable).getResponse();
  const saysWhen = fault.seconds !== null || fault.random() < 0.5;
  if (saysWhen) response.headers.set('retry-after', String(waitSeconds(fault)));
  return response;
}

/** As a proxy in front of the service sends one. */
function htmlPage(status: number, title: string): Response {
  const page = `<!doctype html>
<html>
<head><title>${title}</title></head>
<body><center><h1>${title}</h1></center><hr><center>proxy</center></body>
</html>
`;
  return new Response(page, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}
