import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { AppServices } from '../../shared/services/services.ts';
import { ServicesContext } from '../../shared/services/services-context.tsx';
import { renderMarkup } from '../../shared/testing/render-markup.tsx';
import { OAuthCallbackPage } from './oauth-callback-page.tsx';
import { unreachableService } from './testing/loopback-service.ts';

const services = { api: unreachableService() } as AppServices;

const open = (query: string) =>
  renderMarkup(
    <ServicesContext value={services}>
      <QueryClientProvider client={new QueryClient()}>
        <OAuthCallbackPage />
      </QueryClientProvider>
    </ServicesContext>,
    { path: `/oauth/callback${query}` },
  );

describe('§2 OAuth callback page', () => {
  it('§2 OAuth callback page: shows a spinner while it waits for the answer', () => {
    const { html, text } = open('?code=c&state=s');

    expect(html).toContain('data-testid="spinner"');
    expect(text).toContain('Connecting your account');
  });

  it.each(['', '?code=c', '?state=s', '?code=c&state=', '?code=&state=s'])(
    "§5 OAuth callback: requires both code and state, so '%s' is 'Missing code or state'",
    (query) => {
      const { html, text } = open(query);

      expect(text).toContain('Missing code or state');
      expect(html).not.toContain('data-testid="spinner"');
    },
  );
});
