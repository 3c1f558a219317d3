import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { type DecodedPacket, decode, encode } from 'dns-packet';
import { afterEach, describe, expect, it } from 'vitest';
import { Conduct } from '../conduct.ts';
import { parseZone } from '../zone/parse.ts';
import { createForwarder } from './forwarder.ts';
import { type DnsServer, startDnsServer } from './server.ts';

const servers: DnsServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serverFor(zone: string, upstream?: string): Promise<string> {
  const server = await startDnsServer({
    host: '127.0.0.1',
    port: 0,
    names: { zone: parseZone(zone), addressOf: () => '127.77.0.1' },
    conduct: new Conduct(),
    forwarder: upstream === undefined ? undefined : createForwarder([upstream]),
  });
  servers.push(server);
  return `127.0.0.1:${server.port}`;
}

const resolverOn = (dns: string) => {
  const resolver = new Resolver();
  resolver.setServers([dns]);
  return resolver;
};

describe('forwarding', () => {
  it('asks the system for names outside .test, and answers .test itself', async () => {
    // The upstream is an echo: whatever is asked, it answers NXDOMAIN.
    const upstream = createSocket('udp4');
    upstream.on('message', (bytes, peer) => {
      const response = Buffer.from(bytes);
      response.writeUInt16BE(0x8183, 2);
      upstream.send(response, peer.port, peer.address);
    });
    upstream.bind(0, '127.0.0.1');
    await once(upstream, 'listening');
    const resolver = resolverOn(
      await serverFor('domain a.test accepts jane', `127.0.0.1:${upstream.address().port}`),
    );
    await expect(resolver.resolveMx('example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(await resolver.resolveMx('a.test')).toMatchObject([{ exchange: 'mx.a.test' }]);
    upstream.close();
  });

  it('passes a long answer on by TCP', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `absent.host-with-a-long-name-${index}.test`).join(
      ' ',
    );
    const upstream = await serverFor(`domain long.test mx ${names}`);
    const forwarder = createForwarder([upstream]);
    const query = encode({ id: 5, type: 'query', questions: [{ name: 'long.test', type: 'MX' }] });
    const byTcp = await forwarder.ask(query, 'tcp');
    expect(decode(byTcp as Buffer).answers).toHaveLength(30);
    const byUdp = await forwarder.ask(query, 'udp');
    expect(decode(byUdp as Buffer).answers).toHaveLength(0);
  });

  it('says SERVFAIL when the system has no resolver or its resolver is not there', async () => {
    const gone = createSocket('udp4');
    gone.bind(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address();
    gone.close();
    const resolver = resolverOn(await serverFor('domain a.test accepts jane', `127.0.0.1:${port}`));
    await expect(resolver.resolveMx('example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
    expect(await createForwarder([]).ask(Buffer.alloc(12), 'udp')).toBe('unreachable');
  });

  it.each(['udp', 'tcp'] as const)(
    'says so by %s when there is no route to the resolver',
    async (transport) => {
      // The system refuses to connect to the broadcast address at once, as it does where it has no route.
      const forwarder = createForwarder(['255.255.255.255']);
      const query = encode({ id: 5, type: 'query', questions: [{ name: 'example.com', type: 'MX' }] });
      expect(await forwarder.ask(query, transport)).toBe('unreachable');
      expect(await forwarder.ask(query, transport)).toBe('unreachable');
    },
  );

  it('answers SERVFAIL with the extended error Not Ready when there is no route, also without EDNS', async () => {
    const dns = await serverFor('domain a.test accepts jane', '255.255.255.255');
    const client = createSocket('udp4');
    const query = encode({ id: 5, type: 'query', questions: [{ name: 'example.com', type: 'MX' }] });
    client.send(query, Number(dns.split(':')[1]), '127.0.0.1');
    const [response] = await once(client, 'message');
    client.close();
    const packet = decode(response) as DecodedPacket & { rcode: string };
    expect(packet.rcode).toBe('SERVFAIL');
    expect(packet.additionals).toMatchObject([
      { type: 'OPT', options: [{ code: 15, data: Buffer.from([0, 14]) }] },
    ]);
  });

  it('lets go of questions that wait when it is closed', async () => {
    const mute = createSocket('udp4');
    mute.bind(0, '127.0.0.1');
    await once(mute, 'listening');
    const forwarder = createForwarder([`127.0.0.1:${mute.address().port}`]);
    const answer = forwarder.ask(Buffer.alloc(12), 'udp');
    await once(mute, 'message');
    forwarder.close();
    expect(await answer).toBeUndefined();
    mute.close();
  });

  it('sends nothing to a client whose question was with the resolver when the world closed', async () => {
    const mute = createSocket('udp4');
    mute.bind(0, '127.0.0.1');
    await once(mute, 'listening');
    const dns = await serverFor('domain a.test accepts jane', `127.0.0.1:${mute.address().port}`);
    const resolver = resolverOn(dns);
    const unanswered = resolver.resolveMx('example.com').catch((error: Error) => error);
    await once(mute, 'message');
    await Promise.all(servers.splice(0).map((server) => server.close()));
    resolver.cancel();
    expect(await unanswered).toMatchObject({ code: 'ECANCELLED' });
    mute.close();
  });
});
