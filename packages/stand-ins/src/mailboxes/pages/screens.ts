import type { Answer } from '@assay/pages';
import {
  formSheet,
  type Html,
  html,
  initialOf,
  pageAnswer,
  personOf,
  providerPage,
  providerSheet,
  publishStyles,
} from '@assay/pages';
import type { Grant } from '../grants.store.ts';
import type { Person, Provider } from '../providers.ts';
import type { Call } from '../world.ts';

const styles = publishStyles('mailboxes', [
  formSheet,
  providerSheet,
  new URL('./mailboxes.css', import.meta.url),
]);

const signInWords = {
  google: { head: 'Sign in with Google', choose: 'Choose an account', other: 'Use another account' },
  microsoft: { head: 'Microsoft', choose: 'Pick an account', other: 'Use another account' },
};

/** The account chooser. The real ones ask for a password without a session; here the address is enough. */
export function chooserPage(
  provider: Provider,
  call: Call,
  { typed, isWrong }: { typed: string; isWrong: boolean },
): Answer {
  const words = signInWords[provider.name];
  return screen(provider, {
    title: words.choose,
    lead: html`to continue to <strong>${call.client.title}</strong>`,
    head: words.head,
    body: html`<ul class="people">
${provider.people.map((person) => html`<li>${personLink(call, person)}</li>`)}
</ul>
<h2>${words.other}</h2>
<form method="get" action="${provider.paths.authorize}" novalidate>
${[...call.query]
  .filter(([name]) => name !== 'account')
  .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="field">
<label for="account">Email address</label>
<input id="account" name="account" type="email" value="${typed}" autocomplete="email" autocapitalize="none"
  spellcheck="false" required ${isWrong && html`aria-invalid="true" aria-describedby="account-problem" autofocus`}>
${isWrong && html`<p class="field-error" id="account-problem">Enter a valid email</p>`}
</div>
<div class="actions"><button class="primary" type="submit">Next</button></div>
</form>`,
    status: isWrong ? 422 : 200,
  });
}

function personLink({ query }: Call, person: Person): Html {
  const chosen = new URLSearchParams(query);
  chosen.set('account', person.address);
  return html`<a class="person" href="?${chosen.toString()}">${personOf(person)}</a>`;
}

/** The requested access in the provider's words, and the two answers. */
export function consentPage(
  provider: Provider,
  call: Call,
  { address, permissions }: { address: string; permissions: readonly string[] },
): Answer {
  const isGoogle = provider.name === 'google';
  const { title: application } = call.client;
  const back = new URLSearchParams(call.query);
  back.delete('account');
  back.delete('login_hint');
  return screen(provider, {
    title: isGoogle ? `${application} wants access to your Google Account` : 'Permissions requested',
    lead: html`<a class="chip" href="?${back.toString()}" title="Use another account">${initialOf(address)}<span
  class="address">${address}</span></a>`,
    head: signInWords[provider.name].head,
    body: html`<p class="application">${isGoogle ? html`This will allow <strong>${application}</strong> to:` : html`<strong>${application}</strong> would like to:`}</p>
<ul class="permissions">${permissions.map((permission) => html`<li>${permission}</li>`)}</ul>
<p class="small">${
      isGoogle
        ? html`Make sure you trust ${application}. You can take this back at any time in your
<a href="${provider.paths.connections}">Google Account</a>.`
        : html`Accepting these permissions means that you allow this app to use your data as specified. You can change
these permissions at <a href="${provider.paths.connections}">your apps</a>.`
    }</p>
<form method="post" action="?${call.query.toString()}">
<div class="actions">
<button class="quiet" type="submit" name="decision" value="deny">Cancel</button>
<button class="primary" type="submit" name="decision" value="allow">${isGoogle ? 'Allow' : 'Accept'}</button>
</div>
</form>`,
    formTargets: [call.query.get('redirect_uri')],
  });
}

/** Applications that people gave access to, and the way to take it back. */
export function connectionsPage(provider: Provider, { client }: Call, grants: readonly Grant[]): Answer {
  return screen(provider, {
    title: 'Your connections to apps',
    lead: html`Apps that may use a ${provider.title} mailbox without its owner being there.`,
    head: `${provider.title} account`,
    body:
      grants.length === 0
        ? html`<p>No app has access.</p>`
        : html`<ul class="people">${grants.map(
            ({ id, address }) => html`<li class="person connection">
${personOf({ name: client.title, address })}
<form method="post" action="${provider.paths.connections}">
<input type="hidden" name="grant" value="${id}">
<button class="quiet" type="submit" aria-label="Remove access of ${client.title} to ${address}">Remove access</button>
</form></li>`,
          )}</ul>`,
  });
}

/** A request that cannot be sent back, because it does not say truly where it came from. */
export function refusedPage(provider: Provider, error: string, description: string): Answer {
  return screen(provider, {
    title: 'Access blocked',
    lead: html`This app’s request is not valid.`,
    head: signInWords[provider.name].head,
    body: html`<p class="alert" role="alert">Error 400: ${error}</p><p class="application">${description}</p>`,
    status: 400,
  });
}

export function lostPage(): Answer {
  return screen(
    { name: 'google' },
    { title: 'Nothing is here', lead: 'Go back and try again.', head: 'Google', body: html``, status: 404 },
  );
}

interface Screen {
  readonly title: string;
  readonly lead: Html | string;
  readonly head: string;
  readonly body: Html;
  readonly status?: number;
  readonly formTargets?: readonly (string | null)[];
}

function screen({ name }: Pick<Provider, 'name'>, { status, formTargets, ...content }: Screen): Answer {
  const note = 'it asks for no password and nothing leaves this installation.';
  return pageAnswer(providerPage(name, { styles, note, ...content }), { status, formTargets });
}
