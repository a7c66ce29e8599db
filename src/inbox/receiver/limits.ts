/** What the receiver allows a sender. Tests make them small. */
export interface ReceiverLimits {
  readonly bodyBytes: number;
  /** Of all bodies that are still coming in, together. */
  readonly incomingBytes: number;
  /** Of those, from one address that has not proved itself before its body. */
  readonly unverifiedBytes: number;
  readonly headerBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly idleMs: number;
  readonly checkIntervalMs: number;
  readonly connections: number;
  /** On one connection that have no answer yet: senders may send ahead. */
  readonly requestsAhead: number;
  /** Failed authentications from one address in a minute, before they are no longer read. */
  readonly failuresPerMinute: number;
  /** How many addresses are counted one by one. */
  readonly addresses: number;
  /** How long a refused sender may go on sending before the connection is cut. */
  readonly lingerMs: number;
  /** How long a stop waits for requests in flight. */
  readonly stopMs: number;
  /** How long a stop leaves idle connections open for what is on its way on them; a part of `stopMs`. */
  readonly stopGraceMs: number;
  /** Lines of one kind that are logged in a second before the rest is summed up. */
  readonly logLinesPerSecond: number;
}

export const defaultLimits: ReceiverLimits = {
  // what the interface promises; events are a few kilobytes
  bodyBytes: 1_048_576,
  // without it, all connections at once could hold a gigabyte of half bodies
  incomingBytes: 64 * 1_048_576,
  // sixteen of the largest; what one sender leaves unfinished keeps no other out
  unverifiedBytes: 16 * 1_048_576,
  // a signature, a token and what proxies add fit many times over
  headerBytes: 16_384,
  // headers are one packet: who takes longer holds a connection for its own sake
  headersTimeoutMs: 10_000,
  // 1 MiB in 20 seconds: 0.5 Mbit/s, slower than any server's line
  requestTimeoutMs: 20_000,
  // as Node has it: long enough for a burst of events, short enough for the idle
  keepAliveMs: 5_000,
  // for who reads no answers; longer than any request may take
  idleMs: 30_000,
  // time-outs are late by this at most
  checkIntervalMs: 1_000,
  // many systems allow 1,024 open files, and the receiver has some of its own
  connections: 900,
  // each takes some 3 KB until it is answered, and is answered only as fast as the sender reads
  requestsAhead: 100,
  // a wrong setting at a sender shows in hundreds of lines; guessing a token needs more
  failuresPerMinute: 1_000,
  // a megabyte or so
  addresses: 10_000,
  // the answer must arrive before the connection breaks under what is still being sent
  lingerMs: 2_000,
  // half of what service managers and containers wait before they kill (systemd 90 s, Kubernetes 30 s)
  stopMs: 10_000,
  // the way there and back on most lines
  stopGraceMs: 300,
  // enough to follow by eye; a synchronous log must not set the pace
  logLinesPerSecond: 50,
};
