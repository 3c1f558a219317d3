#!/usr/bin/env node
// The engine's command line without the product around it: what `assay verify` runs, for benches and for trying.
// Plain JavaScript, because a first file in TypeScript loads the type stripper before the cache below is there.
import { enableCompileCache } from 'node:module';

// Stripping types and compiling takes most of a short run's time; the second run finds both done.
enableCompileCache();
const { runVerify } = await import('../src/cli/verify.ts');

process.exitCode = await runVerify(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
