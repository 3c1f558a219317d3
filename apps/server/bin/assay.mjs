#!/usr/bin/env node
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Older versions of Node lack what is used below, and would say so in words that help nobody.
const oldestNode = 24;
if (Number(process.versions.node.split('.')[0]) < oldestNode) {
  console.error(
    `assay needs Node ${oldestNode} or newer; this is Node ${process.versions.node}. ` +
      'Run `npx assay`, which finds the Node that was installed with it, or put node_modules/.bin first in PATH.',
  );
  process.exit(1);
}

// The compile cache saves most of a short command's start-up time. It must be on before the first TypeScript file loads, so
// this file is plain JavaScript and imports the rest late. See docs/decisions/toolchain.md.
// Threads do not inherit the cache of their process, but they read this variable.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
module.enableCompileCache();
const { runCommand } = await import('./commands.ts');

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
