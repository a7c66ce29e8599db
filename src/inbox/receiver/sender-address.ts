import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The address that log and limits know a sender by. Behind a trusted proxy it is the right-most entry of
 * X-Forwarded-For, which that proxy wrote itself; those before it are anybody's claims.
 */
export function senderAddress(request: IncomingMessage, isProxyTrusted: boolean): string {
  const forwarded = isProxyTrusted ? forwardedAddress(request.headers['x-forwarded-for']) : null;
  return forwarded ?? plainAddress(request.socket.remoteAddress);
}

/** IPv4 addresses without their IPv6 prefix. */
export function plainAddress(address: string | undefined): string {
  return address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? 'unknown';
}

function forwardedAddress(header: string | string[] | undefined): string | null {
  const last =
    String(header ?? '')
      .split(',')
      .at(-1)
      ?.trim() ?? '';
  const bare =
    /^\[([^\]]*)\](?::\d+)?$/.exec(last)?.[1] ?? /^([\d.]+):\d+$/.exec(last)?.[1] ?? last;
  // a zone may be as long as its writer likes, and names an interface of another machine
  return isIP(bare) === 0 || bare.includes('%') ? null : plainAddress(bare);
}
