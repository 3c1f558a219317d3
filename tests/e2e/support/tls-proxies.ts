import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import { certificateName, readCertificate } from '@assay/mail-world';

/** Where a proxy ends TLS, and where it leads to. */
export interface ProxyPlace {
  readonly port: number;
  readonly apiPort: number;
}

type StopProxy = () => Promise<void>;
type StartProxy = (place: ProxyPlace) => Promise<StopProxy>;

const example = (name: string) => readFile(new URL(`../../../deploy/proxy/${name}`, import.meta.url), 'utf8');

/** The least that a proxy must do, so that this is tested where neither nginx nor Caddy is installed. */
export const startNodeProxy: StartProxy = async ({ port, apiPort }) => {
  const sockets = new Set<Duplex>();
  const server = createServer(readCertificate(), (incoming, answer) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress };
    const { method, url: path } = incoming;
    const outgoing = request({ host: '127.0.0.1', port: apiPort, method, path, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  });
  server.on('upgrade', ({ url, rawHeaders }, client, head) => {
    const lines = rawHeaders.flatMap((text, at) => (at % 2 ? [] : [`${text}: ${rawHeaders[at + 1]}`]));
    const upstream = connectPlain(apiPort, '127.0.0.1');
    for (const socket of [client, upstream] as Duplex[]) socket.on('error', () => socket.destroy());
    upstream.write([`GET ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
    upstream.write(head);
    client.pipe(upstream).pipe(client);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
};

/** nginx with deploy/proxy/nginx.conf, whose names, ports and files are replaced. */
export const startNginx: StartProxy = (place) =>
  inFolder(place, async (folder) => {
    const site = replaceAll(await example('nginx.conf'), {
      'listen 80;': `listen 127.0.0.1:${place.port + 1};`,
      'listen 443 ssl;': `listen 127.0.0.1:${place.port} ssl;`,
      '/etc/letsencrypt/live/verify.example.com/fullchain.pem': join(folder, 'certificate.pem'),
      '/etc/letsencrypt/live/verify.example.com/privkey.pem': join(folder, 'key.pem'),
      '127.0.0.1:3000': `127.0.0.1:${place.apiPort}`,
      'verify.example.com': certificateName,
    });
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
      .join(' ');
    const config = `daemon off; pid ${join(folder, 'pid')}; error_log stderr warn; events {} http { access_log off; ${temporary}\n${site}}`;
    await writeFile(join(folder, 'nginx.conf'), config);
    return spawn('nginx', ['-e', 'stderr', '-c', join(folder, 'nginx.conf')], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  });

/** Caddy with deploy/proxy/Caddyfile. Its certificate is ours, because no public authority knows the name. */
export const startCaddy: StartProxy = (place) =>
  inFolder(place, async (folder) => {
    const site = replaceAll(await example('Caddyfile'), {
      'verify.example.com {': `https://${certificateName}:${place.port} {\n\ttls ${join(folder, 'certificate.pem')} ${join(folder, 'key.pem')}`,
      '127.0.0.1:3000': `127.0.0.1:${place.apiPort}`,
    });
    const options =
      '{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n\tlog {\n\t\tlevel ERROR\n\t}\n}\n';
    await writeFile(join(folder, 'Caddyfile'), options + site);
    return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
      env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  });

/** Every text must be there, so that the example cannot change without the test. */
function replaceAll(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`The example has no '${from}'.`);
    return changed.replaceAll(from, to);
  }, text);
}

async function inFolder(
  { port }: ProxyPlace,
  start: (folder: string) => Promise<ChildProcess>,
): Promise<StopProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-proxy-'));
  const { key, cert } = readCertificate();
  await writeFile(join(folder, 'certificate.pem'), cert);
  await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 });
  const proxy = await start(folder);
  const exited = once(proxy, 'exit');
  await Promise.race([
    untilItAnswers(port, cert),
    exited.then(([code]) => Promise.reject(new Error(`The proxy ended with ${code}.`))),
  ]);
  return async () => {
    proxy.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
}

async function untilItAnswers(port: number, ca: Buffer): Promise<void> {
  for (;;) {
    const socket = connect({ host: '127.0.0.1', port, servername: certificateName, ca });
    const isUp = await once(socket, 'secureConnect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isUp) return;
    await pause(50);
  }
}
