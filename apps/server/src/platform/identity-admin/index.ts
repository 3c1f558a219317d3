import { createAuth0Admin } from './auth0.ts';
import type { IdentityAdmin, IdentityAdminOptions } from './identity-admin.ts';
import { createKeycloakAdmin } from './keycloak.ts';

export type { IdentityAdmin, ProviderSession } from './identity-admin.ts';

export const createIdentityAdmin = (options: IdentityAdminOptions): IdentityAdmin =>
  options.kind === 'auth0' ? createAuth0Admin(options) : createKeycloakAdmin(options);
