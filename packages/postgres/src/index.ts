export { guardOrphan } from './orphan-guard.ts';
export { makePrivate } from './reachable-folder.ts';
export { type Postgres, type PostgresOptions, startPostgres } from './server.ts';
