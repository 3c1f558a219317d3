import { randomUUID } from 'node:crypto';
import type { Guess, GuessList } from '@assay/contract';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { startTestApi } from '../../../testing/api.ts';
import { productOfFile } from '../../../testing/product.ts';
import { sweepWaits } from '../../lists/index.ts';
import { completeGuess } from '../complete-guess.ts';
import { findOpenGuesses } from '../guesses.store.ts';
import {
  audit,
  balanceOf,
  newGuessingCustomer,
  startList,
  untilComplete,
} from '../testing/guessing-customer.ts';
import { finishGuessList } from './finish-guess-list.ts';
import { peopleLists } from './people-lists.ts';
import { resumeGuessList } from './resume-guess-list.ts';

const { api } = await productOfFile();
/** Shares nothing with the product above, so no worker takes up its jobs. */
const idle = await startTestApi();
afterAll(() => idle.close());

const people =
  'first name,last name,domain,note\nJane,Doe,dotted.test,n1\nJohn,Roe,dotted.test,n2\nJOHN,ROE,dotted.test,n3\n';

async function startIdleList() {
  const customer = await newGuessingCustomer(idle);
  const { token, userId: ownerId } = customer;
  const { id } = await startList(idle, customer, people);
  const place = { ownerId, listId: id };
  const peopleOf = async (listId = id): Promise<Guess[]> =>
    (await idle.call('GET', `/guessing/lists/${listId}/people`, { token })).json().results;
  const post = (action: string, headers = {}) =>
    idle.call('POST', `/guessing/lists/${id}/${action}`, { token, headers });
  return {
    customer,
    id,
    post,
    peopleOf,
    read: async () => (await idle.call('GET', `/guessing/lists/${id}`, { token })).json<GuessList>(),
    open: async (run: number) =>
      findOpenGuesses(idle.database.db, {
        ownerId,
        guessIds: (await peopleOf()).map((guess) => guess.id),
        run,
      }),
    prove: async () => {
      const [guess] = await findOpenGuesses(idle.database.db, {
        ownerId,
        guessIds: (await peopleOf()).slice(0, 1).map((first) => first.id),
      });
      const end = {
        outcome: 'FOUND',
        emailAddress: 'jane.doe@dotted.test',
        reason: 'mailbox_accepted',
        decidedBy: null,
      };
      if (guess) await completeGuess(idle.database.db, guess, end as never, new Date());
    },
    place,
    resumePeople: (run: number) =>
      resumeGuessList({ ...idle.database, queue: idle.queue, egress: 'main' }, { ...place, run }),
    finishPeople: () => finishGuessList({ db: idle.database.db, clock: systemClock }, place),
    exported: async (listId: string) => {
      const order = await idle.call('POST', `/guessing/lists/${listId}/export?rows=all`, { token });
      const { pathname, search } = new URL(order.json().download_link);
      return (await idle.app.inject({ method: 'GET', url: pathname + search })).body;
    },
  };
}

const codeOf = (answer: { json(): { errors: { code: string }[] } }) => answer.json().errors[0]?.code;

describe('a list of people', () => {
  it('is paused and resumed: nobody is taken up meanwhile, and jobs from before the pause find nobody', async () => {
    const list = await startIdleList();

    const answers = [await list.post('pause'), await list.post('pause')];
    expect(
      answers.map((answer) => [answer.statusCode, answer.json().status, answer.json().run_state]),
    ).toEqual([
      [200, 'PENDING', 'paused'],
      [200, 'PENDING', 'paused'],
    ]);
    expect(await list.open(0)).toEqual([]);

    expect((await list.post('resume')).json()).toMatchObject({ run_state: 'running' });
    await list.post('resume');
    await list.resumePeople(1);
    expect([(await list.open(0)).length, (await list.open(1)).length]).toEqual([0, 2]);
    const { rows } = await idle.database.pool.query(
      "select data->'run' as run from queue.job where name = 'guessing.prove-list' and data->>'ownerId' = $1 order by 1",
      [list.customer.userId],
    );
    expect(rows).toEqual([{ run: 0 }, { run: 1 }]);
  });

  it('people whom hosts have put off keep their time, patience and attempts when the list is resumed', async () => {
    const list = await startIdleList();
    const { db, pool } = idle.database;
    const [since, until] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 600_000)];
    const [first, second] = await list.open(0);
    const row = { rowNumber: first?.rowNumber ?? -1, since, attempts: 3 };
    await db
      .transaction()
      .execute((tx) =>
        peopleLists.results.deferRows(tx, list.place, 0, [{ host: 'mx.dotted.test', until, row }]),
      );
    await list.post('pause');
    await sweepWaits(db, new Date(Date.now() + 29 * 86_400_000));
    await list.post('resume');
    // The clock of the worker was set back meanwhile.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 7_200_000 });
    await list.resumePeople(1);
    vi.useRealTimers();
    // A worker that died is followed by one that resumes again; jobs of an earlier run do nothing.
    await list.resumePeople(1);
    await list.resumePeople(0);

    const deferred = await pool.query(
      `select data, start_after between now() and now() + interval '1 hour' as is_later from queue.job
       where name = 'guessing.prove-deferred.main' and data->>'ownerId' = $1`,
      [list.place.ownerId],
    );
    const data = { ...list.place, run: 1, guessIds: [first?.guessId], attempts: 3 };
    expect(deferred.rows).toEqual([{ data: { ...data, since: since.toISOString() }, is_later: true }]);
    const begun = await pool.query(
      `select distinct data->'guessIds' as ids from queue.job
       where name = 'guessing.prove-list' and data->>'ownerId' = $1 and data->>'run' = '1'`,
      [list.place.ownerId],
    );
    expect(begun.rows).toEqual([{ ids: [second?.guessId] }]);
    expect((await list.read()).waiting).toEqual([
      { host: 'mx.dotted.test', cause: 'mail_host', until: until.toISOString(), count: 1 },
    ]);
  });

  it('is finished: people without an outcome are unknown and cost nothing', async () => {
    const list = await startIdleList();
    await list.prove();

    expect((await list.post('finish')).json()).toMatchObject({ status: 'PENDING', run_state: 'finishing' });
    expect(codeOf(await list.post('pause'))).toBe('list_finishing');
    await list.finishPeople();
    await list.finishPeople();

    expect(await list.read()).toMatchObject({
      status: 'COMPLETE',
      run_state: null,
      guess_metrics: { found: 1, catch_all: 0, not_found: 0, unknown: 1 },
    });
    expect((await list.peopleOf()).map(({ outcome, reason }) => [outcome, reason?.code])).toEqual([
      ['FOUND', 'mailbox_accepted'],
      ['UNKNOWN', 'not_checked'],
    ]);
    expect(await balanceOf(idle, list.customer)).toBe(999);
    expect(codeOf(await list.post('pause'))).toBe('list_complete');
    expect(await audit(idle)).toEqual([]);
  });

  it('is verified again as a new list of its unknown people, once for an Idempotency-Key', async () => {
    const list = await startIdleList();
    expect(codeOf(await list.post('reverify'))).toBe('list_not_complete');
    await list.prove();
    await list.post('finish');
    await list.finishPeople();
    const before = await list.read();
    const headers = { 'idempotency-key': randomUUID() };

    const answers = [await list.post('reverify', headers), await list.post('reverify', headers)];

    const made = answers[0]?.json<GuessList>() as GuessList;
    expect(answers.map((answer) => [answer.statusCode, answer.json().id])).toEqual([
      [201, made.id],
      [201, made.id],
    ]);
    expect(made).toMatchObject({
      total_people: 1,
      excluded_people: { duplicated: 1, non_billable: 0 },
      source_list_id: list.id,
      name: 'people unknown',
      run_state: 'running',
    });
    expect((await list.peopleOf(made.id)).map((guess) => [guess.first_name, guess.status])).toEqual([
      ['John', 'PENDING'],
    ]);
    expect(await list.exported(made.id)).toBe(
      '\ufefffirst name,last name,domain,note,email,result,reason\nJohn,Roe,dotted.test,n2,,,\nJOHN,ROE,dotted.test,n3,,,\n',
    );
    expect(await list.read()).toEqual(before);
    expect(await balanceOf(idle, list.customer)).toBe(998);
    expect(await audit(idle)).toEqual([]);
  });

  it('keeps a list that is verified again until its people are copied, so that no list without people holds credits', async () => {
    const list = await startIdleList();
    await list.prove();
    await list.post('finish');
    await list.finishPeople();
    const { pool } = idle.database;
    const blocker = await pool.connect();
    onTestFinished(() => blocker.release(true));
    await blocker.query('begin');
    await blocker.query('lock table guess_list_rows in access exclusive mode');
    const waiting = async (): Promise<string[]> => {
      const { rows } = await pool.query(
        `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.map(({ query }) => query);
    };
    const made = list.post('reverify');
    await expect.poll(waiting).toHaveLength(1);
    const deleted = idle.call('DELETE', `/guessing/lists/${list.id}`, { token: list.customer.token });
    // For the list itself, not only for the table that is locked here.
    await expect.poll(waiting).toContainEqual(expect.stringMatching(/from lists.* for update/s));
    await blocker.query('commit');

    expect((await deleted).statusCode).toBe(204);
    const copy = (await made).json<GuessList>();
    expect(copy.total_people).toBe(1);
    expect(await list.peopleOf(copy.id)).toHaveLength(1);
  });

  it('names the host that a person waits for, and completes after pause, resume and finish', async () => {
    const customer = await newGuessingCustomer(api);
    const { id } = await startList(
      api,
      customer,
      'first name,last name,domain\nJane,Doe,dotted.test\nAnn,Lee,greylist-never.test\n',
    );
    const { token } = customer;
    const read = async () => (await api.call('GET', `/guessing/lists/${id}`, { token })).json<GuessList>();
    const post = (action: string) => api.call('POST', `/guessing/lists/${id}/${action}`, { token });

    await expect.poll(async () => (await read()).run_state, { timeout: 60_000 }).toBe('waiting');
    expect((await read()).waiting).toMatchObject([
      { host: expect.stringContaining('greylist-never'), count: 1 },
    ]);
    await post('pause');
    await post('resume');
    await post('finish');

    expect(await untilComplete(api, customer, id)).toMatchObject({ guess_metrics: { found: 1, unknown: 1 } });
    expect(await balanceOf(api, customer)).toBe(999);
    expect(await audit(api)).toEqual([]);
  });
});
