import type { PasswordChange } from '@assay/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { IdentityAdmin } from '../../../platform/identity-admin/index.ts';
import { requireAttempt } from '../../../platform/limits/index.ts';
import { findUser } from '../users.service.ts';
import { findIdentitiesOf } from '../users.store.ts';

export interface PasswordParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** Null when the operator gave us no access to the provider's accounts: then nobody can change a password here. */
  readonly identityAdmin: IdentityAdmin | null;
}

/** The identity provider asks for a new password at the next sign-in. */
export async function resetPassword(parts: PasswordParts, userId: string): Promise<void> {
  const { admin, identity } = await findPassword(parts, userId);
  await admin.requireNewPassword(identity.subject);
}

/** Guessing the current password here must be no easier than on the sign-in page. */
const triesPerQuarter = 5;

export async function changePassword(
  parts: PasswordParts,
  userId: string,
  { current_password, new_password }: PasswordChange,
): Promise<void> {
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
  if (answer.isTaken) return;
  throw new AppError(
    'new_password_refused',
    { userId },
    { meta: { field: 'new_password' }, ...(answer.why && { text: answer.why }) },
  );
}

/** Whose password it is at the provider, if there is one that may be changed here. */
async function findPassword({ db, identityAdmin }: PasswordParts, userId: string) {
  const user = await findUser(db, userId);
  const identities = await findIdentitiesOf(db, userId);
  const identity = identities.find(({ providers }) => providers.includes('email'));
  if (!identityAdmin || !identity || !user?.feature_flags.can_change_password) {
    throw new AppError('password_not_changeable', { userId });
  }
  return { admin: identityAdmin, identity };
}
