#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Most of a short command's time is spent on stripping types and compiling; the second run finds both done. Hence the late
// import, and plain JavaScript here: a first file in TypeScript loads the type stripper before the cache is there.
enableCompileCache();
const { runCommand } = await import('./commands.ts');

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
