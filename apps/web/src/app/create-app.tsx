import type { AppConfig } from '@assay/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { createQueryClient } from '../shared/api/query-client.ts';
import { reloadWalletWithUser } from '../shared/api/user-query.ts';
import { SWEEP_INTERVAL_MS } from '../shared/cache/local-cache.ts';
import { noteWayAhead } from '../shared/navigation/way-ahead.ts';
import { ServicesContext } from '../shared/services/services-context.tsx';
import { createServices } from './create-services.ts';
import { handleRejectedCall } from './rejected-calls.ts';
import { createRoutes } from './routes.tsx';

/** Puts the app together; called once per page load. */
export function createApp(config: AppConfig) {
  const services = createServices(config);
  services.cache.sweep();
  setInterval(services.cache.sweep, SWEEP_INTERVAL_MS);

  const queryClient = createQueryClient((call) => handleRejectedCall(call, router, services.drafts));
  reloadWalletWithUser(queryClient);
  // Loaders of the first page run before there is a router to ask.
  let isStarting = true;
  const router = createBrowserRouter(createRoutes(services, queryClient, () => isStarting));
  isStarting = !router.state.initialized;
  router.subscribe((state) => {
    isStarting = !state.initialized;
    noteWayAhead(state);
  });

  return function App() {
    return (
      <ServicesContext value={services}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ServicesContext>
    );
  };
}
