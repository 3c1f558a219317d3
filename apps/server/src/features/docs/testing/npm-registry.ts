import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const modules = fileURLToPath(new URL('../../../../../../node_modules', import.meta.url));

/** A registry of npm on loopback with packages of our own install, so that `npm install` needs no network. */
export async function startRegistry(folder: string, names: readonly string[]) {
  const archives = new Map<string, Buffer>();
  const packages = new Map<string, object>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const archive = archives.get(path);
    const found = archive ?? (packages.has(path) ? JSON.stringify(packages.get(path)) : null);
    response.writeHead(found === null ? 404 : 200, {
      'content-type': archive ? 'application/gzip' : 'application/json',
    });
    response.end(found ?? '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const name of names) {
    const packed = ['pack', join(modules, name), '--pack-destination', folder, '--json', '--silent'];
    const [{ filename, integrity }] = JSON.parse((await execute('npm', packed)).stdout);
    archives.set(filename, await readFile(join(folder, filename)));
    const manifest = JSON.parse(await readFile(join(modules, name, 'package.json'), 'utf8'));
    packages.set(name, {
      name,
      'dist-tags': { latest: manifest.version },
      versions: { [manifest.version]: { ...manifest, dist: { tarball: `${url}/${filename}`, integrity } } },
    });
  }
  return { url, close: () => new Promise((resolve) => server.close(resolve)) };
}
