import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { senderAddress } from '../../../src/inbox/receiver/sender-address.ts';

function address(forwarded: string | undefined, isTrusted = true, remote = '::ffff:10.0.0.7') {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const request = { headers, socket: { remoteAddress: remote } } as unknown as IncomingMessage;
  return senderAddress(request, isTrusted);
}

describe("the sender's address", () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['203.0.113.9, 192.0.2.1', '192.0.2.1'],
    ['anything at all,192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['192.0.2.1, unknown', '10.0.0.7'],
    [`fe80::1%${'a'.repeat(1_000)}`, '10.0.0.7'],
    ['[fe80::1%eth0]:4711', '10.0.0.7'],
    ['192.0.2.1,', '10.0.0.7'],
    ['\u001b[31m', '10.0.0.7'],
    [undefined, '10.0.0.7'],
  ])('behind a trusted proxy, with %j, is %s', (forwarded, expected) => {
    expect(address(forwarded)).toBe(expected);
  });

  it("is the connection's where no proxy is trusted", () => {
    expect(address('192.0.2.1', false)).toBe('10.0.0.7');
    expect(address('192.0.2.1', false, '::1')).toBe('::1');
  });
});
