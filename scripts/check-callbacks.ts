// No error may end a process because nothing listens to it: sockets, servers, processes, threads and connections need a
// listener of 'error', and callbacks that nothing awaits must not be async. There are no exceptions.
import { globSync } from 'node:fs';
import { findUncaught } from './lib/find-uncaught.ts';

const files = ['apps/server/{src,bin}/**/*.ts', 'packages/*/src/**/*.ts']
  .flatMap((pattern) => globSync(pattern))
  .filter((file) => !/\.test\.ts$|\/testing\//.test(file));
const complaints = files.flatMap((file) => findUncaught(file));

for (const complaint of complaints) console.error(complaint);
console.log(`${files.length} files, ${complaints.length} errors without a listener`);
process.exitCode = complaints.length === 0 && files.length > 0 ? 0 : 1;
