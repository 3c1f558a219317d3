import { randomUUID } from 'node:crypto';
import type { Guess, GuessOrder } from '@assay/contract';
import type { Caller } from '../../platform/auth/index.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError, type ErrorCode } from '../../platform/errors/index.ts';
import { answerOnce, type IdempotentCall } from '../../platform/idempotency/idempotency.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import { keepAccount } from '../accounts/index.ts';
import { paidWork, payingKeyOf } from '../billing/index.ts';
import type { Availability } from '../engine/index.ts';
import { type DomainLimitParts, takePlaceAtDomain } from './domain-limit.ts';
import { guessAnswer } from './guess-answer.ts';
import { type GuessedPerson, type PersonProblem, readPerson } from './guess-person.ts';
import { insertSingleGuess } from './guesses.store.ts';
import { proveSingleJob } from './guessing.jobs.ts';

export interface StartParts extends DomainLimitParts {
  readonly db: Db;
  readonly queue: JobQueue;
  readonly availability: Availability;
}

/** Starts the guess of one person: holds its credit and enqueues its job in one transaction. */
export async function startGuess(
  parts: StartParts,
  caller: Caller,
  order: GuessOrder,
  call: IdempotentCall | null,
): Promise<Guess> {
  const { accountId: ownerId } = caller;
  const person = requirePerson(order);
  const now = parts.clock.now();
  const place = { ownerId, guessId: randomUUID() };
  const work = paidWork({ kind: 'guess', ownerId, id: place.guessId, apiKey: payingKeyOf(caller) });
  return answerOnce(parts.db, call, now, async (tx) => {
    await keepAccount(tx, ownerId);
    await parts.availability.requireFor(tx, [person.domain]);
    if (!(await takePlaceAtDomain(tx, parts, { ownerId, domain: person.domain }))) {
      throw new AppError('guess_domain_limit', {}, { meta: { field: 'domain' } });
    }
    const guess = await insertSingleGuess(tx, place, person, now);
    await parts.queue.enqueue(tx, proveSingleJob, { ownerId, guessIds: [place.guessId] });
    await work.hold(tx, 1, now);
    return guessAnswer(guess);
  });
}

const refusals: Readonly<Record<PersonProblem, { code: ErrorCode; field: string }>> = {
  name_missing: { code: 'guess_name_required', field: 'first_name' },
  name_not_latin: { code: 'guess_name_not_latin', field: 'first_name' },
  // The schema of the call already refuses a missing domain; this is for other callers.
  domain_missing: { code: 'invalid_request', field: 'domain' },
  domain_not_company: { code: 'guess_domain_not_company', field: 'domain' },
};

function requirePerson({ first_name, last_name, linkedin_url, domain }: GuessOrder): GuessedPerson {
  const person = readPerson({
    firstName: first_name,
    lastName: last_name,
    linkedinUrl: linkedin_url,
    domain,
  });
  if (typeof person !== 'string') return person;
  const { code, field } = refusals[person];
  throw new AppError(code, { problem: person }, { meta: { field } });
}
