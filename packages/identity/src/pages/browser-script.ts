import { readFileSync } from 'node:fs';
import { html, publish } from '@assay/pages';

/** The path of the script; the content-security policy lets in this one and no other. */
export const browserScriptPath = publish(
  'browser',
  'js',
  readFileSync(new URL('./browser.js', import.meta.url)),
);

/** For pages with passkeys or a copy button, once. */
export const browserScript = html`<script src="${browserScriptPath}" defer></script>`;
