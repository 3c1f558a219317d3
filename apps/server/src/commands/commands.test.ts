import { randomBytes, randomUUID } from 'node:crypto';
import { FEATURE_FLAGS } from '@assay/contract';
import { STANDINGS } from '@assay/contract/operator';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSubjectResolver } from '../features/users/index.ts';
import { systemClock } from '../platform/clock.ts';
import { createSecrets } from '../platform/crypto/secrets.ts';
import { createBareDatabase, createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { run as runCredits } from './credits.ts';
import { run as runIncidents } from './incidents.ts';
import { run as runLedger } from './ledger.ts';
import { run as runLists } from './lists.ts';
import { run as runMigrate } from './migrate.ts';
import { run as runOperators } from './operators.ts';
import { run as runOwners } from './owners.ts';
import { commandWords } from './usages.ts';
import { run as runUsers } from './users.ts';

describe('operator commands', () => {
  let database: TestDatabase;
  let email: string;
  let userId: string;

  const signUp = async ({ isEmailVerified = true, firstName = 'Jane' } = {}) => {
    const secrets = createSecrets(randomBytes(32).toString('hex'));
    const { userId: id } = await createSubjectResolver({
      db: database.db,
      clock: systemClock,
      secrets,
      freeGrantsPerDomain: 3,
    })({
      issuer: 'https://identity.example',
      sub: randomUUID(),
      issuedAt: new Date(),
      signedInAt: null,
      sessionId: null,
      sessionsValidFrom: null,
      sessionKey: 'sid s1',
      readProfile: async () => ({
        email,
        isEmailVerified,
        firstName,
        lastName: 'Doe',
        phone: null,
        identities: ['email'],
      }),
    });
    return id;
  };

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    email = `${randomUUID()}@example.com`;
    userId = await signUp();
  });

  type Run = typeof runUsers;
  const call = async (run: Run, ...argv: string[]) => {
    const out: string[] = [];
    const err: string[] = [];
    const code = await run(argv, {
      env: { DATABASE_URL: database.url },
      stdout: { write: (text) => out.push(text) },
      stderr: { write: (text) => err.push(text) },
    });
    return { code, out: out.join(''), err: err.join('') };
  };

  describe('assay operators', () => {
    it('add gives a role or another one, list shows it, remove ends it', async () => {
      const why = ['--user', userId, '--reason', 'On call'];
      const added = await call(runOperators, 'add', ...why, '--role', 'support');
      expect(added.out).toBe(`Account ${userId} is an operator with the role support.\n`);
      expect((await call(runOperators, 'add', ...why, '--role', 'support')).code).toBe(1);
      expect((await call(runOperators, 'list')).out).toMatch(new RegExp(`${userId} +support `));
      expect((await call(runOperators, 'add', ...why)).out).toContain('the role admin');
      expect((await call(runOperators, 'add', ...why, '--role', 'owner')).code).toBe(2);
      expect((await call(runOperators, 'remove', ...why)).code).toBe(0);
      expect((await call(runOperators, 'list')).out).toBe('There is no operator.\n');
    });
  });

  describe('assay incidents', () => {
    it('open, note and close what list shows', async () => {
      const opened = await call(runIncidents, 'open', 'lists', 'degraded', '--words', 'Lists are late.');
      const id = /Incident (\S+) is open/.exec(opened.out)?.[1] ?? '';
      expect((await call(runIncidents, 'note', id, '--words', 'A provider is away.')).code).toBe(0);
      expect((await call(runIncidents, 'list')).out).toMatch(/none +A provider is away\./);
      expect((await call(runIncidents, 'close', id, '--words', 'Mended.')).out).toBe(
        `Incident ${id} is closed.\n`,
      );
      expect((await call(runIncidents, 'close', id, '--words', 'Again.')).code).toBe(1);
      for (const wrong of [
        ['open', 'mail', 'degraded'],
        ['note', 'x'],
        ['open', 'lists', 'fine'],
      ])
        expect((await call(runIncidents, ...wrong, '--words', 'Text')).code).toBe(2);
      expect((await call(runIncidents, 'note', id)).err).toContain('--words takes a text');
    });
  });

  describe('assay owners', () => {
    const why = ['--reason', 'They wrote to us.'];

    it('leaves a domain alone until that is lifted', async () => {
      expect((await call(runOwners, 'stop', 'Bücher.example', ...why)).out).toContain(
        'xn--bcher-kva.example is left alone',
      );
      expect((await call(runOwners, 'list')).out).toMatch(/xn--bcher-kva\.example .*They wrote to us\./);
      expect((await call(runOwners, 'lift', 'xn--bcher-kva.example', ...why)).code).toBe(0);
      expect((await call(runOwners, 'list')).out).not.toContain('xn--bcher-kva');
      expect((await call(runOwners, 'lift', 'xn--bcher-kva.example', ...why)).code).toBe(1);
      const { rows } = await database.pool.query(
        "select kind, about from operator_actions where kind like 'owner.%' order by number",
      );
      expect(rows).toEqual([
        { kind: 'owner.stopped', about: 'xn--bcher-kva.example' },
        { kind: 'owner.lifted', about: 'xn--bcher-kva.example' },
      ]);
    });

    it('refuses what is no domain, and acts only with a reason', async () => {
      for (const wrong of [['stop'], ['stop', 'nothing'], ['stop', 'a.test', 'b.test'], ['close', 'a.test']])
        expect((await call(runOwners, ...wrong, ...why)).code).toBe(2);
      expect((await call(runOwners, 'stop', 'a.test')).err).toContain('--reason takes a text');
    });
  });

  describe('assay credits take-back', () => {
    it('takes a grant back once, and refuses entries that are no grants', async () => {
      const who = ['--user', userId, '--reason', 'A mistake'];
      await call(runCredits, 'grant', ...who, '--credits', '500');
      const { rows } = await database.pool.query(
        "select entry_number from ledger_entries where owner_id = $1 and key like 'operator:%'",
        [userId],
      );
      const entry = String(rows[0].entry_number);
      const taken = await call(runCredits, 'take-back', ...who, '--entry', entry);
      expect([taken.code, taken.out]).toEqual([0, expect.stringContaining('Took 500 credits back')]);
      expect((await call(runCredits, 'take-back', ...who, '--entry', '999')).code).toBe(1);
      expect((await call(runCredits, 'take-back', ...who, '--entry', '0')).code).toBe(2);
    });
  });

  describe('assay users', () => {
    it('show prints a customer, their plan and credits', async () => {
      const { code, out } = await call(runUsers, 'show', '--email', email.toUpperCase());

      expect(code).toBe(0);
      expect(out).toContain(`id           ${userId}`);
      expect(out).toContain('name         Jane Doe');
      expect(out).toContain('standing     open');
      expect(out).toContain('flags        guessing_enabled off; can_change_password on');
      expect(out).toContain('credits      1000');
      expect(out).toContain('plan         FREE');
    });

    it('prints names without what a terminal would obey', async () => {
      const id = await signUp({ isEmailVerified: false, firstName: 'Eve\u001b]0;root\u0007\nid  other' });
      await database.pool.query(
        `insert into operators (user_id, role, added_at) values ($1, 'admin', now())`,
        [id],
      );

      for (const { out } of [await call(runUsers, 'show', '--user', id), await call(runOperators, 'list')]) {
        expect(out).toContain('Eve ]0;root id other Doe');
        expect(out).not.toMatch(/[^\P{Cc}\n]/u);
      }
      await database.pool.query('delete from operators');
    });

    it('flag switches a feature on and off', async () => {
      expect(
        await call(runUsers, 'flag', '--email', email, 'guessing_enabled', 'on', '--reason', 'A test'),
      ).toEqual({
        code: 0,
        out: `guessing_enabled is on for customer ${userId}.\n`,
        err: '',
      });
      await call(runUsers, 'flag', '--user', userId, 'can_change_password', 'off', '--reason', 'A test');

      const { out } = await call(runUsers, 'show', '--user', userId);
      expect(out).toContain('guessing_enabled on; can_change_password off');
    });

    it.each([
      [['show'], /either --email or --user/],
      [['show', '--email', 'a@b.example', '--user', 'x'], /either --email or --user/],
      [['show', '--user', 'jane'], /a UUID/],
      [
        ['flag', '--email', 'a@b.example', 'wings', 'on'],
        /Name a flag: guessing_enabled or can_change_password/,
      ],
      [['flag', '--email', 'a@b.example', 'guessing_enabled', 'maybe'], /on or off/],
      [['flag', '--email', 'a@b.example', 'guessing_enabled', 'on'], /--reason takes/],
      [['dance'], /show, suspects, flag, standing or two-step-off/],
      [['show', '--wings'], /--wings/],
    ])('%j is answered with how to ask', async (argv, complaint) => {
      const { code, out, err } = await call(runUsers, ...argv);

      expect(code).toBe(2);
      expect(out).toBe('');
      expect(err).toMatch(complaint);
      expect(err).toContain('Usage:');
    });

    it('suspects shows the highest scores first, with their reasons', async () => {
      expect((await call(runUsers, 'suspects')).out).toBe('No customer has a score above 0.\n');
      const other = await signUp({ isEmailVerified: false });
      await database.pool.query(
        `insert into abuse_scores values ($1, 30, '{"many invalid results"}', now()), ($2, 70, '{one,two}', now())`,
        [userId, other],
      );

      const { code, out } = await call(runUsers, 'suspects');
      await database.pool.query('delete from abuse_scores');

      expect(code).toBe(0);
      expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
        ['id', 'email', 'standing', 'score', 'reasons'],
        [other, email, 'open', '70', 'one; two'],
        [userId, email, 'open', '30', 'many invalid results'],
        [''],
      ]);
    });

    it('refuses an unknown address', async () => {
      expect(await call(runUsers, 'show', '--email', 'nobody@example.com')).toEqual({
        code: 1,
        out: '',
        err: 'There is no such customer.\n',
      });
    });

    it('asks for --user if several accounts have the address', async () => {
      const stranger = await signUp({ isEmailVerified: false });

      const { code, err } = await call(runUsers, 'show', '--email', email);

      expect(code).toBe(1);
      expect(err).toContain(userId);
      expect(err).toContain(stranger);
      expect(err).not.toContain(email);
    });

    it('standing changes what show says', async () => {
      await call(runUsers, 'standing', '--user', userId, 'held', '--reason', 'A test');

      const { out } = await call(runUsers, 'show', '--user', userId, '--json');
      expect(JSON.parse(out)).toMatchObject({
        id: userId,
        standing: 'held',
        flags: { guessing_enabled: false, can_change_password: true },
      });
    });

    it('the usage names every flag and standing', () => {
      for (const name of [...FEATURE_FLAGS, ...STANDINGS]) expect(commandWords.users.usage).toContain(name);
    });
  });

  describe('assay lists', () => {
    const stuckList = async () => {
      const id = randomUUID();
      await database.pool.query(
        `insert into lists (kind, owner_id, id, name, status, delimiter, total_emails, created_at)
         values ('emails', $1, $2, 'Spring', 'PENDING', ',', 1, now() - interval '11 minutes')`,
        [userId, id],
      );
      return id;
    };
    const actionsAbout = async (id: string) =>
      (
        await database.pool.query('select kind, actor_id, reason from operator_actions where about = $1', [
          id,
        ])
      ).rows;

    it('stuck says why a list gets no results; restart enqueues its rows again', async () => {
      expect((await call(runLists, 'stuck')).out).toBe('No list is stuck.\n');
      const id = await stuckList();
      expect((await call(runLists, 'stuck')).out).toMatch(
        new RegExp(`${id}  ${userId}  emails  0 .*  no jobs\n`),
      );

      expect(await call(runLists, 'restart', id, '--reason', 'A lost job')).toEqual({
        code: 0,
        out: `List ${id} goes on.\n`,
        err: '',
      });
      expect((await call(runLists, 'stuck')).out).toMatch(/waiting for workers\n/);
      expect(await actionsAbout(id)).toEqual([
        { kind: 'list.restarted', actor_id: null, reason: 'A lost job' },
      ]);
      expect(await call(runLists, 'finish', id, '--reason', 'No use')).toMatchObject({
        out: `List ${id} is being finished.\n`,
      });
      await database.pool.query('delete from lists');
    });

    it.each([
      [['dance'], 2, /stuck, restart or finish/],
      [['finish', 'x', '--reason', 'y'], 2, /the id of a list/],
      [['finish', randomUUID()], 2, /--reason takes/],
      [['finish', randomUUID(), '--reason', 'y'], 1, /No stuck list has this id/],
    ])('%j is answered with how to ask', async (argv, expected, complaint) => {
      const { code, err } = await call(runLists, ...argv);

      expect(code).toBe(expected);
      expect(err).toMatch(complaint);
    });
  });

  describe('assay credits release', () => {
    const reason = ['--reason', 'A school'];

    it('grants free credits that were withheld, which `withheld` shows', async () => {
      email = `${randomUUID()}@mailinator.com`;
      const id = await signUp();
      expect((await call(runCredits, 'withheld')).out).toMatch(
        new RegExp(`^${id}  ${email}  .*Disposable mail domain$`, 'm'),
      );

      expect((await call(runCredits, 'release', '--user', id, '--domain', ...reason)).out).toBe(
        `Granted 1000 free credits to customer ${id}, who now has 1000.\n`,
      );
      expect((await call(runCredits, 'withheld')).out).toBe('No free credits are withheld.\n');
      const again = await call(runCredits, 'release', '--user', id, ...reason);
      expect([again.code, again.err]).toEqual([
        1,
        expect.stringContaining('No free credits of this customer'),
      ]);
    });
  });

  describe('assay credits grant', () => {
    const grant = (...more: string[]) =>
      call(runCredits, 'grant', '--email', email, '--credits', '250', '--reason', 'An apology', ...more);

    it('grants credits, with the reason in the history', async () => {
      expect(await grant()).toEqual({
        code: 0,
        out: `Granted 250 credits to customer ${userId}, who now has 1250.\n`,
        err: '',
      });
      const { rows } = await database.pool.query(
        "select category, source, description, amount from ledger_entries where owner_id = $1 and key like 'operator:%'",
        [userId],
      );
      expect(rows).toEqual([
        { category: 'GRANT', source: 'SUPPORT', description: 'An apology', amount: 250 },
      ]);
    });

    it('grants again when repeated, unless a key marks the same grant', async () => {
      await grant('--key', 'ticket-7');
      expect((await grant('--key', 'ticket-7')).out).toContain('nothing changed');
      expect((await grant()).out).toContain('who now has 1500');
    });

    it.each([
      [['grant', '--email', 'a@b.example', '--reason', 'x'], /--credits takes/],
      [['grant', '--email', 'a@b.example', '--credits', '-5', '--reason', 'x'], /credits/],
      [['grant', '--email', 'a@b.example', '--credits', '1.5', '--reason', 'x'], /--credits takes/],
      [['grant', '--email', 'a@b.example', '--credits', '1e3', '--reason', 'x'], /--credits takes/],
      [['grant', '--email', 'a@b.example', '--credits', '10', '--reason', ' '], /--reason takes/],
      [['take', '--email', 'a@b.example'], /Say what to do/],
    ])('%j is answered with how to ask', async (argv, complaint) => {
      const { code, err } = await call(runCredits, ...argv);

      expect(code).toBe(2);
      expect(err).toMatch(complaint);
    });
  });

  describe('assay ledger audit', () => {
    it('exits with 0 if the ledger agrees, and with 1 and a line for each disagreement', async () => {
      expect(await call(runLedger, 'audit')).toMatchObject({
        code: 0,
        out: expect.stringContaining('The ledger agrees'),
      });

      await database.pool.query('update wallets set balance = balance + 7 where owner_id = $1', [userId]);
      expect(await call(runLedger, 'audit')).toEqual({
        code: 1,
        out: `customer ${userId}: balance, should be 1000, is 1007\nThe ledger does not agree: 1 disagreement.\n`,
        err: '',
      });
      await database.pool.query('update wallets set balance = balance - 7 where owner_id = $1', [userId]);
    });

    it('exits with 2 without a verb', async () => {
      expect((await call(runLedger)).code).toBe(2);
    });
  });

  describe('assay migrate', () => {
    it('migrates an empty database, and does nothing the second time', async () => {
      const bare = await createBareDatabase();
      const migrate = async () => {
        const out: string[] = [];
        const stream = { write: (text: string) => out.push(text) };
        const io = { env: { DATABASE_URL: bare.url }, stdout: stream, stderr: stream };
        return [await runMigrate([], io), out.join('')] as const;
      };

      const [firstCode, first] = await migrate();
      expect(firstCode).toBe(0);
      expect(first).toContain('applied 0001_users.sql');
      expect(await migrate()).toEqual([0, 'The database is at this version.\n']);
      await bare.drop();
    });
  });
});
