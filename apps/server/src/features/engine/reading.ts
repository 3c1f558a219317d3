// What jobs on reading threads need of the engine: nothing here loads the database.
export { isTestDomain } from './health/test-domain.ts';
