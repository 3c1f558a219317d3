import type { FormErrors } from '../pages/form.ts';
import { objectionToPassword } from '../password-policy.ts';

export interface PersonForm {
  email: string;
  firstName: string;
  lastName: string;
}

const nameLength = { min: 2, max: 50 };
const emailLengthMax = 254;
// Letters and accents of any script, hyphen, comma, dot, apostrophe and space: section 5 of the specification.
const nameCharacters = /^[\p{L}\p{M}\-,.'’ ]+$/u;
// The pattern that browsers use for <input type="email">, with a dot required in the domain.
const emailPattern =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

export function isEmail(text: string): boolean {
  return text.length <= emailLengthMax && emailPattern.test(text);
}

export function objectionsToPerson({ email, firstName, lastName }: PersonForm): FormErrors {
  return withoutUndefined({
    first_name: objectionToName(firstName, 'First name'),
    last_name: objectionToName(lastName, 'Last name'),
    email: isEmail(email) ? undefined : 'Enter a valid email',
  });
}

export function objectionsToSignUp(person: PersonForm, password: string): FormErrors {
  return {
    ...objectionsToPerson(person),
    ...withoutUndefined({ password: objectionToPassword(password, person) }),
  };
}

function objectionToName(name: string, label: string): string | undefined {
  const length = [...name].length;
  if (length === 0) return `${label} required`;
  if (length < nameLength.min) return `${label} requires at least ${nameLength.min} characters`;
  if (length > nameLength.max) return `${label} requires no more than ${nameLength.max} characters`;
  if (!nameCharacters.test(name)) return `${label} requires valid characters`;
  return undefined;
}

function withoutUndefined(errors: Record<string, string | undefined>): FormErrors {
  return Object.fromEntries(
    Object.entries(errors).filter(([, message]) => message !== undefined),
  ) as FormErrors;
}
