import { type Page, unescapeText, type Visitor } from '@assay/pages/testing/visitor';
import { totpCode } from '../second-step/totp.ts';

/** The authenticator app of a person: knows what the set-up page showed. */
class AuthenticatorApp {
  readonly #secret: Buffer;
  readonly #now: () => Date;

  constructor(setUpPage: Page, now: () => Date) {
    const [, key = ''] = /class="key"><code>([A-Z2-7 ]+)</.exec(setUpPage.text) ?? [];
    this.#secret = fromBase32(key.replaceAll(' ', ''));
    this.#now = now;
  }

  get secretHex(): string {
    return this.#secret.toString('hex');
  }

  code(): string {
    return totpCode(this.#secret, Math.floor(this.#now().getTime() / 30_000));
  }
}

/** A signed-in person sets up an authenticator app: the app, and the recovery codes that the page shows. */
export async function setUpApp(visitor: Visitor, now: () => Date) {
  const page = await visitor.follow(await visitor.open('/account'), 'Set up an app');
  const app = new AuthenticatorApp(page, now);
  const shown = await visitor.submit(page, { code: app.code() });
  return { app, shown, codes: recoveryCodesOn(shown) };
}

export const recoveryCodesOn = (page: Page): string[] =>
  [...page.text.matchAll(/<li><code>([^<]+)</g)].map(([, code = '']) => code);

/** What a page tells the browser to make or use a passkey with. */
export function passkeyOptionsOn(page: Page): { challenge: string } {
  const [, json = ''] = /data-(?:use|make)="([^"]+)"/.exec(page.text) ?? [];
  return JSON.parse(unescapeText(json)) as { challenge: string };
}

function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
