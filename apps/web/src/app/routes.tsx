import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { type RouteObject, redirect, replace } from 'react-router';
import {
  ForbiddenPage,
  GoodbyePage,
  InternalErrorPage,
  NotFoundPage,
} from '../features/messages/message-pages.tsx';
import { pageTitles } from '../shared/navigation/page-titles.ts';
import type { AppServices } from '../shared/services/services.ts';
import { AppFrame } from './app-frame.tsx';
import { createGuards, notFound } from './guards.ts';
import { createLatePages, type LatePageOptions } from './late-page.tsx';
import { PrivateFrame } from './private-frame.tsx';
import { RouteFailure } from './route-failure.tsx';
import { SignInFailed } from './sign-in-failed.tsx';
import { StartingScreen } from './starting-screen.tsx';

/** Every address of the app. A page's code is loaded on the first visit. */
export function createRoutes(
  services: AppServices,
  queryClient: QueryClient,
  isStarting: () => boolean,
): RouteObject[] {
  return [
    {
      Component: AppFrame,
      HydrateFallback: StartingScreen,
      // Below the frame, so that the page that replaces a failed one is inside the frame too.
      children: [{ ErrorBoundary: RouteFailure, children: createPages(services, queryClient, isStarting) }],
    },
  ];
}

function createPages(
  services: AppServices,
  queryClient: QueryClient,
  isStarting: () => boolean,
): RouteObject[] {
  const guards = createGuards(services, queryClient);
  const { untilOnline } = services.connection.forCalls;
  /** Code that cannot be fetched offline is fetched when the connection is back. */
  const whenOnline =
    <Code,>(load: () => Promise<Code>) =>
    async (): Promise<Code> => {
      await untilOnline(undefined);
      return load();
    };
  const latePage = createLatePages(isStarting);
  const page = (load: () => Promise<ComponentType>, options?: LatePageOptions) =>
    latePage(whenOnline(load), options);
  return [
    {
      Component: PrivateFrame,
      loader: guards.signedIn,
      children: [
        { path: '/', loader: () => redirect('/email-verification') },
        { path: '/email-verification', loader: () => redirect('/email-verification/single') },
        {
          path: '/email-verification/:uploadMode',
          ...page(
            async () => (await import('../features/verification/verification-page.tsx')).VerificationPage,
            { title: pageTitles.verification, guard: guards.knownUploadMode },
          ),
        },
        {
          path: '/email-verification/bulk/:id',
          ...page(async () => (await import('../features/verification/list-detail-page.tsx')).ListDetailPage),
        },
        {
          path: '/email-guessing',
          loader: guards.guessingEnabled,
          children: [
            {
              index: true,
              loader: async (args) =>
                (await guards.guessingEnabled(args)) ?? redirect('/email-guessing/single'),
            },
            {
              path: 'single',
              ...page(async () => (await loadGuessingPages()).SingleGuessingPage),
            },
            {
              path: 'bulk',
              ...page(async () => (await loadGuessingPages()).BulkGuessingPage),
            },
            {
              path: ':id',
              ...page(async () => (await import('../features/guessing/guess-list-page.tsx')).GuessListPage),
            },
          ],
        },
        {
          path: '/billing/:section?',
          ...page(async () => (await import('../features/billing/billing-page.tsx')).BillingPage, {
            title: pageTitles.billing,
            guard: guards.knownBillingSection,
          }),
        },
        {
          path: '/account',
          ...page(async () => (await import('../features/account/account-page.tsx')).AccountPage, {
            title: pageTitles.account,
          }),
        },
        {
          path: '/account/developers',
          ...page(async () => (await import('../features/account/developers-page.tsx')).DevelopersPage),
        },
        {
          path: '/account/feeds',
          ...page(async () => (await import('../features/account/feeds-page.tsx')).FeedsPage),
        },
        {
          path: '/account/activity',
          ...page(async () => (await import('../features/account/activity-page.tsx')).ActivityPage),
        },
        {
          path: '/account/outcomes',
          ...page(async () => (await import('../features/outcomes/outcomes-page.tsx')).OutcomesPage),
        },
        {
          path: '/account/suppressions',
          ...page(
            async () => (await import('../features/suppressions/suppressions-page.tsx')).SuppressionsPage,
          ),
        },
        {
          path: '/operator/:section?/:id?',
          // The guard comes with the page: nothing of the console is in what customers load.
          lazy: whenOnline(async () =>
            (await import('../features/operator/operator-page.tsx')).operatorRoute({
              services,
              queryClient,
              signedIn: guards.signedIn,
              notFound,
            }),
          ),
        },
        {
          path: '/warm-up',
          ...page(async () => (await import('../features/warm-up/warm-up-page.tsx')).WarmUpPage, {
            guard: guards.stagingOnly,
          }),
        },
      ],
    },
    {
      path: '/redirect',
      loader: async ({ request }) => replace(await services.signInTrips.comeBack(request.url)),
      ErrorBoundary: SignInFailed,
    },
    {
      path: '/oauth/callback',
      loader: guards.stagingOnly,
      lazy: whenOnline(async () => ({
        Component: (await import('../features/warm-up/oauth-callback-page.tsx')).OAuthCallbackPage,
      })),
    },
    {
      path: '/status',
      lazy: whenOnline(async () => ({
        Component: (await import('../features/status/status-page.tsx')).StatusPage,
      })),
    },
    { path: '/not-found', Component: NotFoundPage },
    { path: '/forbidden', Component: ForbiddenPage },
    { path: '/internal-error', Component: InternalErrorPage },
    { path: '/goodbye', Component: GoodbyePage },
    { path: '*', Component: NotFoundPage },
  ];
}

const loadGuessingPages = () => import('../features/guessing/guessing-page.tsx');
