#!/usr/bin/env node
// Starts Firefox with the arguments of Playwright, and relays WebDriver BiDi between the two. Playwright always sets the emulated
// media features, which Firefox does not implement yet; the relay answers that command by itself. Delete it once Firefox does.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import WebSocket, { WebSocketServer } from 'ws';

const answeredHere = 'emulation.setMediaFeaturesOverride';

const firefox = spawn(process.env.FIREFOX_PATH, process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
});
firefox.once('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => firefox.kill(signal));

createInterface({ input: firefox.stderr }).on('line', async (line) => {
  const [, address] = /^WebDriver BiDi listening on (ws:\/\/\S+)$/.exec(line) ?? [];
  console.error(address ? line.replace(address, await relayTo(address)) : line);
});

/** Returns the address of the relay. */
function relayTo(address) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (playwright, { url }) => {
    const upstream = new WebSocket(`${address}${url}`);
    const waiting = [];
    const forward = (text) =>
      upstream.readyState === WebSocket.OPEN ? upstream.send(text) : waiting.push(text);
    upstream.on('open', () => {
      for (const text of waiting.splice(0)) upstream.send(text);
    });
    playwright.on('message', (bytes) => {
      const { id, method } = JSON.parse(String(bytes));
      if (method === answeredHere) playwright.send(JSON.stringify({ type: 'success', id, result: {} }));
      else forward(String(bytes));
    });
    upstream.on('message', (bytes) => playwright.send(String(bytes)));
    upstream.on('close', () => playwright.close());
    playwright.on('close', () => upstream.close());
  });
  return new Promise((resolve) => {
    server.once('listening', () => resolve(`ws://127.0.0.1:${server.address().port}`));
  });
}
