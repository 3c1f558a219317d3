import { googleGlyph, type Html, html } from '@assay/pages';
import { passwordLengthMin } from '../password-policy.ts';
import { codeLifeMinutes } from '../store/pending-steps.ts';
import { digitsField, type FormState, field, form, hasErrors, passkeyForm, submit } from './form.ts';
import { page } from './layout.ts';

/** The screens of one interaction; `base` is its own path, `/interaction/{uid}`. */
export interface ScreenState extends FormState {
  base: string;
  hasGoogle: boolean;
}

export function signInScreen(
  state: ScreenState,
  { again, passkey }: { again?: SignInAgain | undefined; passkey?: object | undefined } = {},
): string {
  // After a wrong password, or when the client named the person, only the password is left to type.
  const hasEmail = Boolean(state.values?.email);
  return page({
    title: again ? 'Sign in again' : 'Sign in',
    hasError: hasErrors(state),
    lead: again ? reasons[again] : html`New to Assay? <a href="${state.base}/sign-up">Create an account</a>`,
    body: html`${form(
      state.base,
      state,
      html`${emailField(state, { isFirst: !hasEmail })}
  ${field(state, {
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'current-password',
    isFirst: hasEmail,
  })}
  <p class="aside-link"><a href="${state.base}/forgot">Forgot your password?</a></p>
  ${submit('Sign in')}`,
    )}
  ${orContinueWithGoogle(state)}
  ${passkey && passkeyForm(`${state.base}/passkey`, state, { use: passkey, label: 'Sign in with a passkey' })}`,
  });
}

/** After the password. What is lost, the recovery codes make up for. */
export function secondStepScreen(
  state: ScreenState,
  { hasAuthenticator, passkey }: { hasAuthenticator: boolean; passkey: object | undefined },
): string {
  return page({
    title: 'Second step',
    hasError: hasErrors(state),
    lead: hasAuthenticator
      ? 'Enter the code that your authenticator app shows, or one of your recovery codes.'
      : 'Use your passkey, or enter one of your recovery codes.',
    body: html`${form(
      `${state.base}/second-step`,
      state,
      html`${field(state, {
        name: 'code',
        label: 'Code',
        autocomplete: 'one-time-code',
        className: 'code',
        maxlength: 20,
        isFirst: true,
      })}
  ${submit('Continue')}`,
    )}
  ${passkey && passkeyForm(`${state.base}/second-step`, state, { use: passkey, label: 'Use a passkey' })}
  <p class="quiet">Lost all of them? The people who run Assay can turn the second step off when they have made sure that it is you.
  <a href="${state.base}">Start again</a></p>`,
  });
}

/** Why a known person is asked again. */
export type SignInAgain = keyof typeof reasons;

const reasons = {
  session_ended:
    'Your session has ended: it was closed on another device, the password was changed, or it expired. Sign in to carry on where you were.',
  confirm: 'For your safety, confirm that it is you. Then you are back where you were.',
} as const;

export function signUpScreen(state: ScreenState): string {
  return page({
    title: 'Create your account',
    hasError: hasErrors(state),
    lead: html`You get 1,000 free credits, once per email address. Have an account already? <a href="${state.base}">Sign in</a>`,
    body: html`${form(
      `${state.base}/sign-up`,
      state,
      html`<div class="pair">
  ${field(state, { name: 'first_name', label: 'First name', autocomplete: 'given-name', isFirst: true })}
  ${field(state, { name: 'last_name', label: 'Last name', autocomplete: 'family-name' })}
  </div>
  ${emailField(state, { isFirst: false })}
  ${newPasswordField(state)}
  ${submit('Create account')}`,
    )}
  ${orContinueWithGoogle(state)}`,
  });
}

export function codeScreen(state: ScreenState, { email }: { email: string }): string {
  return page({
    title: 'Check your mail',
    hasError: hasErrors(state),
    lead: html`We sent a six-digit code to <strong class="address">${email}</strong>. It works for ${codeLifeMinutes} minutes.`,
    body: html`${form(
      `${state.base}/code`,
      state,
      html`${digitsField(state)}
  ${submit('Continue')}`,
    )}
  <form class="quiet" method="post" action="${state.base}/resend">
    <input type="hidden" name="form_token" value="${state.token}">
    <p>Not even in the spam folder? <button class="link" type="submit">Send a new code</button></p>
  </form>
  <p class="quiet">Wrong address? <a href="${state.base}">Start again</a></p>`,
  });
}

export function forgotScreen(state: ScreenState): string {
  return page({
    title: 'Forgot your password?',
    hasError: hasErrors(state),
    lead: 'Tell us your address and we send you a code with which you can choose a new one.',
    body: html`${form(`${state.base}/forgot`, state, html`${emailField(state)}${submit('Send the code')}`)}
  <p class="quiet"><a href="${state.base}">Back to sign in</a></p>`,
  });
}

/** Without a relay there is nothing to send a code with. */
export function noResetScreen(state: ScreenState): string {
  return page({
    title: 'Forgot your password?',
    hasError: false,
    lead: 'This installation sends no mail, so it cannot send you a code for a new password.',
    body: html`<p>On a device where you are still signed in, choose Reset Password on the Account page. Otherwise ask the person who runs
  this installation to set <code>SMTP_RELAY_URL</code> to a mail relay: then this page sends you a code.</p>
  <p class="quiet"><a href="${state.base}">Back to sign in</a></p>`,
  });
}

export function newPasswordScreen(state: ScreenState, { email }: { email: string }): string {
  return page({
    title: 'Choose a new password',
    hasError: hasErrors(state),
    lead: html`For <strong class="address">${email}</strong>. You will be signed out everywhere else.`,
    body: form(
      `${state.base}/new-password`,
      state,
      html`<input type="hidden" name="username" value="${email}" autocomplete="username">
  ${newPasswordField(state, { label: 'New password', isFirst: true })}
  ${submit('Save and continue')}`,
    ),
  });
}

function emailField(state: FormState, { isFirst = true } = {}): Html {
  return field(state, {
    name: 'email',
    label: 'Email',
    type: 'email',
    autocomplete: 'username',
    inputmode: 'email',
    isFirst,
  });
}

function newPasswordField(state: FormState, { label = 'Password', isFirst = false } = {}): Html {
  return field(state, {
    name: 'password',
    label,
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${passwordLengthMin} characters; longer is stronger.`,
    isFirst,
  });
}

function orContinueWithGoogle({ base, hasGoogle }: ScreenState): Html {
  if (!hasGoogle) return html``;
  return html`<p class="or"><span>or</span></p>
  <a class="secondary" href="${base}/google">${googleGlyph}Continue with Google</a>`;
}
