import type { QueryClient } from '@tanstack/react-query';
import type { LoaderFunctionArgs } from 'react-router';
import { userQuery } from '../shared/api/user-query.ts';
import { billingSections } from '../shared/navigation/billing-sections.ts';
import type { AppServices } from '../shared/services/services.ts';

export type Guard = (args: LoaderFunctionArgs) => Promise<null>;

/** What must hold before a page exists for this visitor. Guards of nested routes run side by side. */
export function createGuards(services: AppServices, queryClient: QueryClient) {
  const { config, signInTrips, session } = services;

  /** A signed-out visitor signs in and comes back to the page, and so does one whose session has ended. */
  const signedIn: Guard = async ({ request }) => {
    const current = session.current();
    // The frame around the page says so.
    if (session.takenOverBy()) return null;
    if (!current) await signInTrips.signIn(pathOf(request.url));
    if (current?.forced_logout) await signInTrips.signInAgain(pathOf(request.url), 'session_ended');
    return null;
  };

  const guessingEnabled: Guard = async (args) => {
    await signedIn(args);
    if (session.takenOverBy()) return null;
    const user = await queryClient.ensureQueryData(userQuery(services));
    return user.feature_flags.guessing_enabled ? null : notFound();
  };

  const stagingOnly: Guard = async () => (config.stage === 'staging' ? null : notFound());

  const knownUploadMode: Guard = async ({ params }) =>
    params.uploadMode === 'single' || params.uploadMode === 'bulk' ? null : notFound();

  const knownBillingSection: Guard = async ({ params: { section } }) =>
    section === undefined || Object.hasOwn(billingSections, section) ? null : notFound();

  return { signedIn, guessingEnabled, stagingOnly, knownUploadMode, knownBillingSection };
}

/** A page that a visitor may not see looks like a path that does not exist. */
export function notFound(): never {
  throw new Response(null, { status: 404 });
}

function pathOf(url: string): string {
  const { pathname, search, hash } = new URL(url);
  return `${pathname}${search}${hash}`;
}
