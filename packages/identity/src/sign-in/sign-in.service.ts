import type { Installation } from '../installation.ts';
import type { Caller } from '../options.ts';
import type { FormErrors } from '../pages/form.ts';
import { objectionToPassword } from '../password-policy.ts';
import { hashPassword, verifyNothing, verifyPassword } from '../passwords.ts';
import { SecondFactorService } from '../second-step/second-factors.ts';
import {
  type Account,
  findAccountByEmail,
  findAccountById,
  insertAccount,
  markEmailProved,
  setPassword,
  setSessionsValidFrom,
} from '../store/accounts.store.ts';
import type { Limit } from '../store/attempts.ts';
import { type AfterSecondFactor, type CodeStep, isCodeStep } from '../store/pending-steps.ts';
import { endSessionsOf } from '../store/records.adapter.ts';
import type { Interaction } from './interaction.ts';
import { isEmail, objectionsToPerson, objectionsToSignUp, type PersonForm } from './person-form.ts';

/** How a person proved who they are, in the words of RFC 8176; `fed` is another provider's word for it. */
type Method = 'pwd' | 'otp' | 'pop' | 'mfa' | 'fed';

/** How a form's rules end: with a signed-in person, another page, the same page again, or a pause. */
export type Outcome =
  | { kind: 'signed_in'; accountId: string; amr: readonly Method[] }
  | { kind: 'next'; screen: 'code' | 'second-step' | 'new-password' }
  | { kind: 'refused'; errors: FormErrors }
  | { kind: 'limited'; retryAfterMs: number };

/** Who is at the form: which interaction, from which network. */
export interface Visit {
  interaction: Interaction;
  network: string;
  caller: Caller;
  /** Names this browser when it signed in to that account before. */
  knownDeviceFor(email: string): string | undefined;
}

/** A limit, and whose attempts it counts. */
type Counted = [Limit, string];

const refused = (errors: FormErrors): Outcome => ({ kind: 'refused', errors });
const hasSome = (errors: FormErrors): boolean => Object.keys(errors).length > 0;

/** The rules of signing in and up. Pages and cookies are the routes' business, SQL the stores'. */
export class SignInService {
  readonly #installation: Installation;
  readonly #secondFactors: SecondFactorService;

  constructor(installation: Installation) {
    this.#installation = installation;
    this.#secondFactors = new SecondFactorService(installation);
  }

  async signIn(visit: Visit, { email, password }: { email: string; password: string }): Promise<Outcome> {
    if (!isEmail(email)) return refused({ email: 'Enter a valid email' });
    if (password === '') return refused({ password: 'Password required' });

    const { attempts } = this.#installation;
    const { own, shared, slowing } = await this.#countedFor(visit, email);
    for (const [limit, subject] of [...own, ...shared]) {
      const pause = await this.#pauseOf(limit, subject);
      if (pause) return pause;
    }
    for (const [limit, subject] of slowing) await attempts.take(limit, subject);
    const account = await this.#accountWithPassword(email, password);
    if (!account) return refused({ form: 'The email or the password is not right.' });

    // Only failures count: a busy office behind one address is not an attack. Earlier failures are forgiven where they were
    // this person's own, but not those that strangers may have made.
    for (const [limit, subject] of own) await attempts.forget(limit, subject);
    for (const [limit, subject] of [...shared, ...slowing]) await attempts.giveBack(limit, subject);
    return this.#afterFirstFactor(visit, account, 'sign_in');
  }

  /** A passkey that the device unlocked with a finger or a PIN is two factors at once, so it needs no password. */
  async signInWithPasskey(visit: Visit, answer: string): Promise<Outcome> {
    const { attempts, database, limits } = this.#installation;
    const pause = await this.#pauseOf(limits.signInPerAddress, visit.network);
    if (pause) return pause;
    const passkey = await this.#secondFactors.usePasskey(visit.interaction, answer);
    const account = passkey && (await findAccountById(database, passkey.accountId));
    if (!account)
      return refused({ form: 'This passkey does not open an account. Sign in with your password.' });
    await attempts.giveBack(limits.signInPerAddress, visit.network);
    return this.#admit(visit, account, ['pop', 'mfa']);
  }

  /** Whom this interaction asks for a second factor, and what follows it; undefined if it does not ask. */
  async findSecondStep({
    interaction,
  }: Visit): Promise<{ account: Account; leadsTo: AfterSecondFactor } | undefined> {
    const { database, pendingSteps } = this.#installation;
    const step = await pendingSteps.find(interaction.uid);
    if (step?.kind !== 'second_factor') return undefined;
    const account = await findAccountById(database, step.accountId);
    return account && { account, leadsTo: step.leadsTo };
  }

  /** `code` is the authenticator app's or a recovery code; `answer` is what the browser says of a passkey. */
  async enterSecondStep(visit: Visit, { code, answer }: { code: string; answer: string }): Promise<Outcome> {
    const { attempts, pendingSteps } = this.#installation;
    const step = await this.findSecondStep(visit);
    if (!step) return refused({ form: 'This took too long. Start again with your password.' });

    const { account, leadsTo } = step;
    const counted = this.#countedAtSecondStep(visit, account, answer ? 'passkey' : 'code');
    for (const [limit, subject] of counted) {
      const pause = await this.#pauseOf(limit, subject);
      if (pause) return pause;
    }
    const isRight = answer
      ? (await this.#secondFactors.usePasskey(visit.interaction, answer, account.id)) !== undefined
      : await this.#secondFactors.useCode({ account, caller: visit.caller }, code);
    if (!isRight) {
      return answer
        ? refused({ form: 'This passkey was not accepted. Try again, or use a code.' })
        : refused({ code: 'That code is not right, or it was used before.' });
    }
    for (const [limit, subject] of counted) await attempts.giveBack(limit, subject);
    await pendingSteps.end(visit.interaction.uid);
    return leadsTo === 'new_password'
      ? this.askForNewPassword(visit, account.id)
      : this.#admit(visit, account, ['pwd', answer ? 'pop' : 'otp', 'mfa']);
  }

  /**
   * What a wrong second factor counts against. A stranger who has the password must not lock the owner out: so a device that
   * signed in before is counted by itself, and a passkey, which cannot be guessed, only against the network.
   */
  #countedAtSecondStep(visit: Visit, { id, email }: Account, factor: 'passkey' | 'code'): Counted[] {
    const { limits } = this.#installation;
    if (factor === 'passkey') return [[limits.signInPerAddress, visit.network]];
    const device = visit.knownDeviceFor(email);
    const subject = device ? `${id}\0${device}` : id;
    return [
      [limits.secondStep, subject],
      [limits.secondStepPerDay, subject],
      // The last, so that a browser that is paused by itself uses up nothing of the others'.
      [limits.secondStepOfAllDevices, id],
    ];
  }

  /** After the password, or the code that stands in for it. */
  async #afterFirstFactor(visit: Visit, account: Account, leadsTo: AfterSecondFactor): Promise<Outcome> {
    if (await this.#secondFactors.isOn(account.id)) {
      await this.#installation.pendingSteps.awaitSecondFactor(visit.interaction.uid, account.id, leadsTo);
      return { kind: 'next', screen: 'second-step' };
    }
    return leadsTo === 'new_password'
      ? this.askForNewPassword(visit, account.id)
      : this.#admit(visit, account, ['pwd']);
  }

  async #admit(visit: Visit, account: Account, amr: readonly Method[]): Promise<Outcome> {
    if (!account.emailProved && !this.#installation.trustsAddresses) {
      return this.#sendCode(visit, { kind: 'prove_account', email: account.email, accountId: account.id });
    }
    // Whether a new password is due is for the provider's policy to say: it asks in living sessions too.
    return { kind: 'signed_in', accountId: account.id, amr };
  }

  /**
   * What a wrong password counts against. A device that signed in to the account before is counted by itself, so that
   * strangers' failures, however many and from wherever, do not lock its owner out. Others are slowed down while strangers guess
   * from many networks: each network has a few attempts of its own, so the owner can sign in at a new one. `slowing` pauses nobody.
   */
  async #countedFor(
    { network, knownDeviceFor }: Visit,
    email: string,
  ): Promise<{ own: Counted[]; shared: Counted[]; slowing: Counted[] }> {
    const { limits, attempts } = this.#installation;
    const device = knownDeviceFor(email);
    if (device)
      return { own: [[limits.signInPerKnownDevice, `${email}\0${device}`]], shared: [], slowing: [] };
    const isSlowed = await attempts.isFull(limits.signInBeforeSlowing, email);
    const perNetwork = isSlowed ? limits.signInPerNetworkWhileSlowed : limits.signInPerAccountAndNetwork;
    return {
      own: [[perNetwork, `${email}\0${network}`]],
      shared: [
        [limits.signInPerAddress, network],
        [limits.signInPerAccount, email],
      ],
      slowing: isSlowed ? [] : [[limits.signInBeforeSlowing, email]],
    };
  }

  async signUp(visit: Visit, person: PersonForm, password: string): Promise<Outcome> {
    const objections = objectionsToSignUp(person, password);
    if (hasSome(objections)) return refused(objections);
    const pause = await this.#pauseOf(this.#installation.limits.signUpPerAddress, visit.network);
    if (pause) return pause;

    const passwordHash = await hashPassword(password, this.#installation.options.passwordCost);
    if (!this.#installation.trustsAddresses) {
      return this.#sendCode(visit, { kind: 'prove_sign_up', ...person, passwordHash });
    }
    const account = await this.#insert(person, { identity: 'email', passwordHash, emailProved: false });
    if (!account) return refused({ email: 'This address has an account already. Sign in instead.' });
    return { kind: 'signed_in', accountId: account.id, amr: ['pwd'] };
  }

  /** The stand-in asks for no password, so with a relay at hand the code does what Google's sign-in would do. */
  async continueWithGoogle(visit: Visit, person: PersonForm): Promise<Outcome> {
    const objections = objectionsToPerson(person);
    if (hasSome(objections)) return refused(objections);
    if (!this.#installation.trustsAddresses)
      return this.#sendCode(visit, { kind: 'prove_google', ...person });
    return this.#admitGooglePerson(visit, person, { emailProved: false });
  }

  async forgotPassword(visit: Visit, { email }: { email: string }): Promise<Outcome> {
    if (!isEmail(email)) return refused({ email: 'Enter a valid email' });
    const account = await findAccountByEmail(this.#installation.database, email);
    const accountId = account?.identity === 'email' ? account.id : null;
    return this.#sendCode(visit, { kind: 'prove_for_reset', email, accountId });
  }

  async resendCode(visit: Visit): Promise<Outcome> {
    const step = await this.#installation.pendingSteps.find(visit.interaction.uid);
    if (!isCodeStep(step)) return refused({ form: 'There is no code to send. Start again.' });
    return this.#sendCode(visit, step);
  }

  async enterCode(visit: Visit, code: string): Promise<Outcome> {
    const { pendingSteps } = this.#installation;
    const check = await pendingSteps.checkCode(visit.interaction.uid, code.replace(/\D/g, ''));
    if (check.isRight) return this.#afterCode(visit, check.step);
    if (check.reason === 'used_up')
      return refused({ form: 'This code no longer works. Send a new one below.' });
    const left = check.attemptsLeft === 1 ? '1 attempt' : `${check.attemptsLeft} attempts`;
    return refused({ code: `That code is not right. You have ${left} left.` });
  }

  /** The person whom this interaction asks for a new password, if it does. */
  async accountChoosingPassword({ interaction }: Visit): Promise<Account | undefined> {
    const { database, pendingSteps } = this.#installation;
    const step = await pendingSteps.find(interaction.uid);
    return step?.kind === 'new_password' ? findAccountById(database, step.accountId) : undefined;
  }

  /** For who has just shown who they are, by the old password, a living session or a code. */
  async askForNewPassword({ interaction }: Visit, accountId: string): Promise<Outcome> {
    await this.#installation.pendingSteps.awaitNewPassword(interaction.uid, accountId);
    return { kind: 'next', screen: 'new-password' };
  }

  async chooseNewPassword(visit: Visit, account: Account, password: string): Promise<Outcome> {
    const objection =
      objectionToPassword(password, account) ??
      (account.passwordHash && (await verifyPassword(password, account.passwordHash))
        ? 'That is the password you have now. Choose another.'
        : undefined);
    if (objection) return refused({ password: objection });

    const { database, pendingSteps } = this.#installation;
    await setPassword(database, account.id, {
      passwordHash: await hashPassword(password, this.#installation.options.passwordCost),
      mustChange: false,
    });
    await endSessionsOf(database, account.id, visit.interaction.session?.uid);
    await setSessionsValidFrom(database, account.id, new Date());
    await pendingSteps.end(visit.interaction.uid);
    await this.#tellOfNewPassword(account);
    return { kind: 'signed_in', accountId: account.id, amr: ['pwd'] };
  }

  async #tellOfNewPassword({ id, email, emailProved }: Account): Promise<void> {
    const { mailer, reportRelay } = this.#installation;
    if (!mailer || !emailProved) return;
    const isTwoStepOn = await this.#secondFactors.isOn(id);
    // Nobody waits for it: the password is changed, whatever the relay does.
    void mailer.sendPasswordChanged(email, { isTwoStepOn }).catch(reportRelay);
  }

  async #accountWithPassword(email: string, password: string): Promise<Account | undefined> {
    const account = await findAccountByEmail(this.#installation.database, email);
    const isRight = account?.passwordHash
      ? await verifyPassword(password, account.passwordHash)
      : await verifyNothing(password, this.#installation.options.passwordCost);
    return isRight ? account : undefined;
  }

  async #afterCode(visit: Visit, step: CodeStep): Promise<Outcome> {
    const { database } = this.#installation;
    switch (step.kind) {
      case 'prove_sign_up': {
        const account = await this.#insert(step, {
          identity: 'email',
          passwordHash: step.passwordHash,
          emailProved: true,
        });
        if (!account)
          return refused({ form: 'This address has an account by now. Start again and sign in.' });
        return { kind: 'signed_in', accountId: account.id, amr: ['pwd'] };
      }
      case 'prove_google':
        return this.#admitGooglePerson(visit, step, { emailProved: true });
      case 'prove_account':
      case 'prove_for_reset': {
        const account = step.accountId ? await findAccountById(database, step.accountId) : undefined;
        if (!account) return refused({ form: 'This account no longer exists. Start again.' });
        await markEmailProved(database, account.id);
        // A code in a mailbox stands in for the password only.
        if (step.kind === 'prove_for_reset') return this.#afterFirstFactor(visit, account, 'new_password');
        return { kind: 'signed_in', accountId: account.id, amr: ['pwd'] };
      }
    }
  }

  async #admitGooglePerson(
    visit: Visit,
    person: PersonForm,
    { emailProved }: { emailProved: boolean },
  ): Promise<Outcome> {
    const { database, limits } = this.#installation;
    const known = await findAccountByEmail(database, person.email);
    if (known?.identity === 'google') return { kind: 'signed_in', accountId: known.id, amr: ['fed'] };
    // Letting the chooser into an account that has a password would make the password worthless.
    if (known) return refused({ email: 'This address signs in with a password. Go back and use it.' });

    const pause = await this.#pauseOf(limits.signUpPerAddress, visit.network);
    if (pause) return pause;
    const account = await this.#insert(person, { identity: 'google', passwordHash: null, emailProved });
    if (!account) return refused({ email: 'This address has just been taken. Try again.' });
    return { kind: 'signed_in', accountId: account.id, amr: ['fed'] };
  }

  #insert(
    { email, firstName, lastName }: PersonForm,
    how: Pick<Account, 'identity' | 'passwordHash' | 'emailProved'>,
  ): Promise<Account | undefined> {
    const { database, now } = this.#installation;
    return insertAccount(database, { email, firstName, lastName, ...how, createdAt: now() });
  }

  async #sendCode(visit: Visit, step: CodeStep): Promise<Outcome> {
    const { limits, mailer } = this.#installation;
    if (!mailer) return refused({ form: 'This installation sends no mail.' });
    const pause =
      (await this.#pauseOf(limits.codeMailsPerAddress, visit.network)) ??
      (await this.#pauseOf(limits.codeMailsPerEmail, step.email));
    if (pause) return pause;

    const sending = await this.#prepareMail(visit, step);
    const sent = sending().then(
      () => true,
      (error: unknown) => {
        this.#installation.reportRelay(error);
        return false;
      },
    );
    // A reset sends mail only when the account exists. Not waiting for it keeps that hidden.
    if (step.kind !== 'prove_for_reset' && !(await sent)) {
      return refused({ form: 'We could not send the mail. Please try again in a minute.' });
    }
    return { kind: 'next', screen: 'code' };
  }

  /** Decides which mail an address gets. The page that follows looks the same in every case. */
  async #prepareMail({ interaction }: Visit, step: CodeStep): Promise<() => Promise<void>> {
    const { database, mailer, pendingSteps } = this.#installation;
    const isTaken =
      step.kind === 'prove_sign_up' && (await findAccountByEmail(database, step.email)) !== undefined;
    if (isTaken || (step.kind === 'prove_for_reset' && step.accountId === null)) {
      await pendingSteps.awaitCodeInVain(interaction.uid, step);
      return async () => (isTaken ? mailer?.sendAlreadyRegistered(step.email) : undefined);
    }
    const code = await pendingSteps.awaitCode(interaction.uid, step);
    return async () => mailer?.sendCode(step.email, code);
  }

  async #pauseOf(limit: Limit, subject: string): Promise<Outcome | undefined> {
    const admission = await this.#installation.attempts.take(limit, subject);
    return admission.isAdmitted ? undefined : { kind: 'limited', retryAfterMs: admission.retryAfterMs };
  }
}
