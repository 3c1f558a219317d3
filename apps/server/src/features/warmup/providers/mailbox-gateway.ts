import type { MailboxProvider } from '@assay/contract';

/** Tokens of a consent. They never leave the server and are never logged. */
export interface MailboxTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

export interface GivenTokens {
  readonly accessToken: string;
  /** Absent if a refresh keeps the old one. */
  readonly refreshToken: string | undefined;
  readonly expiresInSeconds: number;
  /** Whether the person granted all requested permissions. */
  readonly isComplete: boolean;
}

/** The calls to a mailbox provider that connecting a mailbox needs. */
export interface MailboxGateway {
  readonly provider: MailboxProvider;
  /** The URL where people withdraw consent themselves; null if `revoke` does it. */
  readonly consentUrl: string | null;
  newCodeVerifier(): string;
  authorizationUrl(authorization: { state: string; codeVerifier: string }): Promise<string>;
  exchangeCode(authorization: { code: string; state: string; codeVerifier: string }): Promise<GivenTokens>;
  /** The mailbox's address. */
  findAddress(accessToken: string): Promise<string>;
  refresh(refreshToken: string): Promise<GivenTokens>;
  /** Ends the whole consent, also if it has already ended. Null if the provider has no call for it. */
  readonly revoke: ((token: string) => Promise<void>) | null;
}

export type MailboxGateways = Readonly<Record<MailboxProvider, MailboxGateway | null>>;

/** The provider refuses a code or a refresh token permanently. */
export class MailboxRefused extends Error {
  override readonly name = 'MailboxRefused';
}
