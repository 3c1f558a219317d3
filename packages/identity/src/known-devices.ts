import { createHmac, randomBytes } from 'node:crypto';
import type { Installation } from './installation.ts';
import type { Context } from './web.ts';

const cookieName = 'assay_identity_device';
const cookieOptions = { signed: true, httpOnly: true, sameSite: 'lax' } as const;
const cookieLifeMs = 365 * 24 * 60 * 60 * 1000;
const accountsMax = 8;

interface DeviceCookie {
  /** Names the browser, so that a copied cookie shares one allowance with the original. */
  device: string;
  /** Keyed hashes of the addresses that signed in here: the cookie does not show which. */
  accounts: string[];
}

/**
 * The device that this browser is to an account which signed in on it before; undefined for any other. Such a device has its
 * own allowance of wrong passwords, so that strangers cannot lock the owner out.
 */
export function knownDeviceOf(installation: Installation, ctx: Context, email: string): string | undefined {
  const cookie = readCookie(ctx);
  return cookie?.accounts.includes(accountHash(installation, email)) ? cookie.device : undefined;
}

export function rememberDevice(installation: Installation, ctx: Context, email: string): void {
  const known = readCookie(ctx);
  const account = accountHash(installation, email);
  const others = (known?.accounts ?? []).filter((other) => other !== account);
  const cookie: DeviceCookie = {
    device: known?.device ?? randomBytes(16).toString('base64url'),
    accounts: [account, ...others].slice(0, accountsMax),
  };
  const value = Buffer.from(JSON.stringify(cookie)).toString('base64url');
  ctx.cookies.set(cookieName, value, {
    ...cookieOptions,
    path: `${ctx.mountPath ?? ''}/interaction`,
    maxAge: cookieLifeMs,
  });
}

function readCookie(ctx: Context): DeviceCookie | undefined {
  const value = ctx.cookies.get(cookieName, { signed: true });
  // The signature is ours, so what it covers has the shape that we gave it.
  return value ? (JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as DeviceCookie) : undefined;
}

function accountHash({ secrets }: Installation, email: string): string {
  const key = email.trim().normalize('NFC').toLowerCase();
  return createHmac('sha256', secrets.pepper).update(`device\0${key}`).digest('base64url');
}
