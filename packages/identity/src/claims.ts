import type { Account, IdentityKind } from './store/accounts.store.ts';

/** What a token, an id token and userinfo say about a person. */
export interface PersonClaims {
  sub: string;
  name: string;
  given_name: string;
  family_name: string;
  email: string;
  email_verified: boolean;
  phone_number?: string;
  /** How the person signs in, as the product's `User.identities` wants it. */
  identities: IdentityKind[];
}

export const claimsByScope = {
  openid: ['sub', 'amr', 'auth_time'],
  profile: ['name', 'given_name', 'family_name', 'identities'],
  email: ['email', 'email_verified'],
  phone: ['phone_number'],
};

export function claimsOf(account: Account, { trustsAddresses }: { trustsAddresses: boolean }): PersonClaims {
  return {
    sub: account.id,
    name: `${account.firstName} ${account.lastName}`,
    given_name: account.firstName,
    family_name: account.lastName,
    email: account.email,
    email_verified: account.emailProved || trustsAddresses,
    ...(account.phone ? { phone_number: account.phone } : {}),
    identities: [account.identity],
  };
}
