import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Trouble = 'none' | 'down' | 'revoked';

/** An OpenID Connect provider on loopback, as far as renewing goes: every refresh token is good exactly once. */
export async function startLoopbackIssuer(port = 0) {
  let trouble: Trouble = 'none';
  let issued = 0;
  let goodRefreshToken = 'refresh-0';
  const exchanges: Record<string, string>[] = [];
  const waiting: (() => void)[] = [];

  const server = createServer(async (request, response) => {
    const say = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

    if (request.url === '/.well-known/openid-configuration') {
      return say(200, {
        issuer: origin(),
        authorization_endpoint: `${origin()}/auth`,
        token_endpoint: `${origin()}/token`,
        end_session_endpoint: `${origin()}/session/end`,
      });
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    const asked = Object.fromEntries(new URLSearchParams(body));
    exchanges.push(asked);
    for (const tell of waiting.splice(0)) tell();

    if (trouble === 'down') return say(503, { error: 'temporarily_unavailable' });
    if (trouble === 'revoked' || asked.refresh_token !== goodRefreshToken) {
      return say(400, { error: 'invalid_grant' });
    }
    issued += 1;
    goodRefreshToken = `refresh-${issued}`;
    return say(200, {
      access_token: `access-${issued}`,
      refresh_token: goodRefreshToken,
      token_type: 'Bearer',
      expires_in: 28_800,
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer: origin(),
    exchanges,
    nextExchange: () => new Promise<void>((resolve) => waiting.push(resolve)),
    getInto(next: Trouble) {
      trouble = next;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
