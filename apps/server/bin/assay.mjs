#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// The compile cache saves most of a short command's start-up time. It must be on before the first TypeScript file loads, so
// this file is plain JavaScript and imports the rest late. See docs/decisions/toolchain.md.
enableCompileCache();
const { runCommand } = await import('./commands.ts');

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
