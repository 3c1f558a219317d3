import { googleGlyph } from '../../web/glyphs.ts';
import { type Html, html } from '../../web/html.ts';
import { field, form } from './form.ts';
import { documentOf } from './layout.ts';
import type { ScreenState } from './screens.ts';

export interface GooglePerson {
  email: string;
  firstName: string;
  lastName: string;
}

/** Plays Google's account chooser; it looks unlike our own pages on purpose, as the real one does. */
export function googleScreen(
  state: ScreenState,
  { people, trustsAddresses }: { people: readonly GooglePerson[]; trustsAddresses: boolean },
): string {
  const note = trustsAddresses
    ? 'A stand-in for Google: it asks for no password and nothing leaves this installation.'
    : 'A stand-in for Google: it asks for no password. Assay mails a code to the address instead.';
  return documentOf({
    title: 'Choose an account',
    className: 'chooser',
    body: html`<main>
  <div class="chooser-head">${googleGlyph}<span>Sign in with Google</span></div>
  <div class="chooser-body">
  <div>
  <h1>Choose an account</h1>
  <p class="lead">to continue to Assay</p>
  <p class="note">${note}</p>
  </div>
  <div>
  ${people.length > 0 && html`<ul class="people">${people.map((person) => html`<li>${personButton(state, person)}</li>`)}</ul>`}
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
  )}
  </div>
  </div>
</main>`,
  });
}

function personButton(state: ScreenState, person: GooglePerson): Html {
  return html`<form method="post" action="${state.base}/google">
    <input type="hidden" name="form_token" value="${state.token}">
    <input type="hidden" name="email" value="${person.email}">
    <input type="hidden" name="first_name" value="${person.firstName}">
    <input type="hidden" name="last_name" value="${person.lastName}">
    <button class="person" type="submit">
      <span class="initial" aria-hidden="true">${person.firstName.charAt(0)}</span>
      <span><strong>${person.firstName} ${person.lastName}</strong><span class="address">${person.email}</span></span>
    </button>
  </form>`;
}
