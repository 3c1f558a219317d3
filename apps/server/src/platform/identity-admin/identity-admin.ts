import type { SecondFactor } from '@assay/contract';

/**
 * What the product does with accounts at the identity provider, for which OpenID Connect has no calls and every provider
 * its own. A subject is the `sub` of its tokens.
 */
export interface IdentityAdmin {
  /** Throws if the provider does not take our credentials. */
  checkAccess(): Promise<void>;
  /** The provider will ask for a new password when the person next signs in. */
  requireNewPassword(subject: string): Promise<void>;
  /** Whether this is the person's password; `expired` when a new one is required before any other is taken. */
  checkPassword(person: { address: string; password: string }): Promise<'right' | 'wrong' | 'expired'>;
  setPassword(subject: string, password: string): Promise<PasswordAnswer>;
  /**
   * Ends the person's sessions and refresh tokens, except the session `keep` where the provider can tell sessions apart;
   * answers whether that one was spared.
   */
  endSessions(subject: string, options: { keep: string | null }): Promise<{ isKept: boolean }>;
  /** Removes the account and its sessions. One that is gone already is no complaint. */
  deleteUser(subject: string): Promise<void>;
  /** Null for a provider that shows sessions and second factors on pages of its own only. */
  readonly security: SecurityAdmin | null;
}

/** The sessions and second factors of a person, one by one. */
interface SecurityAdmin {
  findSessions(subject: string): Promise<ProviderSession[]>;
  /** Ends it with its refresh tokens. One that is gone already is no complaint. */
  endSession(sessionId: string): Promise<void>;
  /** With the recovery codes that stand in for them, if there are any left. */
  findSecondFactors(subject: string): Promise<ProviderFactor[]>;
  /** Removes all of them, and the codes that replace them. */
  removeSecondFactors(subject: string): Promise<void>;
}

export interface ProviderSession {
  /** The `sid` of its tokens. */
  readonly id: string;
  readonly agent: string | null;
  readonly address: string | null;
  readonly startedAt: Date;
  readonly usedAt: Date;
}

export interface ProviderFactor {
  readonly kind: SecondFactor | 'recovery_codes';
  /** Given by the person; null where the provider has none. */
  readonly name: string | null;
  readonly createdAt: Date | null;
}

/** The provider has rules for passwords that we do not know; its own words say which one was broken. */
type PasswordAnswer = { readonly isTaken: true } | { readonly isTaken: false; readonly why: string };

export interface IdentityAdminOptions {
  readonly kind: 'keycloak' | 'auth0';
  /** The realm (`https://host/realms/name`) of Keycloak, the tenant's origin of Auth0. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The web app's client, in whose name customers hold their tokens. */
  readonly webClientId: string;
  /** Auth0's database connection, in which passwords live. */
  readonly connection: string;
}
