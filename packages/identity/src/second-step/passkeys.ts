import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Installation } from '../installation.ts';
import type { Account } from '../store/accounts.store.ts';
import type { Passkey } from '../store/second-factors.store.ts';

/** Loaded at the first use: its two hundred modules are a tenth of the start of a trial. */
const loadLibrary = () => import('@simplewebauthn/server');

/** EdDSA, ES256 and RS256: what authenticators make today. Named, because the library else asks Node for an experimental one. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Where a ceremony takes place: a sign-in, or the session on whose pages a passkey is added. */
export interface Ceremony {
  uid: string;
}

/** Passkeys belong to the name of a host: browsers refuse them for a network address, and without https except on localhost. */
export function hasPasskeys({ options }: Installation): boolean {
  const { protocol, hostname } = new URL(options.issuer);
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return !isAddress && (protocol === 'https:' || hostname === 'localhost');
}

/** What the browser needs to make a new passkey. */
export async function newPasskeyOptions(
  installation: Installation,
  ceremony: Ceremony,
  { account, passkeys }: { account: Account; passkeys: readonly Passkey[] },
): Promise<object> {
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: 'Assay',
    rpID: hostOf(installation.options.issuer),
    userID: new Uint8Array(Buffer.from(account.id)),
    userName: account.email,
    userDisplayName: `${account.firstName} ${account.lastName}`,
    challenge: challengeOf(installation, ceremony),
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: passkeys.map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** What the browser needs to sign in with one of these passkeys; with none, the person chooses among all of theirs. */
export async function passkeyOptions(
  installation: Installation,
  ceremony: Ceremony,
  passkeys: readonly Passkey[] = [],
): Promise<object> {
  const { generateAuthenticationOptions } = await loadLibrary();
  return generateAuthenticationOptions({
    rpID: hostOf(installation.options.issuer),
    challenge: challengeOf(installation, ceremony),
    allowCredentials: passkeys.map(descriptorOf),
    userVerification: passkeys.length === 0 ? 'required' : 'preferred',
  });
}

export type NewPasskey = Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports'>;

/** The passkey that the browser made, or undefined when its answer does not hold. */
export async function readNewPasskey(
  installation: Installation,
  ceremony: Ceremony,
  answer: string,
): Promise<NewPasskey | undefined> {
  try {
    const { verifyRegistrationResponse } = await loadLibrary();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: JSON.parse(answer) as RegistrationResponseJSON,
      requireUserVerification: false,
      supportedAlgorithmIDs,
      ...expectedOf(installation, ceremony),
    });
    if (!verified || !registrationInfo) return undefined;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return { id, publicKey: Buffer.from(publicKey), counter, transports };
  } catch {
    // Anything that a browser can send ends here: wrong shapes, signatures, origins, challenges.
    return undefined;
  }
}

/** A credential id in base64url has at most 1,364 letters (WebAuthn: 1,023 bytes). PostgreSQL takes no NUL in a text. */
const passkeyId = /^[\w-]{1,1400}$/;

/** The id that an answer names. It proves nothing yet. */
export function passkeyIdOf(answer: string): string | undefined {
  try {
    const { id } = JSON.parse(answer) as { id?: unknown };
    return typeof id === 'string' && passkeyId.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** The passkey's new counter when its signature holds; else undefined. */
export async function checkPasskey(
  installation: Installation,
  ceremony: Ceremony,
  { passkey, answer, isOnlyFactor }: { passkey: Passkey; answer: string; isOnlyFactor: boolean },
): Promise<number | undefined> {
  try {
    const { verifyAuthenticationResponse } = await loadLibrary();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: JSON.parse(answer) as AuthenticationResponseJSON,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
      },
      // Alone it must be two factors: the device, and the finger or PIN that unlocked it.
      requireUserVerification: isOnlyFactor,
      ...expectedOf(installation, ceremony),
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}

function expectedOf(installation: Installation, ceremony: Ceremony) {
  const { issuer } = installation.options;
  return {
    expectedChallenge: Buffer.from(challengeOf(installation, ceremony)).toString('base64url'),
    expectedOrigin: new URL(issuer).origin,
    expectedRPID: hostOf(issuer),
  };
}

/**
 * Nobody else can work it out, and it is good for one sign-in or one session: a sign-in ends with its first success, and a
 * passkey is added once. So it need not be stored.
 */
function challengeOf({ secrets }: Installation, { uid }: Ceremony): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac('sha256', secrets.pepper).update(`passkey\0${uid}`).digest());
}

function descriptorOf({ id, transports }: Passkey) {
  return { id, transports: transports as AuthenticatorTransport[] };
}

function hostOf(issuer: string): string {
  return new URL(issuer).hostname;
}
