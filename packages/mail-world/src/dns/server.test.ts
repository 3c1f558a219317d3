import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { decode, encode, type Packet, type RecordType, streamDecode, streamEncode } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailWorld, startMailWorld } from '../index.ts';

const longList = Array.from({ length: 30 }, (_, index) => `absent.host-with-a-long-name-${index}.test`).join(
  ' ',
);
const zone = `
host   mx.one.test
host   mx.six.test address ::1 fd00::1
host   mx.alias.test alias mx.one.test
host   mx.mixed.test address 10.0.0.1 self
domain one.test     mx 20:mx.mixed.test 10:mx.one.test; ttl 1m
domain own.test     accepts jane
domain bare.test    accepts jane; a-only
domain null.test    null-mx
domain empty.test   no-mail
domain alias.test   cname one.test
domain loop-a.test  cname loop-b.test
domain loop-b.test  cname loop-a.test
domain fail.test    dns servfail
domain lame.test    dns refused
domain mute.test    dns timeout
domain lossy.test   mx mx.one.test; dns lossy
domain bücher.test  accepts jane
domain long.test    mx ${longList}
`;

let world: MailWorld;
let resolver: Resolver;

beforeAll(async () => {
  world = await startMailWorld({ zone });
  resolver = new Resolver();
  resolver.setServers([world.dns]);
});
afterAll(() => world.close());

/** For questions of which one at least goes unanswered. */
function impatientResolver(tries: number): Resolver {
  const impatient = new Resolver({ timeout: 100, tries });
  impatient.setServers([world.dns]);
  return impatient;
}

const query = (name: string, type: RecordType, udpPayloadSize?: number): Packet => ({
  id: 7,
  type: 'query',
  questions: [{ name, type, class: 'IN' }],
  additionals:
    udpPayloadSize === undefined
      ? []
      : [
          {
            type: 'OPT',
            name: '.',
            udpPayloadSize,
            flags: 0,
            options: [],
            extendedRcode: 0,
            ednsVersion: 0,
            flag_do: false,
          },
        ],
});

function port(): number {
  return Number(world.dns.split(':')[1]);
}

async function askByUdp(bytes: Buffer): Promise<Packet & { rcode?: string; flag_tc?: boolean }> {
  const socket = createSocket('udp4');
  socket.send(bytes, port(), '127.0.0.1');
  const [response] = await once(socket, 'message');
  socket.close();
  return decode(response);
}

describe('the DNS of the world', () => {
  it('answers MX by preference with TTLs, and the addresses of hosts', async () => {
    const { answers } = await askByUdp(encode(query('one.test', 'MX')));
    expect(answers).toEqual([
      expect.objectContaining({ ttl: 60, data: { preference: 20, exchange: 'mx.mixed.test' } }),
      expect.objectContaining({ ttl: 60, data: { preference: 10, exchange: 'mx.one.test' } }),
    ]);
    expect(await resolver.resolve4('mx.one.test')).toEqual([world.addressOf('mx.one.test')]);
    expect(await resolver.resolve4('mx.mixed.test')).toEqual(['10.0.0.1', world.addressOf('mx.mixed.test')]);
    expect(await resolver.resolve6('mx.six.test')).toEqual(['::1', 'fd00::1']);
    await expect(resolver.resolve4('mx.six.test')).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it('gives a domain without a route a host of its own, and an a-only domain its own address', async () => {
    expect(await resolver.resolveMx('own.test')).toMatchObject([{ exchange: 'mx.own.test', priority: 10 }]);
    await expect(resolver.resolveMx('bare.test')).rejects.toMatchObject({ code: 'ENODATA' });
    expect(await resolver.resolve4('bare.test')).toEqual([world.addressOf('bare.test')]);
  });

  it('answers NXDOMAIN, no data, null MX, SERVFAIL, REFUSED and silence differently', async () => {
    await expect(resolver.resolveMx('nowhere.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolver.resolveMx('empty.test')).rejects.toMatchObject({ code: 'ENODATA' });
    expect(await resolver.resolveMx('null.test')).toMatchObject([{ exchange: '', priority: 0 }]);
    await expect(resolver.resolveMx('fail.test')).rejects.toMatchObject({ code: 'ESERVFAIL' });
    await expect(resolver.resolveMx('lame.test')).rejects.toMatchObject({ code: 'EREFUSED' });
    await expect(impatientResolver(2).resolveMx('mute.test')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  });

  it('loses the first question where the zone is lossy, and answers the next', async () => {
    // As many as it takes on a busy machine.
    expect(await impatientResolver(10).resolveMx('lossy.test')).toMatchObject([{ exchange: 'mx.one.test' }]);
  });

  it('puts the SOA with the time to remember into negative answers', async () => {
    for (const name of ['nowhere.test', 'empty.test']) {
      const { answers, authorities } = await askByUdp(encode(query(name, 'MX')));
      expect(answers).toEqual([]);
      expect(authorities).toMatchObject([{ type: 'SOA', name: 'test', ttl: 30, data: { minimum: 30 } }]);
    }
  });

  it('says of a name with children only that it exists', async () => {
    expect((await askByUdp(encode(query('test', 'MX')))).rcode).toBe('NOERROR');
    expect((await askByUdp(encode(query('x.one.test', 'MX')))).rcode).toBe('NXDOMAIN');
  });

  it('follows aliases of domains and of hosts, and gives up on a loop', async () => {
    const { answers } = await askByUdp(encode(query('alias.test', 'MX')));
    expect(answers?.map(({ type, name }) => `${type} ${name}`)).toEqual([
      'CNAME alias.test',
      'MX one.test',
      'MX one.test',
    ]);
    expect(await resolver.resolve4('mx.alias.test')).toEqual([world.addressOf('mx.one.test')]);
    const loop = await askByUdp(encode(query('loop-a.test', 'MX')));
    expect(loop.answers?.every(({ type }) => type === 'CNAME')).toBe(true);
  });

  it('takes names in any capitals, echoes them, and knows internationalised ones as A-labels', async () => {
    const response = await askByUdp(encode(query('OnE.TeSt', 'MX')));
    expect(response.questions?.[0]?.name).toBe('OnE.TeSt');
    expect(response.answers).toHaveLength(2);
    expect(await resolver.resolveMx('xn--bcher-kva.test')).toMatchObject([
      { exchange: 'mx.xn--bcher-kva.test' },
    ]);
  });

  it('truncates by UDP at 512 octets, or at what the client can take, and answers in full by TCP', async () => {
    const short = await askByUdp(encode(query('long.test', 'MX')));
    expect(short).toMatchObject({ flag_tc: true, answers: [] });
    const longer = await askByUdp(encode(query('long.test', 'MX', 4096)));
    expect(longer.flag_tc).toBe(true);
    expect(longer.additionals).toMatchObject([{ type: 'OPT', udpPayloadSize: 1232 }]);
    expect(await resolver.resolveMx('long.test')).toHaveLength(30);
    const fits = await askByUdp(encode(query('one.test', 'MX', 1232)));
    expect(fits.flag_tc).toBe(false);
  });

  it('reads questions by TCP however they are cut up, several on one connection', async () => {
    const socket = connect(port(), '127.0.0.1');
    const bytes = Buffer.concat([
      streamEncode(query('one.test', 'MX')),
      streamEncode({ ...query('nowhere.test', 'A'), id: 8 }),
    ]);
    for (const byte of bytes) socket.write(Buffer.from([byte]));
    let received = Buffer.alloc(0);
    const ids: (number | undefined)[] = [];
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        ids.push(streamDecode(received.subarray(0, end)).id);
        received = received.subarray(end);
      }
      if (ids.length === 2) break;
    }
    expect(ids).toEqual([7, 8]);
  });

  it('drops packets that are no question, and keeps running', async () => {
    const socket = createSocket('udp4');
    socket.send(Buffer.from('not DNS at all'), port(), '127.0.0.1');
    socket.send(encode({ type: 'response', id: 1, questions: [] }), port(), '127.0.0.1');
    socket.send(encode({ ...query('own.test', 'MX'), id: 99 }), port(), '127.0.0.1');
    const [response] = await once(socket, 'message');
    expect(decode(response).id).toBe(99);
    socket.close();
  });

  it('refuses names outside .test unless forwarding is on', async () => {
    expect((await askByUdp(encode(query('example.com', 'MX')))).rcode).toBe('REFUSED');
    expect((await askByUdp(encode(query('latest', 'MX')))).rcode).toBe('REFUSED');
  });

  it('counts questions by type', async () => {
    world.conduct.reset();
    await resolver.resolveMx('own.test');
    await resolver.resolve4('mx.own.test');
    expect(world.conduct.questions).toEqual({ MX: 1, A: 1 });
  });
});
