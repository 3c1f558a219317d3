import { createHmac, randomBytes } from 'node:crypto';
import type { Installation } from '../installation.ts';
import type { SecurityChange } from '../mailer.ts';
import type { Caller } from '../options.ts';
import type { Account } from '../store/accounts.store.ts';
import {
  deleteAuthenticator,
  deletePasskey,
  deleteRecoveryCodes,
  findPasskey,
  findSealedSecret,
  findSecondFactors,
  insertAuthenticator,
  insertPasskey,
  type Passkey,
  recordPasskeyUse,
  replaceRecoveryCodes,
  type SecondFactors,
  takeRecoveryCode,
  takeTotpStep,
} from '../store/second-factors.store.ts';
import { type Ceremony, checkPasskey, passkeyIdOf, readNewPasskey } from './passkeys.ts';
import { seal, unseal } from './sealing.ts';
import { base32Of, findTotpStep, totpSecretBytes } from './totp.ts';

export const passkeysMax = 10;
const recoveryCodeCount = 10;
/** 50 random bits, of which a guesser has a few tries. */
const recoveryCodeLetters = 10;

/** Two-step verification is on from the first authenticator app or passkey to the last. */
export const isTwoStepOn = ({ authenticatorSince, passkeys }: SecondFactors): boolean =>
  authenticatorSince !== null || passkeys.length > 0;

/** Recovery codes to show once. Empty when the account has some already. */
export type FreshCodes = readonly string[];

/** Somebody who changes their second factors, or uses one. */
export interface Person {
  account: Account;
  caller: Caller;
}

/** The rules of second factors: adding, removing and checking them, and whom to tell. See docs/decisions/second-step-at-the-provider.md. */
export class SecondFactorService {
  readonly #installation: Installation;

  constructor(installation: Installation) {
    this.#installation = installation;
  }

  find(accountId: string): Promise<SecondFactors> {
    return findSecondFactors(this.#installation.database, accountId);
  }

  async isOn(accountId: string): Promise<boolean> {
    return isTwoStepOn(await this.find(accountId));
  }

  /** Whether the authenticator app showed this code, or it is an unused recovery code. A code works once. */
  async useCode(person: Person, typed: string): Promise<boolean> {
    const { account } = person;
    const code = typed.replace(/[\s-]/g, '');
    if (/^\d{6}$/.test(code)) return this.#useTotpCode(account.id, code);
    const codeHash = this.#hashOf(account.id, code);
    if (!(await takeRecoveryCode(this.#installation.database, account.id, codeHash))) return false;
    await this.#tell(person, { what: 'recovery_code_used', wasOn: true });
    return true;
  }

  async #useTotpCode(accountId: string, code: string): Promise<boolean> {
    const { database, secrets, now } = this.#installation;
    const sealed = await findSealedSecret(database, accountId);
    const secret = sealed && unseal(secrets.sealingKey, sealed, accountId);
    const step = secret && findTotpStep(secret, code, now());
    return step !== undefined && takeTotpStep(database, accountId, step);
  }

  /** The account whose passkey signed, if it is one of `accountId` or that is not said yet. */
  async usePasskey(ceremony: Ceremony, answer: string, accountId?: string): Promise<Passkey | undefined> {
    const { database, now } = this.#installation;
    const passkey = await findPasskey(database, passkeyIdOf(answer) ?? '');
    if (!passkey || (accountId !== undefined && passkey.accountId !== accountId)) return undefined;
    const isOnlyFactor = accountId === undefined;
    const counter = await checkPasskey(this.#installation, ceremony, { passkey, answer, isOnlyFactor });
    if (counter === undefined) return undefined;
    return (await recordPasskeyUse(database, passkey.id, { counter, now: now() })) ? passkey : undefined;
  }

  /** A secret for an authenticator app. The form carries it sealed until the first code confirms it. */
  offerSecret({ uid }: Ceremony): { secret: Buffer; sealed: string } {
    const secret = randomBytes(totpSecretBytes);
    const sealed = seal(this.#installation.secrets.sealingKey, secret, offerContext(uid));
    return { secret, sealed: sealed.toString('base64url') };
  }

  openOffer({ uid }: Ceremony, sealed: string): Buffer | undefined {
    return unseal(this.#installation.secrets.sealingKey, Buffer.from(sealed, 'base64url'), offerContext(uid));
  }

  /** Undefined when the code is not the secret's. */
  async addAuthenticator(person: Person, secret: Buffer, typed: string): Promise<FreshCodes | undefined> {
    const { account } = person;
    const { database, secrets, now } = this.#installation;
    const lastStep = findTotpStep(secret, typed.replace(/\s/g, ''), now());
    if (lastStep === undefined) return undefined;
    const before = await this.find(account.id);
    const sealedSecret = seal(secrets.sealingKey, secret, account.id);
    const isNew = await insertAuthenticator(database, {
      accountId: account.id,
      sealedSecret,
      lastStep,
      createdAt: now(),
    });
    if (!isNew) return undefined;
    await this.#tell(person, { what: 'authenticator_added', wasOn: isTwoStepOn(before) });
    return this.#codesIfNone(account.id);
  }

  async removeAuthenticator(person: Person): Promise<void> {
    if (!(await deleteAuthenticator(this.#installation.database, person.account.id))) return;
    await this.#afterRemoval(person, { what: 'authenticator_removed', wasOn: true });
  }

  /** Undefined when the browser's answer does not hold, the passkey is known, or there are too many. */
  async addPasskey(
    person: Person,
    ceremony: Ceremony,
    { name, answer }: { name: string; answer: string },
  ): Promise<FreshCodes | undefined> {
    const { database, now } = this.#installation;
    const { account } = person;
    const before = await this.find(account.id);
    const made = await readNewPasskey(this.#installation, ceremony, answer);
    if (!made || before.passkeys.length >= passkeysMax) return undefined;
    const passkey = { ...made, accountId: account.id, name, createdAt: now() };
    if (!(await insertPasskey(database, passkey))) return undefined;
    await this.#tell(person, { what: 'passkey_added', name, wasOn: isTwoStepOn(before) });
    return this.#codesIfNone(account.id);
  }

  async removePasskey(person: Person, id: string): Promise<void> {
    const name = await deletePasskey(this.#installation.database, person.account.id, id);
    if (name !== undefined) await this.#afterRemoval(person, { what: 'passkey_removed', name, wasOn: true });
  }

  async renewRecoveryCodes(person: Person): Promise<FreshCodes> {
    const codes = await this.#writeCodes(person.account.id);
    await this.#tell(person, { what: 'recovery_codes_renewed', wasOn: true });
    return codes;
  }

  /** Without a second factor, recovery codes open nothing, and old ones must not come back with the next factor. */
  async #afterRemoval(person: Person, change: SecurityChange): Promise<void> {
    const { account } = person;
    if (!(await this.isOn(account.id))) await deleteRecoveryCodes(this.#installation.database, account.id);
    await this.#tell(person, change);
  }

  async #codesIfNone(accountId: string): Promise<FreshCodes> {
    const { recoveryCodeCount: left } = await this.find(accountId);
    return left > 0 ? [] : this.#writeCodes(accountId);
  }

  async #writeCodes(accountId: string): Promise<FreshCodes> {
    const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
    const hashes = codes.map((code) => this.#hashOf(accountId, code.replace('-', '')));
    await replaceRecoveryCodes(this.#installation.database, accountId, hashes);
    return codes;
  }

  #hashOf(accountId: string, code: string): string {
    const { pepper } = this.#installation.secrets;
    return createHmac('sha256', pepper)
      .update(`recovery\0${accountId}\0${code.toLowerCase()}`)
      .digest('base64url');
  }

  /** The owner by mail, and the log. */
  async #tell({ account, caller }: Person, change: SecurityChange): Promise<void> {
    const { mailer, reportRelay, options, now, onError } = this.#installation;
    const { id, email, emailProved } = account;
    const { what, name } = change;
    const logged = { subject: id, what, ...(name !== undefined && { name }), caller, now: now() };
    await options.onTwoStepChange?.(logged).catch(onError);
    if (!mailer || !emailProved) return;
    const isOn = await this.isOn(id);
    // Nobody waits for it: the change is made, whatever the relay does.
    void mailer.sendSecurityChange(email, { ...change, isOn }).catch(reportRelay);
  }
}

/** Bound to the session, so that a secret offered to one person cannot be confirmed in another's account. */
const offerContext = (uid: string): string => `authenticator offered in ${uid}`;

function newRecoveryCode(): string {
  const letters = base32Of(randomBytes(recoveryCodeLetters)).slice(0, recoveryCodeLetters).toLowerCase();
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
}
