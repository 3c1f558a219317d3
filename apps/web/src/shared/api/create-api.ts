import {
  type ApiError,
  BadRequestError,
  type Client,
  type ClientOptions,
  createClient,
  UnauthorizedError,
} from '@assay/client';
import { API_BASE, type AppConfig, routes, type SentRoute } from '@assay/contract';
import type { Connection } from '../connection/connection.ts';
import { SESSION_ENDED_CODE, type SessionManager } from '../session/session-manager.ts';

/** The only way from the screens to the server. */
export const createApi = (...parts: Parameters<typeof apiOptions>): Client =>
  createClient(apiOptions(...parts));

/** For clients of further calls, which pages load when they need them. */
export const apiOptions = (
  config: AppConfig,
  session: SessionManager,
  connection: Connection,
): ClientOptions => ({
  baseUrl: API_BASE,
  apiKey: config.client_key,
  getToken: session.getToken,
  renewToken: session.renewToken,
  onUnauthorized: session.forceLogout,
  mapError: rewriteUnauthorized,
  connection: connection.forCalls,
});

/**
 * A data call that is unauthorized after all is a call that failed, and says so like any other. Who the person is
 * (`users/me`) and a call that was never sent stay a 401: the logout that follows answers them, and a message would
 * only flash by.
 */
export function rewriteUnauthorized(error: ApiError, route: SentRoute): ApiError {
  if (!(error instanceof UnauthorizedError)) return error;
  if (route === routes.users.getMe || error.code === SESSION_ENDED_CODE) return error;
  const { message, trace_id, meta } = error;
  return new BadRequestError({ message, http_status: 400, trace_id, meta, cause: error });
}
