import { startMailWorld } from '@assay/mail-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScreener, type Screener } from './screen.ts';

describe('screening without asking mail hosts', () => {
  let world: Awaited<ReturnType<typeof startMailWorld>>;
  let screener: Screener;
  beforeAll(async () => {
    world = await startMailWorld();
    screener = createScreener({ dns: [world.dns], timeoutMs: 5_000 });
  });
  afterAll(async () => {
    screener.close();
    await world.close();
  });

  it.each([
    ['jane@exists.test', 'found'],
    ['jane@no-such-domain.test', 'none'],
    ['jane@null-mx.test', 'none'],
    ['not an address', 'none'],
  ])('%s: mail host %s', async (email, mailHost) => {
    expect(await screener.screen(email)).toMatchObject({ mailHost });
  });

  it('knows flags that need no lookup', async () => {
    expect((await screener.screen('info+x@exists.test')).flags).toMatchObject({ role: true, plus_tag: true });
  });

  it('names the provider whose hosts take the mail, if its limits are published', async () => {
    const zone =
      'host eu-smtp-inbound-1.mimecast.com\ndomain a.test accepts jane; mx eu-smtp-inbound-1.mimecast.com';
    const other = await startMailWorld({ zone });
    const one = createScreener({ dns: [other.dns], timeoutMs: 5_000 });
    expect(await one.screen('jane@a.test')).toMatchObject({
      provider: { name: 'Mimecast eu', brand: 'Mimecast' },
    });
    expect(await screener.screen('jane@exists.test')).not.toHaveProperty('provider');
    one.close();
    await other.close();
  });

  it('reads the tokens for counts below a domain', async () => {
    const token = '0a'.repeat(16);
    world.publishOwnerRecords('exists.test', ['v=spf1 -all', `v=assay1; count=${token}`]);
    expect(await screener.countTokensOf('exists.test')).toEqual([token]);
    expect(await screener.countTokensOf('null-mx.test')).toEqual([]);
    const alone = createScreener({ dns: ['127.0.0.1:1'], timeoutMs: 200 });
    expect(await alone.countTokensOf('exists.test')).toBeUndefined();
    alone.close();
  });

  it('says that it could not look up a domain when no name server answers', async () => {
    const alone = createScreener({ dns: ['127.0.0.1:1'], timeoutMs: 200 });
    expect(await alone.screen('jane@exists.test')).toMatchObject({ mailHost: 'not_looked_up' });
    alone.close();
  });
});
