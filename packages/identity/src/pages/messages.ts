import { Html, html } from '@assay/pages';
import { page } from './layout.ts';

export function limitedMessage({ minutes, backTo }: { minutes: number; backTo: string }): string {
  const wait =
    minutes > 120 ? `${Math.ceil(minutes / 60)} hours` : minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return page({
    title: 'Too many attempts',
    hasError: true,
    lead: html`For your safety this is paused. Please try again in <strong>${wait}</strong>.`,
    body: html`<a class="secondary" href="${backTo}">Back</a>`,
  });
}

export function errorMessage({
  title,
  text,
  homeUrl,
  detail,
}: {
  title: string;
  text: string;
  homeUrl: string;
  detail?: string | undefined;
}): string {
  return page({
    title,
    hasError: true,
    lead: text,
    body: html`<a class="primary" href="${homeUrl}">Go to Assay</a>
  ${detail && html`<p class="quiet detail">${detail}</p>`}`,
  });
}

export function notFoundMessage({ homeUrl }: { homeUrl: string }): string {
  return errorMessage({ title: 'Content not Found', text: 'There is nothing at this address.', homeUrl });
}

/** `form` is the provider's own empty form; our buttons belong to it by its id. */
export function confirmSignOutMessage({ form, homeUrl }: { form: string; homeUrl: string }): string {
  return page({
    title: 'Sign out',
    lead: "You're about to close your session. Are you sure?",
    body: html`${new Html(form)}
  <button class="primary" form="op.logoutForm" type="submit" name="logout" value="yes">Yes, sign out</button>
  <a class="secondary" href="${homeUrl}">Cancel</a>`,
  });
}

export function signedOutMessage({ homeUrl }: { homeUrl: string }): string {
  return page({
    title: 'You are signed out',
    lead: 'Your session on this device has ended.',
    body: html`<a class="primary" href="${homeUrl}">Go to Assay</a>`,
  });
}
