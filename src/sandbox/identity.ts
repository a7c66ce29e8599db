import { createHash } from 'node:crypto';

/** The namespace for URLs and URNs, see RFC 9562, section 6.6. */
const urlNamespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');

/** Makes a UUID of version 5, which is the same for the same arguments on every machine and in every version. */
export function sandboxUuid(seed: number, kind: string, index: number | string): string {
  const name = `urn:postledger:sandbox:${seed}:${kind}:${index}`;
  const bytes = createHash('sha1').update(urlNamespace).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const keyOutcomes = [
  'valid',
  'revoked',
  'expired',
  'disabled',
  'insufficient_permissions',
  'insufficient_credits',
  'usage_exceeded',
] as const;

/** The outcomes of authentication that have a key each. Every other key is invalid. */
export type KeyOutcome = (typeof keyOutcomes)[number];

/** The keys are readable on purpose, so that nobody takes one for a secret. */
export function sandboxKeys(seed: number): Record<KeyOutcome, string> {
  return Object.fromEntries(
    keyOutcomes.map((each) => [each, `sandbox-key-${seed}-${each.replaceAll('_', '-')}`]),
  ) as Record<KeyOutcome, string>;
}

/** The kind of a profile. An `engagement` profile only likes and comments, and the API refuses its analytics with 403. */
export type ProfileKind = 'page' | 'member' | 'engagement';

export interface SandboxProfile {
  readonly id: string;
  readonly name: string;
  readonly kind: ProfileKind;
}

const namedProfiles: readonly { name: string; kind: ProfileKind }[] = [
  { name: 'Halden Grid', kind: 'page' },
  { name: 'Halden Careers', kind: 'page' },
  { name: 'Anna Lindqvist', kind: 'member' },
  { name: 'Tomasz Bielak', kind: 'member' },
  { name: 'Mariam Haddad', kind: 'member' },
];

/** Makes `count` profiles with analytics, followed by one engagement profile, which has none. */
export function sandboxProfiles(seed: number, count: number): SandboxProfile[] {
  const withAnalytics = Array.from({ length: count }, (_, index) => ({
    id: sandboxUuid(seed, 'profile', index),
    ...(namedProfiles[index] ?? furtherProfile(index)),
  }));
  const engagement = {
    id: sandboxUuid(seed, 'profile', 'engagement'),
    name: 'Halden Team',
    kind: 'engagement',
  } as const;
  return [...withAnalytics, engagement];
}

function furtherProfile(index: number): { name: string; kind: ProfileKind } {
  return index % 4 === 3
    ? { name: `Halden Page ${index}`, kind: 'page' }
    : { name: `Halden Member ${index}`, kind: 'member' };
}

/** The sandbox's defaults, which the jobs.yaml of this repository uses. */
export const defaultSandbox = {
  seed: 1,
  port: 8080,
  profileCount: 5,
  postCount: 2000,
  /** The days of a request are counted in this zone. */
  workspace: { slug: 'halden', name: 'Halden Grid', timezone: 'UTC' },
  keys: sandboxKeys(1),
  profiles: sandboxProfiles(1, 5),
} as const;
