import type { Account } from '../../api/schemas/vocabulary.ts';
import { dayMs } from '../../core/calendar.ts';
import { sandboxUuid } from '../identity.ts';

/** A user of the workspace. */
export type Person = Account & { readonly createdAt: string };

/** Whoever does what only a person of the workspace can do, and everybody else. */
export interface Team {
  readonly owner: Person;
  readonly colleagues: readonly Person[];
  /** The owner first. */
  readonly members: readonly Person[];
}

type Name = readonly [first: string, last: string, mailbox: string];

const ownerName: Name = ['Anna', 'Lindqvist', 'anna.lindqvist'];
const colleagueNames: readonly Name[] = [
  ['Tomasz', 'Bielak', 'tomasz.bielak'],
  ['Mariam', 'Haddad', 'mariam.haddad'],
  ['Åse', 'Kjærstad', 'ase.kjaerstad'],
  ['José Ángel', 'Muñoz', 'jose.munoz'],
  ['美玲', '陳', 'meiling.chen'],
  ['Zoë', "O'Brien-Çelik", 'zoe.obrien'],
  ['ليلى', 'الحسن', 'leila.alhassan'],
];

const firstAccountAt = new Date('2014-03-03T09:00:00Z');

/** The users of the workspace, recorded or not. */
export function sandboxTeam(seed: number): Team {
  const owner = personOf(seed, ownerName, 0);
  const colleagues = colleagueNames.map((name, index) => personOf(seed, name, index + 1));
  return { owner, colleagues, members: [owner, ...colleagues] };
}

function personOf(seed: number, [firstName, lastName, mailbox]: Name, index: number): Person {
  return {
    id: sandboxUuid(seed, 'user', index),
    firstName,
    lastName,
    email: `${mailbox}@halden-grid.example`,
    createdAt: new Date(firstAccountAt.getTime() + index * 17 * dayMs).toISOString(),
  };
}

/** As far as comments and events name a person. */
export function accountOf({ id, firstName, lastName, email }: Person): Account {
  return { id, firstName, lastName, email };
}
