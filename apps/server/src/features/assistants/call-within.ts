import type { FastifyInstance, InjectOptions } from 'fastify';

/** A `fetch` that reaches the routes of this process without a network, as if the caller at this network address had called. */
export function callWithin(app: FastifyInstance, remoteAddress: string): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const payload = request.body ? Buffer.from(await request.arrayBuffer()) : undefined;
    const answer = await app.inject({
      method: request.method as InjectOptions['method'],
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      remoteAddress,
      ...(payload && { payload }),
      signal: request.signal,
    } as InjectOptions);
    const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    );
    const hasBody = answer.statusCode !== 204 && answer.rawPayload.length > 0;
    return new Response(hasBody ? new Uint8Array(answer.rawPayload) : null, {
      status: answer.statusCode,
      headers,
    });
  };
}
