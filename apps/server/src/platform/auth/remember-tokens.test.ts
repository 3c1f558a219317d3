import { describe, expect, it } from 'vitest';
import { movableClock } from '../../testing/clock.ts';
import { rememberTokens } from './remember-tokens.ts';
import type { Profile, Subject } from './subject.ts';

/** A verifier that counts its calls. Tokens are valid for as long as the test says, from now. */
function countedVerifier({ lifeSeconds = 1_800 } = {}) {
  const clock = movableClock();
  const verifiedTokens: string[] = [];
  const verify = rememberTokens(async (token) => {
    verifiedTokens.push(token);
    if (token === 'refused') throw new Error('refused');
    const expiresAt = new Date(clock.now().getTime() + lifeSeconds * 1_000);
    const readProfile = async () => ({ email: `${token}@example.com` }) as Profile;
    return { subject: { sub: token, readProfile } as Subject, expiresAt };
  }, clock);
  return { clock, verify, verifiedTokens };
}

describe('rememberTokens', () => {
  it('verifies a token once and answers the same again within a minute', async () => {
    const { clock, verify, verifiedTokens } = countedVerifier();

    const first = await verify('token');
    clock.advance({ seconds: 59 });

    const again = await verify('token');
    expect(again.subject.sub).toBe('token');
    expect(again.expiresAt).toBe(first.expiresAt);
    expect(verifiedTokens).toEqual(['token']);
  });

  it('verifies a remembered token again to read the profile, because it does not keep the token', async () => {
    const { verify, verifiedTokens } = countedVerifier();
    await verify('token');

    const { subject } = await verify('token');

    expect(await subject.readProfile()).toMatchObject({ email: 'token@example.com' });
    expect(verifiedTokens).toEqual(['token', 'token']);
  });

  it('verifies a token again after a minute', async () => {
    const { clock, verify, verifiedTokens } = countedVerifier();

    await verify('token');
    clock.advance({ seconds: 60 });
    await verify('token');

    expect(verifiedTokens).toEqual(['token', 'token']);
  });

  it('verifies a token again after a minute, also when the wall clock was set back meanwhile', async () => {
    const { clock, verify, verifiedTokens } = countedVerifier();

    await verify('token');
    clock.jump({ hours: -2 });
    clock.advance({ seconds: 60 });
    await verify('token');

    expect(verifiedTokens).toEqual(['token', 'token']);
  });

  it('verifies a token again when it has expired', async () => {
    const { clock, verify, verifiedTokens } = countedVerifier({ lifeSeconds: 10 });

    await verify('token');
    clock.advance({ seconds: 10 });
    await verify('token');

    expect(verifiedTokens).toEqual(['token', 'token']);
  });

  it('keeps tokens apart', async () => {
    const { verify } = countedVerifier();

    expect((await verify('one')).subject.sub).toBe('one');
    expect((await verify('two')).subject.sub).toBe('two');
  });

  it('does not remember a refusal', async () => {
    const { verify, verifiedTokens } = countedVerifier();

    await expect(verify('refused')).rejects.toThrow('refused');
    await expect(verify('refused')).rejects.toThrow('refused');

    expect(verifiedTokens).toEqual(['refused', 'refused']);
  });

  it('forgets the oldest token when it knows 10,000', async () => {
    const { verify, verifiedTokens } = countedVerifier();
    for (let count = 0; count <= 10_000; count++) await verify(`token ${count}`);
    verifiedTokens.length = 0;

    await verify('token 1');
    await verify('token 0');

    expect(verifiedTokens).toEqual(['token 0']);
  });
});
