import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Answer, Question } from 'dns-packet';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../clock.ts';
import { a, aaaa, cname, type DnsScript, mx, soa, startScriptedDns } from '../testing/dns-server.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { createResolver, type ResolverOptions } from './resolver.ts';

/** Time stands still unless a test says otherwise, so that a slow machine repeats no question. */
async function resolverFor(script: DnsScript, options: Partial<ResolverOptions> = {}) {
  const { server, asked, queries } = await startScriptedDns(script);
  const resolver = createResolver({
    servers: [server],
    clock: new ManualClock(),
    timeoutMs: 2_000,
    ...options,
  });
  onTestFinished(() => resolver.close());
  return { resolver, asked, queries };
}

const found = { answers: [mx('example.com', 'MX.Example.com.')] };

/** A port that was free a moment ago. */
async function closedPort() {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const server = `127.0.0.1:${socket.address().port}`;
  return { server, close: () => new Promise<void>((resolve) => socket.close(() => resolve())) };
}

describe('the resolver', () => {
  it('asks once however many ask at the same time', async () => {
    const { resolver, asked } = await resolverFor(() => found);
    const answers = await Promise.all(Array.from({ length: 50 }, () => resolver.mx('example.com')));
    expect(asked).toEqual(['MX example.com']);
    expect(answers[49]).toMatchObject({
      status: 'found',
      records: [{ preference: 10, exchange: 'mx.example.com' }],
    });
  });

  it('remembers an answer for its TTL and no longer', async () => {
    const clock = new ManualClock();
    const { resolver, asked } = await resolverFor(() => found, { clock });
    await resolver.mx('example.com');
    clock.advance(299_000);
    await resolver.mx('example.com');
    expect(asked).toHaveLength(1);
    clock.advance(2_000);
    await resolver.mx('example.com');
    expect(asked).toHaveLength(2);
  });

  it('asks again at the moment at which the TTL ends', async () => {
    const clock = new ManualClock();
    const { resolver, asked } = await resolverFor(() => found, { clock });
    await resolver.mx('example.com');
    clock.advance(300_000);
    await resolver.mx('example.com');
    expect(asked).toHaveLength(2);
  });

  it('remembers a no for as long as the zone says (RFC 2308)', async () => {
    const clock = new ManualClock();
    const script = () => ({ rcode: 3, authorities: [soa('example.com', 120, 900)] });
    const { resolver, asked } = await resolverFor(script, { clock });
    expect(await resolver.mx('example.com')).toMatchObject({ status: 'no_such_name' });
    clock.advance(119_000);
    await resolver.mx('example.com');
    expect(asked).toHaveLength(1);
    clock.advance(2_000);
    await resolver.mx('example.com');
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['a day for an answer', { answers: [mx('example.com', 'mx.example.com', 10, 1_000_000)] }, 86_400],
    [
      'its shortest TTL for several records',
      { answers: [mx('example.com', 'a', 10, 90), mx('example.com', 'b', 10, 60)] },
      60,
    ],
    [
      'the TTL of an alias on the way',
      { answers: [cname('example.com', 'b.com', 30), mx('b.com', 'a', 10, 90)] },
      30,
    ],
    [
      'the TTL of its own records, whatever else the answer has',
      {
        answers: [
          mx('example.com', 'a', 10, 90),
          a('example.com', '192.0.2.1', 5),
          cname('unrelated.com', 'example.com', 5),
        ],
      },
      90,
    ],
    ['three hours for a no', { rcode: 3, authorities: [soa('example.com', 1_000_000)] }, 10_800],
    ['the TTL of the SOA record for a no', { rcode: 3, authorities: [soa('example.com', 900, 120)] }, 120],
    ['a minute for a no without SOA', { rcode: 3 }, 60],
    [
      'a minute for a no with the SOA of another zone',
      { rcode: 3, authorities: [soa('ample.com', 900)] },
      60,
    ],
    ['the TTL of the SOA record of the root for a no', { rcode: 3, authorities: [soa('.', 900)] }, 900],
    ['the TTL of the SOA record of a zone above for a no', { rcode: 3, authorities: [soa('com', 900)] }, 900],
    ['a minute for an empty answer without SOA', {}, 60],
    ['fifteen seconds for an error', { rcode: 2 }, 15],
  ])('remembers at most %s', async (_, scripted, seconds) => {
    const clock = new ManualClock();
    const { resolver } = await resolverFor((question) => (question === 'MX example.com' ? scripted : {}), {
      clock,
    });
    expect((await resolver.mx('example.com')).expiresAt).toBe(clock.now() + seconds * 1_000);
  });

  it('does not remember what may not be remembered', async () => {
    const { resolver, asked } = await resolverFor(() => ({
      answers: [mx('example.com', 'mx.example.com', 10, 0)],
    }));
    await resolver.mx('example.com');
    await resolver.mx('example.com');
    expect(asked).toHaveLength(2);
  });

  it('forgets the oldest when the cache is full', async () => {
    const script: DnsScript = (question) => ({
      answers: [mx(question.slice('MX '.length), 'mx.example.com')],
    });
    const { resolver, asked } = await resolverFor(script, { cacheEntriesMax: 2 });
    for (const name of ['one.com', 'two.com', 'three.com', 'three.com', 'one.com']) await resolver.mx(name);
    expect(asked).toEqual(['MX one.com', 'MX two.com', 'MX three.com', 'MX one.com']);
  });

  it('asks by TCP when the answer is cut short', async () => {
    const { resolver, asked } = await resolverFor(() => ({ ...found, isTruncated: true }));
    expect(await resolver.mx('example.com')).toMatchObject({ status: 'found' });
    expect(asked).toEqual(['MX example.com', 'MX example.com by TCP']);
  });

  const asIs: Question = { type: 'MX', name: 'example.com', class: 'IN' };
  it.each<[string, object]>([
    ['another id', { isMisnumbered: true }],
    ['a question for another name', { questions: [{ ...asIs, name: 'victim.com' }] }],
    ['a question for another type', { questions: [{ ...asIs, type: 'A' }] }],
    ['a question of another class', { questions: [{ ...asIs, class: 'CH' }] }],
    ['a second question', { questions: [asIs, { ...asIs, name: 'victim.com' }] }],
    ['no question', { questions: [] }],
  ])('ignores an answer with %s, by UDP and by TCP', async (_, forgery) => {
    for (const isByTcp of [false, true]) {
      const answers = [{ answers: [mx('example.com', 'forged.com')], ...forgery }];
      // Only a forgery by UDP makes the resolver wait.
      const { resolver } = await resolverFor(
        (_question, _turn, isTcp) =>
          isByTcp && !isTcp ? { ...found, isTruncated: true } : (answers.shift() ?? found),
        isByTcp ? {} : { clock: systemClock },
      );
      expect(await resolver.mx('example.com')).toMatchObject({ records: [{ exchange: 'mx.example.com' }] });
      expect(answers).toEqual([]);
    }
  });

  it('asks each question from a random port, with random letter case', async () => {
    const { resolver, queries } = await resolverFor(
      (question) => ({ answers: [mx(question.slice('MX '.length), 'mx.example.com')] }),
      { clock: systemClock },
    );
    const names = Array.from({ length: 40 }, (_, index) => `long-enough-a-name-${index}.example.com`);
    const answers = await Promise.all(names.map((name) => resolver.mx(name)));

    expect(answers.every(({ status }) => status === 'found')).toBe(true);
    // A slow machine repeats some questions.
    expect([...new Set(queries.map(({ name }) => name.toLowerCase()))].toSorted()).toEqual(names.toSorted());
    expect(queries.every(({ name }) => /[a-z]/.test(name) && /[A-Z]/.test(name))).toBe(true);
    expect(new Set(queries.map(({ port }) => port)).size).toBeGreaterThan(names.length / 2);
    const spellings = queries.map(({ name }) => name.slice(0, 'long-enough-a-name'.length));
    expect(new Set(spellings).size).toBeGreaterThan(names.length / 2);
    // The letters after the first sixteen, which one random number covers.
    const endings = queries.map(({ name }) => name.slice(-'example.com'.length));
    expect(new Set(endings).size).toBeGreaterThan(names.length / 2);
    expect(queries.every(({ isRecursive }) => isRecursive)).toBe(true);
  });

  it('answers addresses of both kinds and remembers each kind by itself', async () => {
    const { resolver, asked } = await resolverFor((question) => ({
      answers: question.startsWith('AAAA') ? [aaaa('mx.com', '2001:db8::1')] : [a('mx.com', '192.0.2.1')],
    }));
    for (let turn = 0; turn < 2; turn++) {
      expect(await resolver.ipv4('mx.com')).toMatchObject({ status: 'found', records: ['192.0.2.1'] });
      expect(await resolver.ipv6('mx.com')).toMatchObject({ status: 'found', records: ['2001:db8::1'] });
    }
    expect(asked).toEqual(['A mx.com', 'AAAA mx.com']);
  });

  it.each(['garbage', 'echo'] as const)('waits on for the answer after %s', async (noise) => {
    const { resolver, asked } = await resolverFor(() => ({ ...found, noise }));
    expect(await resolver.mx('example.com')).toMatchObject({ status: 'found' });
    expect(asked).toHaveLength(1);
  });

  it('asks 256 names at a time, and the others when one of them is done', async () => {
    const clock = new ManualClock();
    let isSilent = true;
    const script: DnsScript = (question) =>
      isSilent ? undefined : { answers: [mx(question.slice('MX '.length), 'mx.example.com')] };
    const { resolver, asked } = await resolverFor(script, { clock });
    const names = Array.from({ length: 400 }, (_, index) => `name-${index}.com`);
    // In two parts, since the system may drop datagrams of a larger burst.
    const early = names.slice(0, 200).map((name) => resolver.mx(name));
    await expect.poll(() => asked.length).toBe(200);
    const late = names.slice(200).map((name) => resolver.mx(name));
    await expect.poll(() => asked.length).toBe(256);
    resolver.close();
    const statuses = (await Promise.all([...early, ...late])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(['timeout']));
    expect(asked).toHaveLength(256);

    isSilent = false;
    for (let start = 0; start < names.length; start += 100) {
      const answers = await Promise.all(names.slice(start, start + 100).map((name) => resolver.mx(name)));
      expect(answers.every(({ status }) => status === 'found')).toBe(true);
    }
    expect(asked).toHaveLength(256 + names.length);
  });

  it('leaves places to others when one customer asks for names that nobody answers for, and lets customers take turns', async () => {
    const clock = new ManualClock();
    const isAnswered = (question: string) => question.includes('quick');
    const script: DnsScript = (question) =>
      isAnswered(question) ? { answers: [mx(question.slice('MX '.length), 'mx.example.com')] } : undefined;
    const { resolver, asked } = await resolverFor(script, { clock });
    const silent = (customer: string, count: number) =>
      Array.from({ length: count }, (_, index) =>
        resolver.askedBy(customer).mx(`silent-${index}.${customer}`),
      );
    const ofGreedy = silent('greedy', 1_000);
    await expect.poll(() => asked.length).toBe(192);
    const ofOther = silent('other', 60);
    expect(await resolver.askedBy('newcomer').mx('quick.com')).toMatchObject({ status: 'found' });
    // Now nearly all places are taken, and each one that becomes free serves another customer than the last.
    const quick = ['quick-1.com', 'quick-2.com', 'quick-3.com', 'quick-4.com', 'quick-5.com'];
    const ofNewcomer = quick.map((name) => resolver.askedBy('newcomer').mx(name));
    expect(new Set((await Promise.all(ofNewcomer)).map(({ status }) => status))).toEqual(new Set(['found']));
    expect(asked.filter((question) => question.endsWith('greedy'))).toHaveLength(192);
    resolver.close();
    await Promise.all([...ofGreedy, ...ofOther]);
  });

  it('asks by TCP when the answer repeats the question in other letter case', async () => {
    const { resolver, asked } = await resolverFor(() => ({ ...found, swapsCase: true }));
    expect(await resolver.mx('example.com')).toMatchObject({ status: 'found' });
    expect(asked).toEqual(['MX example.com', 'MX example.com by TCP']);
  });

  it.each([
    ['other letter case', { swapsCase: true }],
    ['truncated answers', { isTruncated: true }],
  ])('names the cause when a server with %s takes no TCP', async (kind, answer) => {
    const { resolver } = await resolverFor(() => ({ ...found, ...answer, byTcp: 'hang up' }));
    expect(await resolver.mx('example.com')).toMatchObject({
      status: 'failed',
      detail: `the name server sends ${kind} by UDP and no answer by TCP`,
    });
  });

  it('waits by TCP for what UDP has left of the time', async () => {
    const clock = new ManualClock();
    let isFirst = true;
    const { resolver, asked } = await resolverFor(
      () => {
        if (isFirst) clock.advance(300);
        isFirst = false;
        return { ...found, isTruncated: true, byTcp: 'silence' };
      },
      { clock, timeoutMs: 8_000 },
    );
    const lookup = resolver.mx('example.com');
    await expect.poll(() => asked).toHaveLength(2);
    clock.advance(699);
    expect(clock.timerCount).toBe(1);
    clock.advance(1);
    // The second attempt.
    await expect.poll(() => asked).toHaveLength(4);
    resolver.close();
    expect(await lookup).toMatchObject({ status: 'failed' });
    expect(clock.timerCount).toBe(0);
  });

  it('does not wait for a port on which nothing listens', async () => {
    const { server, close } = await closedPort();
    const clock = new ManualClock();
    const resolver = createResolver({ servers: [server], clock, timeoutMs: 2_000 });
    await close();
    expect(await resolver.mx('example.com')).toEqual({
      status: 'timeout',
      isResolverAway: true,
      expiresAt: clock.now(),
    });
    expect(clock.timerCount).toBe(0);
  });

  it('takes a server that says it is not ready for one that is away, and another error for that of the domain', async () => {
    const lookUpWith = async (extendedError: number) => {
      const { resolver } = await resolverFor((question) =>
        question === 'MX example.com' ? { rcode: 2, extendedError } : { rcode: 3 },
      );
      return resolver.mx('example.com');
    };
    expect(await lookUpWith(14)).toMatchObject({ status: 'timeout', isResolverAway: true });
    expect(await lookUpWith(22)).toMatchObject({ status: 'failed', detail: 'SERVFAIL' });
  });

  describe('a failure that may be ours', () => {
    const failed = { status: 'failed', detail: 'SERVFAIL' };
    const away = { status: 'timeout', isResolverAway: true };
    const isControl = (question: string) => /^A [0-9a-f]{16}\./.test(question);

    it('is ours if the server fails for a name that nobody has, too', async () => {
      const { resolver } = await resolverFor(() => ({ rcode: 2 }));
      expect(await resolver.mx('example.com')).toMatchObject(away);
    });

    it('is not ours if the server refuses', async () => {
      const { resolver } = await resolverFor(() => ({ rcode: 5 }));
      expect(await resolver.mx('example.com')).toMatchObject({ status: 'failed', detail: 'REFUSED' });
    });

    it('is ours if the server does not answer for that name', async () => {
      const { resolver } = await resolverFor((question) => (isControl(question) ? undefined : { rcode: 2 }), {
        clock: systemClock,
        timeoutMs: 200,
      });
      expect(await resolver.mx('example.com')).toMatchObject(away);
    });

    it('is that of the domain if the server knows that nobody has that name', async () => {
      const { resolver, asked } = await resolverFor((question) => ({ rcode: isControl(question) ? 3 : 2 }));
      expect(await resolver.mx('example.com')).toMatchObject(failed);
      expect(asked.at(-1)).toMatch(/^A [0-9a-f]{16}\.com$/);
    });

    it('is that of the domain, without another question, if others below the same name are answered', async () => {
      const { resolver, asked } = await resolverFor((question) =>
        question === 'MX example.com' ? found : { rcode: 2 },
      );
      await resolver.mx('example.com');
      expect(await resolver.mx('broken.com')).toMatchObject(failed);
      expect(asked.filter(isControl)).toEqual([]);
      // A server may know some names, such as those of a mail world, although it has no network.
      expect(await resolver.mx('broken.org')).toMatchObject(away);
    });

    it('is asked about once for all questions of a moment, and again later', async () => {
      const clock = new ManualClock();
      const { resolver, asked } = await resolverFor(() => ({ rcode: 2 }), { clock });
      const domains = Array.from({ length: 64 }, (_, index) => `broken-${index}.com`);
      await Promise.all(domains.map((domain) => resolver.mx(domain)));
      expect(asked.filter(isControl)).toHaveLength(1);
      clock.advance(1_000);
      await resolver.mx('broken.com');
      expect(asked.filter(isControl)).toHaveLength(2);
    });

    it('is ours only until the server answers again', async () => {
      let isOffline = true;
      const { resolver } = await resolverFor((question) =>
        isOffline || question === 'MX broken.com' ? { rcode: 2 } : found,
      );
      expect(await resolver.mx('broken.com')).toMatchObject(away);
      isOffline = false;
      expect(await resolver.mx('example.com')).toMatchObject({ status: 'found' });
      expect(await resolver.mx('broken.com')).toMatchObject(failed);
    });
  });

  it('takes silence for that of the domain if one of its servers is there', async () => {
    const { server, close } = await closedPort();
    await close();
    const silent = await startScriptedDns(() => undefined);
    const resolver = createResolver({
      servers: [server, silent.server],
      clock: systemClock,
      timeoutMs: 200,
    });
    onTestFinished(() => resolver.close());
    const answer = await resolver.mx('example.com');
    expect(answer).toMatchObject({ status: 'timeout' });
    expect(answer).not.toHaveProperty('isResolverAway');
  });

  it('ignores records of owners that were not asked for', async () => {
    const { resolver } = await resolverFor((question) => ({
      answers:
        question === 'MX example.com'
          ? [mx('unrelated.com', 'forged.com', 0, 1), mx('example.com', 'mx.example.com')]
          : [mx('unrelated.com', 'forged.com')],
    }));
    expect(await resolver.mx('example.com')).toMatchObject({
      records: [{ preference: 10, exchange: 'mx.example.com' }],
    });
    expect(await resolver.mx('empty.com')).toMatchObject({ status: 'no_data' });
  });

  it('ignores records of another class', async () => {
    const chaos = { class: 'CH' } as const;
    const { resolver } = await resolverFor((question) =>
      question === 'MX example.com'
        ? { answers: [{ ...mx('example.com', 'forged.com'), ...chaos }] }
        : { answers: [{ ...cname('alias.com', 'example.com'), ...chaos }, mx('example.com', 'forged.com')] },
    );
    expect(await resolver.mx('example.com')).toMatchObject({ status: 'no_data' });
    expect(await resolver.mx('alias.com')).toMatchObject({ status: 'no_data' });
  });

  it('follows aliases in whatever order the answer lists them', async () => {
    const { resolver } = await resolverFor(() => ({
      answers: [mx('c.com', 'mx.example.com'), cname('b.com', 'c.com'), cname('a.com', 'b.com')],
    }));
    expect(await resolver.mx('a.com')).toMatchObject({ records: [{ exchange: 'mx.example.com' }] });
  });

  it('asks again when a question is lost', async () => {
    const script: DnsScript = (_, turn) => (turn === 1 ? undefined : found);
    const { resolver, asked } = await resolverFor(script, { clock: systemClock });
    expect(await resolver.mx('example.com')).toMatchObject({ status: 'found' });
    expect(asked.length).toBeGreaterThan(1);
  });

  it('asks the next server when one is at a loss', async () => {
    const broken = await startScriptedDns(() => ({ rcode: 2 }));
    const sound = await startScriptedDns(() => found);
    const servers = [broken.server, sound.server];
    const resolver = createResolver({ servers, clock: systemClock, timeoutMs: 2_000 });
    expect(await resolver.mx('example.com')).toMatchObject({ status: 'found' });
  });

  it.each([
    ['SERVFAIL', 2, { status: 'failed', detail: 'SERVFAIL' }],
    ['REFUSED', 5, { status: 'failed', detail: 'REFUSED' }],
    ['NXDOMAIN', 3, { status: 'no_such_name' }],
    ['nothing found', 0, { status: 'no_data' }],
  ])('tells %s apart', async (_, rcode, expected) => {
    const { resolver } = await resolverFor((question) =>
      question === 'MX example.com' ? { rcode } : { rcode: 3 },
    );
    expect(await resolver.mx('example.com')).toMatchObject(expected);
  });

  it('takes a referral to other servers for a failure, and not for a name without such records', async () => {
    const referral: Answer = { type: 'NS', name: '.', ttl: 300, data: 'a.root-servers.net' };
    const { resolver } = await resolverFor(() => ({ authorities: [referral] }));
    const detail = 'the name server only refers to others';
    expect(await resolver.mx('example.com')).toMatchObject({ status: 'failed', detail });
  });

  it('takes an alias of a name that it cannot ask for as a failure, and not for a missing name', async () => {
    const { resolver } = await resolverFor(() => ({
      answers: [cname('example.com', 'mail host.example.net')],
    }));
    expect(await resolver.mx('example.com')).toMatchObject({ status: 'failed' });
  });

  it('takes NS beside SOA for a name without such records', async () => {
    const ns: Answer = { type: 'NS', name: 'example.com', ttl: 300, data: 'ns.example.com' };
    const { resolver } = await resolverFor(() => ({ authorities: [ns, soa('example.com', 300)] }));
    expect(await resolver.mx('example.com')).toMatchObject({ status: 'no_data' });
  });

  it('asks a server that is at a loss once more, and each of several once', async () => {
    const isAsked = (question: string) => question === 'MX example.com';
    const { resolver, asked } = await resolverFor(() => ({ rcode: 2 }));
    await resolver.mx('example.com');
    expect(asked.filter(isAsked)).toHaveLength(2);

    const several = await Promise.all([1, 2, 3].map(() => startScriptedDns(() => ({ rcode: 2 }))));
    const servers = several.map(({ server }) => server);
    await createResolver({ servers, clock: new ManualClock(), timeoutMs: 2_000 }).mx('example.com');
    expect(several.map((one) => one.asked.filter(isAsked).length)).toEqual([1, 1, 1]);
  });

  it('waits longer for each further attempt, and for no attempt beyond its time', async () => {
    const clock = new ManualClock();
    const timeoutMs = 8_000;
    const { resolver, asked } = await resolverFor(() => undefined, { clock, timeoutMs });
    const lookup = resolver.mx('example.com');
    for (const [attempt, waitMs] of [1_000, 2_000, 4_000].entries()) {
      await expect.poll(() => asked).toHaveLength(attempt + 1);
      clock.advance(waitMs - 1);
      expect(clock.timerCount).toBe(1);
      clock.advance(1);
    }
    expect(await lookup).toMatchObject({ status: 'timeout' });

    const silent = await Promise.all([1, 2, 3].map(() => startScriptedDns(() => undefined)));
    const servers = silent.map(({ server }) => server);
    const before = clock.now();
    const slow = createResolver({ servers, clock, timeoutMs }).mx('example.com');
    for (const [attempt, waitMs] of [1_000, 1_000, 1_000, 2_000, 2_000, 1_000].entries()) {
      await expect.poll(() => silent.flatMap((one) => one.asked)).toHaveLength(attempt + 1);
      clock.advance(waitMs);
    }
    expect(await slow).toMatchObject({ status: 'timeout' });
    expect(clock.now()).toBe(before + timeoutMs);
  });

  it('counts a server that cannot be reached as silent', async () => {
    // No datagram may go to the broadcast address: the system refuses to connect.
    const servers = ['255.255.255.255'];
    const resolver = createResolver({ servers, clock: systemClock, timeoutMs: 2_000 });
    expect(await resolver.mx('example.com')).toMatchObject({ status: 'timeout' });
  });

  it('tells silence apart', async () => {
    const { resolver } = await resolverFor(() => undefined, { clock: systemClock, timeoutMs: 200 });
    expect(await resolver.mx('example.com')).toMatchObject({ status: 'timeout' });
  });

  it('follows an alias that the server did not follow, and not in circles', async () => {
    const { resolver } = await resolverFor((question) => {
      if (question === 'MX www.example.com') return { answers: [cname('www.example.com', 'example.com')] };
      if (question === 'MX circle.com') return { answers: [cname('circle.com', 'circle.com')] };
      return found;
    });
    expect(await resolver.mx('www.example.com')).toMatchObject({ status: 'found' });
    expect(await resolver.mx('circle.com')).toMatchObject({
      status: 'failed',
      detail: 'aliases in a circle',
    });
  });

  it('gives all aliases together the time of one question', async () => {
    const clock = new ManualClock();
    const { resolver } = await resolverFor(
      (question) => {
        clock.advance(240);
        const hop = Number(/hop-(\d)/.exec(question)?.[1]);
        return hop < 8
          ? { answers: [cname(`hop-${hop}.com`, `hop-${hop + 1}.com`)] }
          : { answers: [mx('hop-8.com', 'mx.hop-8.com')] };
      },
      { clock },
    );
    expect(await resolver.mx('hop-4.com')).toMatchObject({ status: 'found' });
    expect(await resolver.mx('hop-0.com')).toMatchObject({ status: 'timeout' });
  });

  it('follows at most eight aliases', async () => {
    const { resolver, asked } = await resolverFor((question) => {
      const hop = Number(question.slice('MX hop-'.length, -'.com'.length));
      return hop === 0
        ? { answers: [mx('hop-0.com', 'mx.com')] }
        : { answers: [cname(`hop-${hop}.com`, `hop-${hop - 1}.com`)] };
    });
    expect(await resolver.mx('hop-8.com')).toMatchObject({ status: 'found' });
    expect(asked).toHaveLength(9);
    expect(await resolver.mx('hop-19.com')).toMatchObject({ status: 'failed', detail: 'too many aliases' });
    expect(asked).toHaveLength(18);
  });

  it('leaves no socket and no timer behind when it is closed in the middle', async () => {
    const clock = new ManualClock();
    const { resolver, asked } = await resolverFor(() => undefined, { clock });
    const lookup = resolver.mx('example.com');
    await expect.poll(() => asked).toHaveLength(1);
    resolver.close();
    await expect.poll(() => clock.timerCount).toBe(0);
    expect(await lookup).toMatchObject({ status: 'timeout' });
    void resolver.mx('example.com');
    await expect.poll(() => asked).toHaveLength(2);
  });

  it('asks for names of the greatest length', async () => {
    const label = 'x'.repeat(63);
    const longest = `${label}.${label}.${label}.${'x'.repeat(61)}`;
    const { resolver, asked } = await resolverFor(() => ({}));
    expect(await resolver.mx(longest)).toMatchObject({ status: 'no_data' });
    expect(await resolver.mx(`x${longest.slice(1)}x`)).toMatchObject({ status: 'no_such_name' });
    expect(asked).toEqual([`MX ${longest}`]);
  });

  it.each(['', 'a..b', `${'x'.repeat(64)}.com`, 'x.'.repeat(130), 'two words.com'])(
    'does not ask for %j, which no name server could have',
    async (name) => {
      const clock = new ManualClock();
      const { resolver, asked } = await resolverFor(() => found, { clock });
      const expiresAt = clock.now() + 60_000;
      expect(await resolver.mx(name)).toEqual({ status: 'no_such_name', expiresAt });
      expect(asked).toEqual([]);
    },
  );

  const open = (server: string) => createResolver({ servers: [server], clock: systemClock, timeoutMs: 1 });

  it.each(['', ':53', '[::1', 'x[::1]', '[::1]x', 'two words', 'dns.test:', 'dns.test:a', 'dns.test:123456'])(
    'refuses %j as a server',
    (server) => {
      expect(() => open(server)).toThrow(new RangeError(`"${server}" is not a name server: write host:port`));
    },
  );

  it.each(['192.0.2.1', '192.0.2.1:5353', '::1', '[::1]', '[::1]:5353', 'dns.test:53'])(
    'takes %j for a server',
    (server) => {
      expect(() => open(server)).not.toThrow();
    },
  );
});
