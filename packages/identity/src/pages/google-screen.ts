import {
  formSheet,
  type Html,
  html,
  personOf,
  providerPage,
  providerSheet,
  publishStyles,
} from '@assay/pages';
import { field, form } from './form.ts';
import type { ScreenState } from './screens.ts';

export interface GooglePerson {
  email: string;
  firstName: string;
  lastName: string;
}

const styles = publishStyles('google', [formSheet, providerSheet]);

/** Google's account chooser. */
export function googleScreen(
  state: ScreenState,
  { people, trustsAddresses }: { people: readonly GooglePerson[]; trustsAddresses: boolean },
): string {
  return providerPage('google', {
    styles,
    head: 'Sign in with Google',
    title: 'Choose an account',
    lead: 'to continue to Assay',
    note: trustsAddresses
      ? 'it asks for no password and nothing leaves this installation.'
      : 'it asks for no password. Assay mails a code to the address instead.',
    body: html`${people.length > 0 && html`<ul class="people">${people.map((person) => html`<li>${personButton(state, person)}</li>`)}</ul>`}
  <h2>${people.length > 0 ? 'Use another account' : 'Use an account'}</h2>
  ${form(
    `${state.base}/google`,
    state,
    html`<div class="pair">
  ${field(state, { name: 'first_name', label: 'First name', autocomplete: 'given-name' })}
  ${field(state, { name: 'last_name', label: 'Last name', autocomplete: 'family-name' })}
  </div>
  ${field(state, { name: 'email', label: 'Email', type: 'email', autocomplete: 'email', inputmode: 'email' })}
  <div class="actions"><a href="${state.base}">Back to Assay</a><button class="primary" type="submit">Next</button></div>`,
  )}`,
  });
}

function personButton(state: ScreenState, { email, firstName, lastName }: GooglePerson): Html {
  return html`<form method="post" action="${state.base}/google">
    <input type="hidden" name="form_token" value="${state.token}">
    <input type="hidden" name="email" value="${email}">
    <input type="hidden" name="first_name" value="${firstName}">
    <input type="hidden" name="last_name" value="${lastName}">
    <button class="person" type="submit">${personOf({ name: `${firstName} ${lastName}`, address: email })}</button>
  </form>`;
}
