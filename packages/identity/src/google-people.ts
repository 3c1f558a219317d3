import type { Installation } from './installation.ts';
import type { GooglePerson } from './pages/google-screen.ts';
import type { Context } from './web.ts';

// Like Google itself, the stand-in offers the accounts that this browser has used.
const cookieName = 'assay_identity_google_people';
const cookieOptions = { signed: true, httpOnly: true, sameSite: 'lax' } as const;
const cookieLifeMs = 365 * 24 * 60 * 60 * 1000;
const peopleMax = 4;

/** A ready account to try, where addresses are taken on trust. */
const samplePeople: readonly GooglePerson[] = [
  { email: 'ines.carvalho@gmail.test', firstName: 'Ines', lastName: 'Carvalho' },
  { email: 'tom.okafor@gmail.test', firstName: 'Tom', lastName: 'Okafor' },
];

export function recallGooglePeople({ trustsAddresses }: Installation, ctx: Context): readonly GooglePerson[] {
  const known = readCookie(ctx);
  return known.length > 0 || !trustsAddresses ? known : samplePeople;
}

export function rememberGooglePerson(ctx: Context, person: GooglePerson): void {
  const others = readCookie(ctx).filter(({ email }) => email.toLowerCase() !== person.email.toLowerCase());
  const people = [person, ...others].slice(0, peopleMax);
  const value = Buffer.from(JSON.stringify(people)).toString('base64url');
  ctx.cookies.set(cookieName, value, {
    ...cookieOptions,
    path: `${ctx.mountPath ?? ''}/interaction`,
    maxAge: cookieLifeMs,
  });
}

function readCookie(ctx: Context): GooglePerson[] {
  const value = ctx.cookies.get(cookieName, { signed: true });
  // The signature is ours, so what it covers has the shape that we gave it.
  return value ? (JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as GooglePerson[]) : [];
}
