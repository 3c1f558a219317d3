import { readCompanyDomain, readLinkedinProfile } from '@assay/contract';
import { isDisposableDomain, isFreeProviderDomain } from '@assay/verifier';
import type { PersonName } from './patterns/name-parts.ts';
import { canBeGuessed } from './patterns/rank-candidates.ts';

/** A person whose address may be guessed. */
export interface GuessedPerson extends PersonName {
  readonly domain: string;
}

/** Why a row has no person to guess. The export contains this code. */
export type PersonProblem = 'name_missing' | 'name_not_latin' | 'domain_missing' | 'domain_not_company';

export interface PersonGiven {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly linkedinUrl?: string | undefined;
  readonly domain: string;
}

/** The person, or the reason why they cannot be guessed. A profile address replaces missing names. */
export function readPerson(given: PersonGiven): GuessedPerson | PersonProblem {
  const name = nameOf(given);
  if (name === null) return 'name_missing';
  if (!canBeGuessed(name)) return 'name_not_latin';
  const domain = readCompanyDomain(given.domain);
  if (domain === null) return 'domain_missing';
  if (isOpenToAnyone(domain)) return 'domain_not_company';
  return { ...name, domain };
}

function nameOf({ firstName = '', lastName = '', linkedinUrl = '' }: PersonGiven): PersonName | null {
  if (firstName.trim() !== '' || lastName.trim() !== '') {
    return { firstName: firstName.trim(), lastName: lastName.trim() };
  }
  const profile = readLinkedinProfile(linkedinUrl);
  return profile && { firstName: profile.first_name, lastName: profile.last_name };
}

/** A mailbox there does not show where a person works, and a guess would find a stranger with the same name. */
const isOpenToAnyone = (domain: string): boolean =>
  isFreeProviderDomain(domain) || isDisposableDomain(domain);
