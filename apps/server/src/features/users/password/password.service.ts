import type { PasswordChange } from '@assay/contract';
import type { Person } from '../../../platform/auth/index.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { UserId } from '../../../platform/ids.ts';
import { requireAttempt } from '../../../platform/limits/index.ts';
import { recordActivity } from '../../activity/index.ts';
import { endOtherSessions, type SessionsParts } from '../sessions/sessions.service.ts';
import { findUser } from '../users.service.ts';
import { findIdentitiesOf } from '../users.store.ts';

export interface PasswordParts extends SessionsParts {
  readonly secrets: Secrets;
}

/** The identity provider requires a new password at the next sign-in. Ends every other session. */
export async function resetPassword(parts: PasswordParts, person: Person): Promise<void> {
  const { admin, identity } = await findPassword(parts, person.userId);
  await admin.requireNewPassword(identity.subject);
  await recordActivity(parts.db, person, { kind: 'password.reset', now: parts.clock.now() });
  await endOtherSessions(parts, person);
}

/** Guessing the current password must not be easier here than on the sign-in page. */
const triesPerQuarter = 5;

export async function changePassword(
  parts: PasswordParts,
  person: Person,
  { current_password, new_password }: PasswordChange,
): Promise<void> {
  const { userId } = person;
  const { admin, identity } = await findPassword(parts, userId);
  await requireAttempt(parts, {
    bucket: 'password_change',
    key: userId,
    max: triesPerQuarter,
    windowSeconds: 900,
  });
  const current = await admin.checkPassword({ address: identity.emailAddress, password: current_password });
  if (current === 'expired') throw new AppError('password_reset_pending', { userId });
  if (current === 'wrong') {
    throw new AppError('current_password_wrong', { userId }, { meta: { field: 'current_password' } });
  }
  const answer = await admin.setPassword(identity.subject, new_password);
  if (answer.isTaken) {
    await recordActivity(parts.db, person, { kind: 'password.changed', now: parts.clock.now() });
    return endOtherSessions(parts, person);
  }
  throw new AppError(
    'new_password_refused',
    { userId },
    { meta: { field: 'new_password' }, ...(answer.why && { text: answer.why }) },
  );
}

/** The identity whose password may be changed here; throws if there is none. */
async function findPassword({ db, identityAdmin }: PasswordParts, userId: UserId) {
  const user = await findUser(db, userId);
  const identities = await findIdentitiesOf(db, userId);
  const identity = identities.find(({ providers }) => providers.includes('email'));
  if (!identityAdmin || !identity || !user?.feature_flags.can_change_password) {
    throw new AppError('password_not_changeable', { userId });
  }
  return { admin: identityAdmin, identity };
}
