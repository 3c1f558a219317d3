import { Html, html } from '@assay/pages';
import { renderSVG } from 'uqr';
import { isTwoStepOn, passkeysMax } from '../second-step/second-factors.ts';
import { base32Of, otpauthUrl } from '../second-step/totp.ts';
import type { Passkey, SecondFactors } from '../store/second-factors.store.ts';
import { browserScript } from './browser-script.ts';
import { digitsField, type FormState, field, form, hasErrors, passkeyForm, submit } from './form.ts';
import { page } from './layout.ts';

/** The pages on which a person sees to their own second step; `base` is their path. */
export interface AccountState extends FormState {
  base: string;
  /** The Account page of the web app. */
  backTo: string;
}

export function accountScreen(
  state: AccountState,
  { factors, canAddPasskeys }: { factors: SecondFactors; canAddPasskeys: boolean },
): string {
  const { base } = state;
  const { authenticatorSince, passkeys, recoveryCodeCount } = factors;
  const isOn = isTwoStepOn(factors);
  const hasRoom = passkeys.length < passkeysMax;
  return page({
    title: 'Two-step verification',
    lead: isOn
      ? html`It is <strong>on</strong>: your password alone does not sign you in.`
      : html`It is <strong>off</strong>. Add an authenticator app or a passkey: then a stolen password is not enough to sign in.`,
    body: html`<section>
  <h2>Authenticator app</h2>
  ${
    authenticatorSince
      ? html`<p>Added on ${dayOf(authenticatorSince)}.</p>
  ${removal(state, { action: 'authenticator/remove', what: 'Remove the app', isLast: passkeys.length === 0 })}`
      : html`<p>An app on your phone that shows a new code every 30 seconds.</p>
  <a class="secondary" href="${base}/authenticator">Set up an app</a>`
  }
  </section>
  <section>
  <h2>Passkeys</h2>
  <p>Your device or a security key signs in for you, without the password.</p>
  ${
    passkeys.length > 0 &&
    html`<ul class="factors">${passkeys.map((passkey) => html`<li>${passkeyRow(state, passkey, factors)}</li>`)}</ul>`
  }
  ${canAddPasskeys && hasRoom && html`<a class="secondary" href="${base}/passkey">Add a passkey</a>`}
  ${!canAddPasskeys && html`<p class="hint">Passkeys need https and a host name, which this installation does not have.</p>`}
  </section>
  ${
    isOn &&
    html`<section>
  <h2>Recovery codes</h2>
  <p>${countOf(recoveryCodeCount)}. Each signs you in once if you lose the app and the passkeys.</p>
  <details><summary>Create new codes</summary>
  ${form(`${base}/recovery-codes`, { token: state.token }, html`<p>The old ones stop working.</p>${submit('Create new codes')}`)}
  </details>
  </section>`
  }
  <p class="quiet"><a href="${state.backTo}">Back to your account</a></p>`,
  });
}

function passkeyRow(
  state: AccountState,
  { id, name, createdAt, lastUsedAt }: Passkey,
  factors: SecondFactors,
): Html {
  const isLast = factors.passkeys.length === 1 && factors.authenticatorSince === null;
  return html`<strong class="address">${name}</strong>
  <p class="hint">Added on ${dayOf(createdAt)}. ${lastUsedAt ? `Last used on ${dayOf(lastUsedAt)}.` : 'Not used yet.'}</p>
  ${removal(state, { action: 'passkey/remove', what: `Remove ${name}`, id, isLast })}`;
}

/** Opens to ask first: what is removed cannot be brought back. */
function removal(
  { base, token }: AccountState,
  { action, what, id, isLast }: { action: string; what: string; id?: string; isLast: boolean },
): Html {
  return html`<details><summary>${what}</summary>
  ${form(
    `${base}/${action}`,
    { token },
    html`${isLast && html`<p>This turns two-step verification off.</p>`}
  ${id && html`<input type="hidden" name="id" value="${id}">`}
  <button class="secondary" type="submit">${what}</button>`,
  )}
  </details>`;
}

export function authenticatorScreen(
  state: AccountState,
  { secret, sealed, email }: { secret: Buffer; sealed: string; email: string },
): string {
  const spelled = base32Of(secret).replace(/(.{4})(?=.)/g, '$1 ');
  return page({
    title: 'Set up an app',
    hasError: hasErrors(state),
    lead: 'Scan the code with your authenticator app, then enter what the app shows.',
    body: html`<div class="qr">${new Html(renderSVG(otpauthUrl(secret, email), { border: 2 }))}</div>
  <p>You cannot scan it? Type this key into the app:</p>
  <p class="key"><code>${spelled}</code></p>
  ${form(
    `${state.base}/authenticator`,
    state,
    html`<input type="hidden" name="offer" value="${sealed}">
  ${digitsField(state)}
  ${submit('Turn it on')}`,
  )}
  <p class="quiet"><a href="${state.base}">Cancel</a></p>`,
  });
}

export function newPasskeyScreen(state: AccountState, { options }: { options: object }): string {
  return page({
    title: 'Add a passkey',
    hasError: hasErrors(state),
    lead: 'Give it a name by which you know the device, for example "Phone".',
    body: html`${state.errors?.form && html`<p class="alert" role="alert">${state.errors.form}</p>`}
  <noscript><p>Passkeys need JavaScript.</p></noscript>
  ${passkeyForm(`${state.base}/passkey`, state, {
    make: options,
    label: 'Continue',
    content: field(state, { name: 'name', label: 'Name', autocomplete: 'off', maxlength: 50, isFirst: true }),
  })}
  <p class="quiet"><a href="${state.base}">Cancel</a></p>`,
  });
}

/** The only time that they are shown: afterwards only their hashes exist. */
export function recoveryCodesScreen(state: AccountState, codes: readonly string[]): string {
  const text = `${codes.join('\n')}\n`;
  const file = `Recovery codes for Assay. Each works once.\n\n${text}`;
  return page({
    title: 'Save your recovery codes',
    lead: html`If you lose your app and your passkeys, each of these signs you in once. <strong>They are shown only now.</strong>`,
    body: html`<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
  <a class="primary" download="assay-recovery-codes.txt" href="data:text/plain;charset=utf-8,${encodeURIComponent(file)}">Download</a>
  <button class="secondary" type="button" data-copy="${text}" hidden>Copy</button>
  <p class="quiet"><a href="${state.base}">I have saved them</a></p>
  ${browserScript}`,
  });
}

/** People who sign in by another provider have their second step there. */
export function noSecondStepScreen({ backTo }: Pick<AccountState, 'backTo'>): string {
  return page({
    title: 'Two-step verification',
    lead: 'You sign in with Google, so the second step is Google’s: turn it on in your Google account.',
    body: html`<a class="primary" href="${backTo}">Back to your account</a>`,
  });
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

const countOf = (count: number): string =>
  count === 0 ? 'You have none left' : count === 1 ? 'You have 1 left' : `You have ${count} left`;
