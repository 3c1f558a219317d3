import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createVerifier, type Verifier, type VerifierOptions } from '../verifier.ts';
import { a, mx, startScriptedDns } from './dns-server.ts';

/** A verifier to which every domain's mail host is one loopback socket, driven byte by byte; gone when the test ends. */
export async function verifierOfRawHost(
  onConnection: (socket: Socket) => void,
  options: VerifierOptions = {},
): Promise<Verifier> {
  const open = new Set<Socket>();
  const host = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    onConnection(socket);
  });
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  const { port } = host.address() as AddressInfo;
  const { server } = await startScriptedDns((question) => {
    const [type, name = ''] = question.split(' ');
    if (type === 'MX') return { answers: [mx(name, 'mx.raw.test')] };
    return type === 'A' ? { answers: [a(name, '127.0.0.1')] } : {};
  });
  const verifier = createVerifier({
    dns: [server],
    allowRanges: [`127.0.0.1@${port}`],
    helo: 'probe.example.com',
    ...options,
  });
  onTestFinished(async () => {
    await verifier.close();
    for (const socket of open) socket.destroy();
    host.close();
  });
  return verifier;
}

/** Answers commands line by line with what the test wrote down. */
export function answerLines(socket: Socket, answer: (line: string) => string | undefined): void {
  let rest = '';
  socket.on('data', (bytes) => {
    const lines = (rest + bytes).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const reply = answer(line);
      if (reply !== undefined) socket.write(reply);
    }
  });
}
