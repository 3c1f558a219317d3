import { createHmac, randomBytes } from 'node:crypto';
import type { Installation } from '../installation.ts';
import type { Context } from '../web.ts';
import { keptCookie } from './kept-cookie.ts';

const accountsMax = 8;

interface DeviceCookie {
  /** Names the browser, so that a copied cookie shares one allowance with the original. */
  device: string;
  /** Keyed hashes of the addresses that signed in here: the cookie does not show which. */
  accounts: string[];
}

const deviceCookie = keptCookie<DeviceCookie>('assay_identity_device');

/**
 * The device that this browser is to an account which signed in on it before; undefined for any other. Such a device has its
 * own allowance of wrong passwords, so that strangers cannot lock the owner out.
 */
export function knownDeviceOf(installation: Installation, ctx: Context, email: string): string | undefined {
  const cookie = deviceCookie.read(ctx);
  return cookie?.accounts.includes(accountHash(installation, email)) ? cookie.device : undefined;
}

export function rememberDevice(installation: Installation, ctx: Context, email: string): void {
  const known = deviceCookie.read(ctx);
  const account = accountHash(installation, email);
  const others = (known?.accounts ?? []).filter((other) => other !== account);
  deviceCookie.write(ctx, {
    device: known?.device ?? randomBytes(16).toString('base64url'),
    accounts: [account, ...others].slice(0, accountsMax),
  });
}

function accountHash({ secrets }: Installation, email: string): string {
  const key = email.trim().normalize('NFC').toLowerCase();
  return createHmac('sha256', secrets.pepper).update(`device\0${key}`).digest('base64url');
}
