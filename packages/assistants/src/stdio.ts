import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type AssistantParts, createToolServer } from './tool-server.ts';

/** Serves the tools on standard input and output until the input ends. */
export function serveAssistant(parts: AssistantParts): Promise<void> {
  return new Promise((resolve) => {
    const served = serveStdio(() => createToolServer(parts));
    process.stdin.once('end', () => {
      served.close().then(resolve, resolve);
    });
  });
}
