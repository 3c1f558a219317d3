import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Queryable } from './database.ts';

/** What an interaction waits for between its first page and its end. */
export type PendingStep =
  | { kind: 'prove_sign_up'; email: string; firstName: string; lastName: string; passwordHash: string }
  | { kind: 'prove_google'; email: string; firstName: string; lastName: string }
  | { kind: 'prove_account'; email: string; accountId: string }
  | { kind: 'prove_for_reset'; email: string; accountId: string | null }
  | { kind: 'second_factor'; accountId: string; leadsTo: AfterSecondFactor }
  | { kind: 'new_password'; accountId: string };

/** Waits for a code that was mailed. */
export type CodeStep = Extract<PendingStep, { email: string }>;
export const isCodeStep = (step: PendingStep | undefined): step is CodeStep =>
  step !== undefined && 'email' in step;

export type AfterSecondFactor = 'sign_in' | 'new_password';

export const codeLifeMinutes = 10;
const newPasswordLifeMinutes = 30;
const secondFactorLifeMinutes = 10;
const codeAttemptsMax = 5;

export type CodeCheck =
  | { isRight: true; step: CodeStep }
  | { isRight: false; reason: 'wrong'; attemptsLeft: number }
  | { isRight: false; reason: 'used_up' };

export class PendingSteps {
  readonly #database: Queryable;
  readonly #pepper: Buffer;
  readonly #now: () => Date;

  constructor(database: Queryable, { pepper, now }: { pepper: Buffer; now: () => Date }) {
    this.#database = database;
    this.#pepper = pepper;
    this.#now = now;
  }

  async awaitNewPassword(interactionUid: string, accountId: string): Promise<void> {
    const step: PendingStep = { kind: 'new_password', accountId };
    await this.#put(interactionUid, step, { codeHash: null, lifeMinutes: newPasswordLifeMinutes });
  }

  async awaitSecondFactor(
    interactionUid: string,
    accountId: string,
    leadsTo: AfterSecondFactor,
  ): Promise<void> {
    const step: PendingStep = { kind: 'second_factor', accountId, leadsTo };
    await this.#put(interactionUid, step, { codeHash: null, lifeMinutes: secondFactorLifeMinutes });
  }

  /** Starts the wait for a code and answers the code, to be sent and then forgotten. */
  async awaitCode(interactionUid: string, step: CodeStep): Promise<string> {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    await this.#put(interactionUid, step, {
      codeHash: this.#hashCode(interactionUid, code),
      lifeMinutes: codeLifeMinutes,
    });
    return code;
  }

  /** Looks just like waiting for a code, but no code is right: the page must not show who has an account. */
  async awaitCodeInVain(interactionUid: string, step: CodeStep): Promise<void> {
    await this.#put(interactionUid, step, { codeHash: null, lifeMinutes: codeLifeMinutes });
  }

  async find(interactionUid: string): Promise<PendingStep | undefined> {
    const { rows } = await this.#database.query<{ step: PendingStep }>(
      'SELECT step FROM identity.pending_steps WHERE interaction_uid = $1 AND expires_at > $2',
      [interactionUid, this.#now()],
    );
    return rows[0]?.step;
  }

  /** Every look costs an attempt, counted before the comparison; a right code works once. */
  async checkCode(interactionUid: string, code: string): Promise<CodeCheck> {
    const { rows } = await this.#database.query<{
      step: CodeStep;
      code_hash: string | null;
      attempts_left: number;
    }>(
      `UPDATE identity.pending_steps SET attempts_left = attempts_left - 1
       WHERE interaction_uid = $1 AND expires_at > $2 AND attempts_left > 0 AND step ? 'email'
       RETURNING step, code_hash, attempts_left`,
      [interactionUid, this.#now()],
    );
    const row = rows[0];
    if (!row) return { isRight: false, reason: 'used_up' };

    const expected = Buffer.from(row.code_hash ?? '');
    const given = Buffer.from(this.#hashCode(interactionUid, code));
    if (expected.length === given.length && timingSafeEqual(expected, given)) {
      const { rowCount } = await this.#database.query(
        'DELETE FROM identity.pending_steps WHERE interaction_uid = $1 AND code_hash = $2',
        [interactionUid, row.code_hash],
      );
      if (rowCount === 1) return { isRight: true, step: row.step };
    }
    return row.attempts_left > 0
      ? { isRight: false, reason: 'wrong', attemptsLeft: row.attempts_left }
      : { isRight: false, reason: 'used_up' };
  }

  async end(interactionUid: string): Promise<void> {
    await this.#database.query('DELETE FROM identity.pending_steps WHERE interaction_uid = $1', [
      interactionUid,
    ]);
  }

  async #put(
    interactionUid: string,
    step: PendingStep,
    { codeHash, lifeMinutes }: { codeHash: string | null; lifeMinutes: number },
  ): Promise<void> {
    await this.#database.query(
      `INSERT INTO identity.pending_steps (interaction_uid, step, code_hash, attempts_left, expires_at)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (interaction_uid) DO UPDATE SET step = excluded.step, code_hash = excluded.code_hash,
         attempts_left = excluded.attempts_left, expires_at = excluded.expires_at`,
      [
        interactionUid,
        step,
        codeHash,
        codeAttemptsMax,
        new Date(this.#now().getTime() + lifeMinutes * 60_000),
      ],
    );
  }

  #hashCode(interactionUid: string, code: string): string {
    return createHmac('sha256', this.#pepper).update(`code\0${interactionUid}\0${code}`).digest('base64url');
  }
}
