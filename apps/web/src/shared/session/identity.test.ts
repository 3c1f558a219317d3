import { expect, it } from 'vitest';
import { type Identity, loadIdentityLater } from './identity.ts';

const provider: Identity = {
  signInUrl: async (returnTo) => `https://id.test/auth?back=${returnTo}`,
  completeSignIn: () => Promise.reject(new Error('no trip')),
  refresh: async (session) => session,
  signOutUrl: async (_session, landing) => `https://id.test/end?land=${landing}`,
};

it('loads the provider with the first question, once', async () => {
  let loads = 0;
  const identity = loadIdentityLater(async () => {
    loads += 1;
    return provider;
  });
  expect(loads).toBe(0);

  const urls = await Promise.all([identity.signInUrl('/billing'), identity.signOutUrl(undefined, '/')]);

  expect(urls).toEqual(['https://id.test/auth?back=/billing', 'https://id.test/end?land=/']);
  expect(loads).toBe(1);
});

it('tries again after the code could not be loaded', async () => {
  const attempts = [Promise.reject(new Error('offline')), Promise.resolve(provider)];
  const identity = loadIdentityLater(() => attempts.shift() ?? Promise.resolve(provider));

  await expect(identity.signInUrl('/')).rejects.toThrow('offline');

  await expect(identity.signInUrl('/')).resolves.toContain('id.test');
});
