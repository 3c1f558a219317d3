import type { Installation } from '../installation.ts';
import type { GooglePerson } from '../pages/google-screen.ts';
import type { Context } from '../web.ts';
import { keptCookie } from './kept-cookie.ts';

// Like Google itself, the stand-in offers the accounts that this browser has used.
const cookie = keptCookie<readonly GooglePerson[]>('assay_identity_google_people');
const peopleMax = 4;

/** A ready account to try, where addresses are taken on trust. */
const samplePeople: readonly GooglePerson[] = [
  { email: 'ines.carvalho@gmail.test', firstName: 'Ines', lastName: 'Carvalho' },
  { email: 'tom.okafor@gmail.test', firstName: 'Tom', lastName: 'Okafor' },
];

export function recallGooglePeople({ trustsAddresses }: Installation, ctx: Context): readonly GooglePerson[] {
  const known = cookie.read(ctx) ?? [];
  return known.length > 0 || !trustsAddresses ? known : samplePeople;
}

export function rememberGooglePerson(ctx: Context, person: GooglePerson): void {
  const others = (cookie.read(ctx) ?? []).filter(
    ({ email }) => email.toLowerCase() !== person.email.toLowerCase(),
  );
  const people = [person, ...others].slice(0, peopleMax);
  cookie.write(ctx, people);
}
