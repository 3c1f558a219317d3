import type { MailboxProvider } from '@assay/contract';

/** What a provider gives for a consent. Never leaves the server, and never goes into a log. */
export interface MailboxTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

export interface GivenTokens {
  readonly accessToken: string;
  /** Missing when nothing new was given: a refresh may keep the old one. */
  readonly refreshToken: string | undefined;
  readonly expiresInSeconds: number;
  /** Whether all of the access was allowed that the product asked for. */
  readonly isComplete: boolean;
}

/** One mailbox provider, as far as connecting a mailbox needs it. */
export interface MailboxGateway {
  readonly provider: MailboxProvider;
  /** Where its people withdraw consent themselves; null where `revoke` does it. */
  readonly consentUrl: string | null;
  newCodeVerifier(): string;
  authorizationUrl(trip: { state: string; codeVerifier: string }): Promise<string>;
  exchangeCode(trip: { code: string; state: string; codeVerifier: string }): Promise<GivenTokens>;
  /** Whose mailbox it is. */
  findAddress(accessToken: string): Promise<string>;
  refresh(refreshToken: string): Promise<GivenTokens>;
  /** Ends the whole consent. One that has ended already is no complaint. Null where the provider has no call for it. */
  readonly revoke: ((token: string) => Promise<void>) | null;
}

export type MailboxGateways = Readonly<Record<MailboxProvider, MailboxGateway | null>>;

/** The provider does not accept a code or a refresh token, and will not later either. */
export class MailboxRefused extends Error {
  override readonly name = 'MailboxRefused';
}
