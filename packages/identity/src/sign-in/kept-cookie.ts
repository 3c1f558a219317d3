import type { Context } from '../web.ts';

const lifeMs = 365 * 24 * 60 * 60 * 1000;

/** A signed cookie that the sign-in pages keep in a browser for a year. */
export const keptCookie = <Value>(name: string) => ({
  read: (ctx: Context): Value | undefined => {
    const value = ctx.cookies.get(name, { signed: true });
    // The signature is ours, so what it covers has the shape that we gave it.
    return value ? (JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as Value) : undefined;
  },
  write: (ctx: Context, value: Value): void => {
    ctx.cookies.set(name, Buffer.from(JSON.stringify(value)).toString('base64url'), {
      signed: true,
      httpOnly: true,
      sameSite: 'lax',
      path: `${ctx.mountPath ?? ''}/interaction`,
      maxAge: lifeMs,
    });
  },
});
