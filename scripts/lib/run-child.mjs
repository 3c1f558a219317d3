// Runs one program at a time and forwards every request to stop. Plain JavaScript without dependencies, because it runs
// before the install.
import { spawn } from 'node:child_process';

const parentCheckMs = 500;

let current = null;
let isStopAsked = false;

/** Runs a program until it ends and answers its exit code. A request to stop reaches the program and then ends us too. */
export function runChild(command, args, options) {
  return new Promise((resolve) => {
    current = spawn(command, args, options);
    current.once('error', (error) => {
      console.error(`${command} does not start: ${error.message}`);
      resolve(1);
    });
    current.once('exit', (code) => {
      current = null;
      if (isStopAsked) process.exit(code ?? 1);
      resolve(code ?? 1);
    });
  });
}

function stop(signal) {
  isStopAsked = true;
  if (current) current.kill(signal);
  else process.exit(1);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));

// npm forwards SIGINT and SIGTERM, but cannot forward its own SIGKILL. Without npm, the product may outlive the shell.
if (process.env.npm_lifecycle_event) {
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    stop('SIGTERM');
  }, parentCheckMs);
  watch.unref();
}
