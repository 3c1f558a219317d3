import { type Identity, type IdentityOptions, startIdentity } from '@assay/identity';
import { recordTwoStepChange } from '../../src/features/users/index.ts';
import { openDatabase } from '../../src/platform/database/database.ts';

/** Starts the embedded provider, which tells the product's activity log about changes of second factors. */
export async function startIdentityWithLog(options: IdentityOptions): Promise<Identity> {
  const { databaseUrl, issuer } = options;
  const log = openDatabase({
    url: databaseUrl,
    poolSize: 1,
    applicationName: 'assay identity log',
    onIdleError: (error) => options.onError?.(error),
  });
  const identity = await startIdentity({
    ...options,
    onTwoStepChange: ({ subject, ...change }) => recordTwoStepChange(log.db, { issuer, subject }, change),
  }).catch(async (error) => {
    await log.close();
    throw error;
  });
  return {
    ...identity,
    close: async () => {
      await identity.close();
      await log.close();
    },
  };
}
