export { runExplain } from './explain.ts';
export type { CliDefaults, CliIo } from './io.ts';
export { runVerify } from './verify.ts';
