import './users.tables.ts';

export { resolveSubject, type SignInParts } from './sign-in.ts';
export { registerUsersRoutes } from './users.routes.ts';
export { findUser, findUsersByEmail, setFeatureFlag } from './users.service.ts';
