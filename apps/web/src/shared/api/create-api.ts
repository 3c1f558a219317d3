import { type ApiError, BadRequestError, type Client, createClient, UnauthorizedError } from '@assay/client';
import { type AppConfig, type RouteContract, routes } from '@assay/contract';
import type { SessionManager } from '../session/session-manager.ts';

export const API_BASE = '/api';

/** The only way from the screens to the server. */
export const createApi = (config: AppConfig, session: SessionManager): Client =>
  createClient({
    baseUrl: API_BASE,
    apiKey: config.client_key,
    getToken: session.getToken,
    renewToken: session.renewToken,
    onUnauthorized: session.forceLogout,
    mapError: rewriteUnauthorized,
  });

/**
 * A data call that is unauthorized after all is a call that failed, and says so like any other. Only who the person is
 * (`users/me`) stays a 401: the forced logout that follows answers it, and a message would only flash by.
 */
export function rewriteUnauthorized(error: ApiError, route: RouteContract): ApiError {
  if (!(error instanceof UnauthorizedError) || route === routes.users.getMe) return error;
  const { message, trace_id, meta } = error;
  return new BadRequestError({ message, http_status: 400, trace_id, meta, cause: error });
}
