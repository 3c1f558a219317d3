#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The compile cache saves most of a short command's start-up time. It must be on before the first TypeScript file loads, so
// this file is plain JavaScript and imports the rest late. See docs/decisions/toolchain.md.
// Threads do not inherit the cache of their process, but they read this variable.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
enableCompileCache();
const { runCommand } = await import('./commands.ts');

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
