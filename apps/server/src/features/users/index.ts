import './api-keys/key-calls.tables.ts';
import './users.tables.ts';

export {
  createKeyResolver,
  describeKeys,
  listKeysWithoutSecrets,
  renewKeys,
} from './api-keys/api-keys.service.ts';
export { exportKeyCalls, recordKeyCalls } from './api-keys/key-calls.ts';
export { kindOfToken } from './api-keys/key-token.ts';
export { mailFarewellJob } from './farewell.jobs.ts';
export { findMailAddress, findReceiptAddress, type MailKind } from './mail-recipient.store.ts';
export { createSignInRecorder } from './sessions/record-sign-ins.ts';
export { recordTwoStepChange } from './sessions/record-two-step.ts';
export { describeSignIns } from './sessions/sessions.service.ts';
export { createSubjectResolver, type SignInParts } from './sign-in.ts';
export { lockUser, removeUser } from './user-removal.store.ts';
export { registerUsersRoutes } from './users.routes.ts';
export {
  type ActingPerson,
  changeStanding,
  findUser,
  findUsersByEmail,
  readPhone,
  setFeatureFlag,
  setMissingPhone,
  updateProfile,
} from './users.service.ts';
export { findIdentitiesOf, isSubjectKnown } from './users.store.ts';
