import { randomUUID } from 'node:crypto';
import { FREE_CREDITS_WITHHELD_TEXTS } from '@assay/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Profile, Subject } from '../../platform/auth/index.ts';
import { createSecrets } from '../../platform/crypto/secrets.ts';
import { ownAccountOf } from '../../platform/ids.ts';
import { type MovableClock, movableClock } from '../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { releaseFreeCredits } from '../billing/index.ts';
import { createSubjectResolver, findUser, type SignInParts } from './index.ts';

const buildProfile = (told: Partial<Profile> = {}): Profile => ({
  email: 'jane@example.com',
  isEmailVerified: true,
  firstName: 'Jane',
  lastName: 'Doe',
  phone: null,
  identities: ['email'],
  ...told,
});

const buildSubject = ({
  profile = {},
  ...subject
}: Partial<Subject> & { profile?: Partial<Profile> } = {}) => ({
  issuer: 'https://identity.example',
  sub: randomUUID(),
  issuedAt: new Date('2026-03-01T12:00:00Z'),
  signedInAt: null,
  sessionId: null,
  sessionsValidFrom: null,
  sessionKey: 'sid s1',
  readProfile: async () => buildProfile(profile),
  ...subject,
});

describe('signing in', () => {
  let database: TestDatabase;
  let parts: SignInParts;
  let clock: MovableClock;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    clock = movableClock();
    parts = { db: database.db, clock, secrets: createSecrets(randomUUID()), freeGrantsPerDomain: 3 };
    await database.pool.query('delete from users');
  });

  const signIn = async (subject: Subject) => (await createSubjectResolver(parts)(subject)).userId;
  const readBalance = async (userId: string) =>
    (await database.pool.query('select balance from wallets where owner_id = $1', [userId])).rows[0].balance;
  const readAllowance = async (userId: string) =>
    (
      await database.pool.query('select has_free_allowance as has from subscriptions where owner_id = $1', [
        userId,
      ])
    ).rows[0].has;
  const countUsers = async () => (await database.pool.query('select count(*) from users')).rows[0].count;

  describe('for the first time', () => {
    it('creates an account from the profile of the identity provider', async () => {
      const userId = await signIn(buildSubject({ profile: { phone: '+34600000000' } }));

      expect(await findUser(database.db, userId)).toEqual({
        id: userId,
        first_name: 'Jane',
        last_name: 'Doe',
        email_address: 'jane@example.com',
        phone: '+34600000000',
        identities: ['email'],
        creation_date: '2026-03-01T12:00:00.000Z',
        feature_flags: { guessing_enabled: false, can_change_password: true },
        list_mails: true,
        balance_mails: true,
        plan_mails: true,
      });
    });

    it('with the address of an operator opens an account of its own: the role does not go with the mailbox', async () => {
      const operatorId = await signIn(buildSubject());
      await database.pool.query(
        "insert into operators (user_id, role, added_at) values ($1, 'admin', now())",
        [operatorId],
      );

      expect(await signIn(buildSubject())).not.toBe(operatorId);
    });

    it('in another way into a suspended account is suspended from the first call on', async () => {
      const userId = await signIn(buildSubject());
      await database.pool.query(`update accounts set standing = 'suspended' where id = $1`, [userId]);

      expect(await createSubjectResolver(parts)(buildSubject())).toMatchObject({
        userId,
        standing: 'suspended',
      });
    });

    it('§1 A new user gets 1000 free credits on the free plan', async () => {
      const userId = await signIn(buildSubject());

      const { rows } = await database.pool.query(
        'select category, source, description, amount, balance_after from ledger_entries where owner_id = $1',
        [userId],
      );
      expect(rows).toEqual([
        {
          category: 'GRANT',
          source: 'SIGN_UP',
          description: 'Welcome credits',
          amount: 1_000,
          balance_after: 1_000,
        },
      ]);
    });

    it('creates one account and one grant for fifty simultaneous first calls', async () => {
      const subject = buildSubject();

      const userIds = await Promise.all(Array.from({ length: 50 }, () => signIn(subject)));

      expect(new Set(userIds).size).toBe(1);
      expect(await countUsers()).toBe(1);
      expect(await readBalance(userIds[0] ?? '')).toBe(1_000);
    });

    it('§6 can_change_password is off for a customer who signs in through a social provider', async () => {
      const userId = await signIn(buildSubject({ profile: { identities: ['google'] } }));

      expect((await findUser(database.db, userId))?.feature_flags.can_change_password).toBe(false);
    });

    it('creates an account without credits if the provider sends no address', async () => {
      const [one, other] = await Promise.all([
        signIn(buildSubject({ profile: { email: null } })),
        signIn(buildSubject({ profile: { email: null } })),
      ]);

      expect(one).not.toBe(other);
      expect(await readBalance(one)).toBe(0);
    });
  });

  describe('again', () => {
    it('together with others, each gets its own account, one is refused for itself, and one statement answers them all', async () => {
      const [jane, joe] = [buildSubject(), buildSubject({ profile: { email: 'joe@example.com' } })];
      const ids = [await signIn(jane), await signIn(joe)];
      await database.db
        .insertInto('ended_sessions')
        .values({
          issuer: joe.issuer,
          session_key: 'sid ended',
          ended_at: new Date('2026-03-02T12:00:00Z'),
          kept_until: new Date('2027-03-01T12:00:00Z'),
        })
        .execute();
      const resolve = createSubjectResolver(parts);
      const connecting = vi.spyOn(database.pool, 'connect');

      const answers = await Promise.allSettled([
        resolve(jane),
        resolve({ ...joe, sessionKey: 'sid ended' }),
        resolve(joe),
        resolve(jane),
      ]);

      expect(connecting).toHaveBeenCalledTimes(1);
      connecting.mockRestore();
      expect(answers).toMatchObject([
        { value: { userId: ids[0] } },
        { reason: { code: 'session_ended' } },
        { value: { userId: ids[1] } },
        { value: { userId: ids[0] } },
      ]);
    });

    it('finds the account without asking the provider', async () => {
      const subject = buildSubject();
      const userId = await signIn(subject);

      const readProfile = () => Promise.reject(new Error('must not be called'));
      expect(await signIn({ ...subject, readProfile })).toBe(userId);
    });

    it('with a newer token, updates the address and keeps the name', async () => {
      const subject = buildSubject();
      const userId = await signIn(subject);
      const later = buildSubject({
        sub: subject.sub,
        issuedAt: new Date('2026-03-02T12:00:00Z'),
        profile: { email: 'jane.smith@example.com', firstName: 'Janet' },
      });

      expect(await signIn(later)).toBe(userId);
      expect(await findUser(database.db, userId)).toMatchObject({
        first_name: 'Jane',
        email_address: 'jane.smith@example.com',
      });
      expect(await readBalance(userId)).toBe(1_000);
    });

    it('with an older token, changes nothing', async () => {
      const subject = buildSubject();
      const userId = await signIn(subject);
      const older = { issuedAt: new Date('2026-02-01T12:00:00Z'), profile: { email: 'old@example.com' } };

      await signIn(buildSubject({ sub: subject.sub, ...older }));

      expect((await findUser(database.db, userId))?.email_address).toBe('jane@example.com');
    });

    it('does not replace a verified address by an unverified one', async () => {
      const subject = buildSubject();
      const userId = await signIn(subject);
      const later = new Date('2026-03-02T12:00:00Z');
      const profile = { email: 'victim@example.com', isEmailVerified: false };

      await signIn(buildSubject({ sub: subject.sub, issuedAt: later, profile }));

      expect((await findUser(database.db, userId))?.email_address).toBe('jane@example.com');
    });

    it('succeeds while the provider does not answer, and asks it once per token', async () => {
      const subject = buildSubject();
      const userId = await signIn(subject);
      let askedCount = 0;
      const silent = {
        ...subject,
        issuedAt: new Date('2026-03-02T12:00:00Z'),
        readProfile: () => {
          askedCount += 1;
          return Promise.reject(new Error('no answer'));
        },
      };

      expect([await signIn(silent), await signIn(silent)]).toEqual([userId, userId]);
      expect(askedCount).toBe(1);
    });
  });

  describe('with two sign-ins of one address', () => {
    it('opens one account if both have verified it, also at the same moment', async () => {
      const [email, google] = await Promise.all([
        signIn(buildSubject()),
        signIn(buildSubject({ profile: { email: 'Jane@Example.com', identities: ['google'] } })),
      ]);

      expect(google).toBe(email);
      expect([...((await findUser(database.db, email))?.identities ?? [])].sort()).toEqual([
        'email',
        'google',
      ]);
      expect(await readBalance(email)).toBe(1_000);
    });

    it('opens a separate account without credits for an unverified address', async () => {
      const owner = await signIn(buildSubject());
      const stranger = await signIn(buildSubject({ profile: { isEmailVerified: false } }));

      expect(stranger).not.toBe(owner);
      expect(await readBalance(stranger)).toBe(0);
    });
  });

  describe('and the free credits', () => {
    it('come when the address is verified', async () => {
      const subject = buildSubject({ profile: { isEmailVerified: false } });
      const userId = await signIn(subject);
      expect([await readBalance(userId), await readAllowance(userId)]).toEqual([0, false]);

      await signIn(buildSubject({ sub: subject.sub, issuedAt: new Date('2026-03-01T12:05:00Z') }));

      expect([await readBalance(userId), await readAllowance(userId)]).toEqual([1_000, true]);
    });

    it('are not granted again after deleting the account and signing up again, but the monthly ones continue', async () => {
      const subject = buildSubject();
      const first = await signIn(subject);
      await database.pool.query('delete from users where id = $1', [first]);

      const second = await signIn(subject);

      expect(second).not.toBe(first);
      expect([await readBalance(second), await readAllowance(second)]).toEqual([0, true]);
      const { rows } = await database.pool.query(
        'select description, amount from ledger_entries where owner_id = $1',
        [second],
      );
      expect(rows).toEqual([
        {
          description: 'No welcome credits: this address had them in an account that was deleted',
          amount: 0,
        },
      ]);
    });

    it('go to one of several accounts with the same mailbox', async () => {
      const first = await signIn(buildSubject({ profile: { email: 'jane@gmail.com' } }));
      const second = await signIn(buildSubject({ profile: { email: 'j.ane+2@gmail.com' } }));

      expect(second).not.toBe(first);
      expect([await readBalance(second), await readAllowance(second)]).toEqual([0, false]);
    });

    it('are not granted again for changing the address', async () => {
      const subject = buildSubject();
      const userId = await signIn(subject);
      for (const day of [2, 3, 4]) {
        const issuedAt = new Date(`2026-03-0${day}T12:00:00Z`);
        await signIn(
          buildSubject({ sub: subject.sub, issuedAt, profile: { email: `jane${day}@example.com` } }),
        );
      }

      expect(await readBalance(userId)).toBe(1_000);
      // The old address has used its free credits, so another customer who takes it over gets none.
      expect(await readBalance(await signIn(buildSubject()))).toBe(0);
    });

    const signUpAt = (email: string) => signIn(buildSubject({ profile: { email } }));
    const readWithheld = async (userId: string) => {
      const { rows } = await database.pool.query(
        `select free_credits_withheld as because, description, amount, has_free_allowance as has from subscriptions
         join ledger_entries using (owner_id) where owner_id = $1`,
        [userId],
      );
      return rows;
    };
    const balancesOf = (userIds: readonly string[]) => Promise.all(userIds.map(readBalance));

    it.each([
      ['jane@me.com', 'Jane+shop@iCloud.com'],
      ['jane@mac.com', 'jane@me.com'],
      ['jane.doe@yandex.ru', 'jane-doe+2@yandex.com'],
      ['jane@pm.me', 'jane@protonmail.ch'],
      ['jane@hotmail.co.uk', 'jane+2@hotmail.co.uk'],
      ['jane@bücher-kaufen.example', 'jane@xn--bcher-kaufen-dlb.example'],
    ])('come once for %s and %s, and the second account reads why', async (one, other) => {
      const [first, second] = [await signUpAt(one), await signUpAt(other)];

      expect(await balancesOf([first, second])).toEqual([1_000, 0]);
      expect(await readWithheld(second)).toEqual([
        {
          because: 'mailbox_taken',
          description: FREE_CREDITS_WITHHELD_TEXTS.mailbox_taken,
          amount: 0,
          has: false,
        },
      ]);
    });

    it('are not granted again for a mailbox that was known under its former spelling', async () => {
      const before = await signUpAt('jane@example.com');
      await database.pool.query('update free_credit_claims set mailbox_hash = $1 where owner_id = $2', [
        parts.secrets.keyedHash('free-credits mailbox', 'jane@me.com'),
        before,
      ]);

      expect(await readBalance(await signUpAt('jane@icloud.com'))).toBe(0);
    });

    it.each(['mailinator.com', 'any.mailinator.com'])(
      'do not come for the disposable domain %s, and the account reads why',
      async (domain) => {
        const userId = await signUpAt(`jane@${domain}`);

        expect(await readWithheld(userId)).toMatchObject([
          { because: 'disposable_domain', amount: 0, has: false },
        ]);
      },
    );

    it('come for three mailboxes a day of a domain that is no provider, also of 64 at once and below it', async () => {
      const userIds = await Promise.all(
        Array.from({ length: 64 }, (_, at) => signUpAt(`p${at}@${at % 2 ? '' : `s${at}.`}catch-all.example`)),
      );
      expect((await balancesOf(userIds)).filter((balance) => balance > 0)).toEqual([1_000, 1_000, 1_000]);
      const refused = await signUpAt('one@catch-all.example');
      expect(await readWithheld(refused)).toMatchObject([{ because: 'domain_limit', amount: 0, has: false }]);

      clock.advance({ hours: 23 });
      expect(await readBalance(await signUpAt('two@catch-all.example'))).toBe(0);
      clock.advance({ hours: 1, seconds: 1 });
      expect(await readBalance(await signUpAt('three@catch-all.example'))).toBe(1_000);
      // Other domains, and providers, are not concerned.
      const others = [await signUpAt('one@another.example')];
      for (let at = 0; at < 5; at += 1) others.push(await signUpAt(`person${at}@gmail.com`));
      expect(new Set(await balancesOf(others))).toEqual(new Set([1_000]));
    });

    it('that were withheld do not come by deleting the account and signing up again, nor each month', async () => {
      for (let at = 0; at < 3; at += 1) await signUpAt(`p${at}@catch-all.example`);
      const first = await signUpAt('jane@catch-all.example');
      await database.pool.query('delete from users where id = $1', [first]);

      const second = await signUpAt('jane@catch-all.example');

      expect([await readBalance(second), await readAllowance(second)]).toEqual([0, false]);
    });

    it('that were withheld come when the account gets a proved address elsewhere, once', async () => {
      const subject = buildSubject({ profile: { email: 'jane@mailinator.com' } });
      const userId = await signIn(subject);
      const moved = { sub: subject.sub, issuedAt: new Date('2026-03-02T12:00:00Z') };
      await signIn(buildSubject({ ...moved, profile: { email: 'jane@gmail.com' } }));

      expect([await readBalance(userId), await readAllowance(userId)]).toEqual([1_000, true]);
      const released = await database.db
        .transaction()
        .execute((tx) =>
          releaseFreeCredits(tx, { ownerId: ownAccountOf(userId), provesDomain: false, now: clock.now() }),
        );
      expect([released, await readBalance(userId)]).toEqual([{ grantedCredits: 0 }, 1_000]);
    });

    it('that were withheld are granted by an operator, once, who may lift the limit of the domain', async () => {
      for (let at = 0; at < 3; at += 1) await signUpAt(`p${at}@company.example`);
      const [ann, bob] = [await signUpAt('ann@company.example'), await signUpAt('bob@company.example')];
      const release = (ownerId: string, provesDomain: boolean) =>
        database.db
          .transaction()
          .execute((tx) => releaseFreeCredits(tx, { ownerId, provesDomain, now: clock.now() }));

      expect(await release(ann, false)).toEqual({ grantedCredits: 1_000 });
      expect(await release(ann, false)).toBeUndefined();
      expect(await readBalance(await signUpAt('cara@company.example'))).toBe(0);
      await release(bob, true);

      expect(await balancesOf([ann, bob])).toEqual([1_000, 1_000]);
      expect(await readBalance(await signUpAt('dora@company.example'))).toBe(1_000);
    });

    it('are recorded under a keyed hash and not under the address', async () => {
      await signIn(buildSubject());

      const { rows } = await database.pool.query('select mailbox_hash from free_credit_claims');
      expect(rows.map((row) => row.mailbox_hash)).toContain(
        parts.secrets.keyedHash('free-credits mailbox', 'jane@example.com'),
      );
      expect(JSON.stringify(rows)).not.toContain('jane');
    });
  });

  it('keeps the ledger of a deleted account, without personal data', async () => {
    const userId = await signIn(buildSubject());
    await database.pool.query('delete from users where id = $1', [userId]);

    const { rows } = await database.pool.query('select * from ledger_entries where owner_id = $1', [userId]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/jane|doe|example\.com/i);
  });
});
