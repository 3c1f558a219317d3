#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Most of a short command's time is spent compiling; the second run finds that done. Hence the late import, too.
enableCompileCache();
const { runCommand } = await import('./commands.ts');

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
