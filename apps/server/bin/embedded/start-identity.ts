import { type Identity, type IdentityOptions, startIdentity } from '@assay/identity';

/** Starts the embedded provider, which tells the product's activity log about changes of second factors. */
export async function startIdentityWithLog(options: IdentityOptions): Promise<Identity> {
  const { issuer } = options;
  let opening: ReturnType<typeof openLog> | undefined;
  const identity = await startIdentity({
    ...options,
    onTwoStepChange: async ({ subject, ...change }) => {
      opening ??= openLog(options);
      const { recordTwoStepChange, db } = await opening;
      await recordTwoStepChange(db, { issuer, subject }, change);
    },
  });
  return {
    ...identity,
    close: async () => {
      await identity.close();
      await (await opening)?.close();
    },
  };
}

/** Loaded at the first change: a start should not wait for the code of the product. */
async function openLog({ databaseUrl, onError }: IdentityOptions) {
  const [{ recordTwoStepChange }, { openDatabase }] = await Promise.all([
    import('../../src/features/users/index.ts'),
    import('../../src/platform/database/database.ts'),
  ]);
  const log = openDatabase({
    url: databaseUrl,
    poolSize: 1,
    applicationName: 'assay identity log',
    onIdleError: (error) => onError?.(error),
  });
  return { recordTwoStepChange, ...log };
}
