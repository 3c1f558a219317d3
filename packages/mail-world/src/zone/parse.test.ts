import { describe, expect, it } from 'vitest';
import { parseZone } from './parse.ts';

describe('a zone', () => {
  it('gives a domain a host of its own with the clauses on its line', () => {
    const zone = parseZone('domain a.test accepts jane; greylist 2s; at mail say "550 no" wait 1s close');
    expect(zone.domains.get('a.test')).toMatchObject({ mx: [{ preference: 10, exchange: 'mx.a.test' }] });
    expect(zone.hosts.get('mx.a.test')).toMatchObject({
      greylistMs: 2000,
      stages: { mail: { say: '550 no', waitMs: 1000, end: 'close' } },
    });
  });

  it('reads comments, quotes, escapes, durations, preferences and several mailboxes', () => {
    const zone = parseZone(`
      # nothing here
      host mx.h.test at banner say "220-a # \\"b\\";\\n220 c"; idle 1.5s   # the end
      domain a.test mx 5:mx.h.test 5:absent.h.test; accepts jane "a b" user*; full max
    `);
    expect(zone.hosts.get('mx.h.test')).toMatchObject({
      idleMs: 1500,
      stages: { banner: { say: '220-a # "b";\n220 c' } },
    });
    const domain = zone.domains.get('a.test');
    expect(domain?.mx).toEqual([
      { preference: 5, exchange: 'mx.h.test' },
      { preference: 5, exchange: 'absent.h.test' },
    ]);
    expect([...(domain?.mailboxes.keys() ?? [])]).toEqual(['jane', 'a b', 'max']);
    expect(domain?.prefixes).toEqual([{ prefix: 'user', mailbox: { kind: 'accepted' } }]);
  });

  it('reads examples under their chapters', () => {
    const zone = parseZone(
      'chapter "One"\ndomain a.test accepts jane\ntry jane@a.test VALID mailbox_accepted "It is."',
    );
    expect(zone.examples).toEqual([
      { address: 'jane@a.test', result: 'VALID', reason: 'mailbox_accepted', note: 'It is.', chapter: 'One' },
    ]);
  });

  it('names every mistake at once, with its line', () => {
    const text = [
      'domain a.test accepts',
      'host mx.b.test at lunch say "x"',
      'domain c.test mx mx.b.test',
      'domain d.test mx mx.b.test; greylist 2s',
      'hots mx.f.test',
      'domain g.test greylist soon',
      'domain h.test accepts jane; accepts "',
      'domain i.test at mail say 550',
      'domain k.test closed now',
      'try x@i.test MAYBE x "y"',
      'domain c.test accepts jane',
      'domain j.test limit recipients two per transaction',
    ].join('\n');
    expect(() => parseZone(text)).toThrowErrorMatchingInlineSnapshot(`
      [Error: The zone has mistakes.
      line 1: mailbox is missing
      line 2: "lunch" is not a stage: banner, ehlo, helo, starttls, mail, rcpt, rset, quit
      line 4: "greylist" belongs on the line of the host that d.test names
      line 5: "hots" is not a directive: host, domain, wording, chapter, try
      line 6: "soon" is not a duration such as 250ms, 2s, 5m or forever
      line 7: a stray "
      line 8: reply has to be in quotes
      line 9: "now" is too much here
      line 10: "MAYBE" is not a result: VALID, INVALID, CATCH_ALL, UNKNOWN
      line 11: the domain c.test is there already
      line 12: "two" is not a whole number]
    `);
  });

  it('names what no line describes', () => {
    const text =
      'domain a.test mx mx.nowhere.test absent.b.test\ndomain b.test wording elvish\ndomain c.test address-of d.test';
    expect(() => parseZone(text)).toThrowErrorMatchingInlineSnapshot(`
      [Error: The zone has mistakes.
      line 1: a.test names mx.nowhere.test, which no line describes
      line 2: no wording is called elvish
      line 3: c.test has the address of d.test, which no line describes]
    `);
  });
});
