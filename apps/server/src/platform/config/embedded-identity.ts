import { createSecrets } from '../crypto/secrets.ts';

/** Where the embedded identity provider is below PUBLIC_URL. */
export const identityPath = '/identity';

export const issuerBelow = (publicUrl: string): string => `${publicUrl}${identityPath}`;

/** The product's access to the accounts of the embedded provider. Both derive it from the installation's secret. */
export const identityAdminClient = (secret: string) => ({
  clientId: 'assay-admin',
  clientSecret: createSecrets(secret).keyedHash('embedded identity', 'admin client'),
});

/** The realm of the embedded provider, which answers Keycloak's calls, at the address where it listens. */
export const identityRealmAt = (address: string): string => `${address}/realms/assay`;
