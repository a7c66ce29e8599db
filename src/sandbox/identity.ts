import { createHash } from 'node:crypto';

/** RFC 9562, appendix A: the namespace of names that are URLs or URNs. */
const urlNamespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');

/** The same UUID (version 5) for the same arguments, on every machine and in every version. */
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

/** What the API says to each key; a key that is none of these is invalid. */
export type KeyOutcome = (typeof keyOutcomes)[number];

/** Readable on purpose, so that no one takes one for a secret. */
export function sandboxKeys(seed: number): Record<KeyOutcome, string> {
  return Object.fromEntries(
    keyOutcomes.map((each) => [each, `sandbox-key-${seed}-${each.replaceAll('_', '-')}`]),
  ) as Record<KeyOutcome, string>;
}

/** `engagement`: a profile that only likes and comments, whose analytics the API refuses with 403. */
export type ProfileKind = 'page' | 'member' | 'engagement';

export interface SandboxProfile {
  readonly id: string;
  readonly name: string;
  readonly kind: ProfileKind;
}

const firstNames = [
  'Ingrid',
  'Jonas',
  'Leila',
  'Mateo',
  'Nora',
  'Oskar',
  'Priya',
  'Selma',
] as const;
const lastNames = ['Aasen', 'Berg', 'Demir', 'Fossum', 'Haugen', 'Okafor', 'Solberg'] as const;

const namedProfiles: readonly { name: string; kind: ProfileKind }[] = [
  { name: 'Halden Grid', kind: 'page' },
  { name: 'Halden Careers', kind: 'page' },
  { name: 'Anna Lindqvist', kind: 'member' },
  { name: 'Tomasz Bielak', kind: 'member' },
  { name: 'Mariam Haddad', kind: 'member' },
];

/** `count` profiles with analytics, and after them one engagement profile, which has none. */
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
  const first = firstNames[index % firstNames.length] ?? '';
  const last = lastNames[index % lastNames.length] ?? '';
  if (index % 4 === 3) return { name: `Halden ${last} ${index}`, kind: 'page' };
  const turn = Math.floor(index / (firstNames.length * lastNames.length));
  return { name: `${first} ${last}${turn === 0 ? '' : ` ${turn + 1}`}`, kind: 'member' };
}

/** What the sandbox serves when nothing is asked for; the jobs.yaml of this repository names these. */
export const defaultSandbox = {
  seed: 1,
  port: 8080,
  profileCount: 5,
  postCount: 2000,
  workspace: { slug: 'halden', name: 'Halden Grid', timezone: 'UTC' },
  keys: sandboxKeys(1),
  profiles: sandboxProfiles(1, 5),
} as const;
