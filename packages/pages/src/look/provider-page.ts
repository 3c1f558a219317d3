import { publish } from '../assets.ts';
import { type Html, html } from '../html.ts';
import { documentOf } from './document.ts';
import { googleGlyph, microsoftGlyph } from './glyphs.ts';

type ProviderName = 'google' | 'microsoft';

const iconOf = (glyph: Html): string => glyph.text.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');

const providers = {
  google: { title: 'Google', glyph: googleGlyph, icon: publish('google', 'svg', iconOf(googleGlyph)) },
  microsoft: {
    title: 'Microsoft',
    glyph: microsoftGlyph,
    icon: publish('microsoft', 'svg', iconOf(microsoftGlyph)),
  },
};

interface ProviderPage {
  /** Path of its style sheet. */
  styles: string;
  head: string;
  title: string;
  lead: Html | string;
  body: Html;
  /** How it differs from the real one. */
  note: string;
}

/** A page that plays Google or Microsoft; it looks unlike our own pages on purpose, as the real ones do. */
export function providerPage(
  name: ProviderName,
  { styles, head, title, lead, body, note }: ProviderPage,
): string {
  const provider = providers[name];
  return documentOf({
    title: `${title} · ${provider.title}`,
    styles,
    icon: provider.icon,
    className: name,
    body: html`<main>
<p class="head">${provider.glyph}<span>${head}</span></p>
<div class="columns">
<div><h1>${title}</h1><p class="lead">${lead}</p></div>
<div>${body}</div>
</div>
<p class="note">A stand-in for ${provider.title}: ${note}</p>
</main>`,
  });
}

/** A person's initial, where the real page shows a picture. */
export const initialOf = (name: string): Html =>
  html`<span class="initial" aria-hidden="true">${name.charAt(0).toUpperCase()}</span>`;

/** A person's name and address, as a row of a chooser. */
export const personOf = ({ name, address }: { name: string; address: string }): Html =>
  html`${initialOf(name)}<span><strong>${name}</strong><span class="address">${address}</span></span>`;
