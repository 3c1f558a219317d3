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

  it('says that it could not look up a domain when no name server answers', async () => {
    const alone = createScreener({ dns: ['127.0.0.1:1'], timeoutMs: 200 });
    expect(await alone.screen('jane@exists.test')).toMatchObject({ mailHost: 'not_looked_up' });
    alone.close();
  });
});
