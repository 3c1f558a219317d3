import type { SecurityChange } from './mailer.ts';
import type { PasswordCost } from './passwords.ts';
import type { Limit } from './store/attempts.ts';

export interface IdentityOptions {
  databaseUrl: string;
  /** Where browsers reach this provider: an origin such as `http://localhost:3001`, or a path below one. */
  issuer: string;
  host?: string;
  port: number;
  /** The resource indicator of the product's API; it becomes `aud` of every access token. */
  audience: string;
  /** The web app: a public client, so it has no secret and proves itself by PKCE. */
  clientId: string;
  redirectUris: string[];
  postLogoutRedirectUris: string[];
  /** For example `smtp://user:password@mail.example:587`. Without it, addresses are taken on trust. */
  smtpRelayUrl?: string;
  mailFrom?: string;
  /** Offers the chooser page that stands in for Google. It authenticates nobody, so it is for trials only. */
  standsInForGoogle?: boolean;
  /** An account to try the product with; made at the first start and left alone afterwards. */
  demo?: { email: string; password: string; firstName: string; lastName: string };
  /** The product's own access to accounts: the part of Keycloak's admin REST that it needs. */
  admin?: { clientId: string; clientSecret: string };
  /** Moves codes, limits and key rotation in tests; tokens keep the machine's time. */
  clock?: { now(): Date };
  limits?: Partial<IdentityLimits>;
  /** For tests, most of whose processor time the usual cost of a password hash would take. */
  passwordCost?: PasswordCost;
  /** How often what has run out is deleted, and new signing keys are looked for. */
  upkeepEveryMs?: number;
  /** Told of each change of a second factor, after it was made. What it throws goes to `onError`. */
  onTwoStepChange?: (change: TwoStepChange) => Promise<void>;
  /** Receives unexpected errors; they never contain an address, a password or a token. */
  onError?: (error: Error) => void;
}

/** A change of the second step of an account, or the use of a recovery code, and who made it. */
export interface TwoStepChange {
  subject: string;
  what: SecurityChange['what'];
  /** Of a passkey. */
  name?: string;
  caller: Caller;
  now: Date;
}

/** The browser of a request. */
export interface Caller {
  address: string;
  agent: string | null;
}

export interface IdentityLimits {
  /** Failed sign-ins of one account from one network: a stranger elsewhere does not use them up. */
  signInPerAccountAndNetwork: Limit;
  /** Failed sign-ins of one account in a browser that signed in to it before, which no stranger's failures pause. */
  signInPerKnownDevice: Limit;
  /**
   * Failed sign-ins of one account from all networks. It pauses nobody: with more, strangers guess from many places, and each
   * network has the smaller allowance below.
   */
  signInBeforeSlowing: Limit;
  /** Failed sign-ins from one network of an account that strangers guess at. */
  signInPerNetworkWhileSlowed: Limit;
  /** Failed sign-ins of one account from all networks. Its window is short, so that no stranger locks new browsers out for long. */
  signInPerAccount: Limit;
  /** Passwords of one account that the product checks for a signed-in person. */
  passwordCheckPerAccount: Limit;
  /** Failed sign-ins from one network address, for any account. */
  signInPerAddress: Limit;
  /** Wrong codes at the second step of one account, where a known device counts by itself. */
  secondStep: Limit;
  /** The same over a day: six digits must not be found by patience. */
  secondStepPerDay: Limit;
  /** Over a day and all devices: whoever made many devices known before two-step verification must not guess with each. */
  secondStepOfAllDevices: Limit;
  signUpPerAddress: Limit;
  codeMailsPerEmail: Limit;
  codeMailsPerAddress: Limit;
}

export const defaultLimits: IdentityLimits = {
  signInPerAccountAndNetwork: { name: 'sign_in_account_network', max: 10, windowMinutes: 15 },
  signInPerKnownDevice: { name: 'sign_in_known_device', max: 10, windowMinutes: 15 },
  signInBeforeSlowing: { name: 'sign_in_before_slowing', max: 20, windowMinutes: 24 * 60 },
  signInPerNetworkWhileSlowed: { name: 'sign_in_slowed', max: 2, windowMinutes: 15 },
  signInPerAccount: { name: 'sign_in_account_burst', max: 60, windowMinutes: 15 },
  passwordCheckPerAccount: { name: 'password_check_account', max: 10, windowMinutes: 15 },
  signInPerAddress: { name: 'sign_in_address', max: 100, windowMinutes: 15 },
  secondStep: { name: 'second_step', max: 10, windowMinutes: 15 },
  secondStepPerDay: { name: 'second_step_day', max: 50, windowMinutes: 24 * 60 },
  secondStepOfAllDevices: { name: 'second_step_all_devices', max: 200, windowMinutes: 24 * 60 },
  signUpPerAddress: { name: 'sign_up_address', max: 60, windowMinutes: 60 },
  codeMailsPerEmail: { name: 'code_mail_email', max: 5, windowMinutes: 60 },
  codeMailsPerAddress: { name: 'code_mail_address', max: 30, windowMinutes: 60 },
};

/** Access tokens live this long, and the web app renews them silently; refresh tokens and sessions live two weeks. */
export const accessTokenSeconds = 30 * 60;
export const sessionSeconds = 14 * 24 * 60 * 60;

/** What the paths of this provider begin with: nothing, unless the issuer is below an origin. */
export const mountPathOf = (issuer: string): string => new URL(issuer).pathname.replace(/\/$/, '');

/** Changing how one signs in needs a sign-in that is at most this old, as revealing a secret does in the product. */
export const recentSignInSeconds = 10 * 60;

/** The web app, for visitors who reach a page of ours without a sign-in under way. */
export function homeUrlOf({
  options,
}: {
  readonly options: Pick<IdentityOptions, 'redirectUris' | 'issuer'>;
}): string {
  return new URL('/', options.redirectUris[0] ?? options.issuer).href;
}
