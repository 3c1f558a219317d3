import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSecrets } from '../../platform/crypto/secrets.ts';
import { signState } from './authorization-state.ts';
import { startWarmUpWorld, type WarmUpWorld } from './testing/warm-up-world.ts';

let world: WarmUpWorld;
beforeAll(async () => {
  world = await startWarmUpWorld();
});
afterAll(() => world.close());

const newAddress = () => `${randomUUID().slice(0, 8)}@exists.test`;

/** A customer who has granted access and returns from the provider. */
async function comingBack() {
  const token = await world.api.tokenFor();
  const back = await world.decide(await world.authorizationUrl(token, 'google'), newAddress());
  return { token, back, state: back.searchParams.get('state') ?? '' };
}

async function expectRefused(answer: Awaited<ReturnType<WarmUpWorld['finish']>>, code: string) {
  expect(answer.statusCode).toBe(400);
  expect(answer.json().errors[0].code).toBe(code);
}

describe('the state of an authorization', () => {
  it.each([
    ['made up', () => 'anything'],
    ['of the right shape', () => `${randomUUID()}.1999999999.${'0'.repeat(64)}`],
    ['cut short', (state: string) => state.slice(0, -1)],
    ['given more time', (state: string) => state.replace(/\.(\d+)\./, (_, time) => `.${Number(time) + 60}.`)],
    ['of another authorization', (state: string) => state.replace(/^[^.]+/, randomUUID())],
    [
      'signed with another secret',
      (state: string) =>
        signState(createSecrets('a secret of somebody else, 32 bytes'), {
          id: state.split('.')[0] ?? '',
          ownerId: randomUUID(),
          provider: 'GOOGLE',
          expiresAt: new Date(world.clock.now().getTime() + 60_000),
        }),
    ],
  ])('forged (%s) is refused, and the code is never sent to the provider', async (_how, forge) => {
    const { token, back, state } = await comingBack();
    const code = back.searchParams.get('code') ?? '';

    await expectRefused(
      await world.finish(token, 'google', { code, state: forge(state) }),
      'mailbox_state_invalid',
    );

    expect(await world.addresses(token)).toEqual([]);
    // The state still works: an attack does not use it up.
    expect((await world.finish(token, 'google', back)).statusCode).toBe(200);
  });

  it('is refused when replayed', async () => {
    const { token, back } = await comingBack();
    expect((await world.finish(token, 'google', back)).statusCode).toBe(200);

    await expectRefused(await world.finish(token, 'google', back), 'mailbox_state_invalid');
  });

  it('replayed simultaneously, connects once', async () => {
    const { token, back } = await comingBack();

    const answers = await Promise.all(Array.from({ length: 8 }, () => world.finish(token, 'google', back)));

    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(7).fill(400)]);
  });

  it('is used up by a failed callback', async () => {
    const { token, back, state } = await comingBack();
    await expectRefused(
      await world.finish(token, 'google', { code: '4/0wrong', state }),
      'mailbox_code_refused',
    );

    await expectRefused(await world.finish(token, 'google', back), 'mailbox_state_invalid');
  });

  it('is refused after ten minutes', async () => {
    const { token, back } = await comingBack();
    world.clock.advance({ minutes: 10 });

    await expectRefused(await world.finish(token, 'google', back), 'mailbox_state_expired');
  });

  it('works only for the customer who started, so nobody can connect their mailbox to another’s account', async () => {
    const attacker = await comingBack();
    const victim = await world.api.tokenFor();

    await expectRefused(await world.finish(victim, 'google', attacker.back), 'mailbox_state_invalid');

    expect(await world.addresses(victim)).toEqual([]);
  });

  it('works only for its provider', async () => {
    const { token, back } = await comingBack();

    await expectRefused(await world.finish(token, 'microsoft', back), 'mailbox_state_invalid');
  });

  it('does not reveal the customer to the provider', async () => {
    const token = await world.api.tokenFor();
    const { id } = (await world.api.call('GET', '/users/me', { token })).json();

    expect(await world.authorizationUrl(token, 'google')).not.toContain(id);
  });
});
