import { object, optionalText } from './event-schemas.ts';

export const personSchema = object({
  id: optionalText,
  firstName: optionalText,
  lastName: optionalText,
  email: optionalText,
});

interface Person {
  readonly id?: string | null | undefined;
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
  readonly email?: string | null | undefined;
}

/** First and last name, else the email address, else the id, else that it is somebody unknown. */
export function personName({ id, firstName, lastName, email }: Person): string {
  const fullName = [firstName, lastName]
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(' ');
  return [fullName, email, id].find((said) => said) ?? '(unknown)';
}
