import http from 'node:http';
import https from 'node:https';

export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

/** Posts over connections that `close` ends, so that nothing stays open behind a closed stand-in. */
export function createPoster() {
  const agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  };
  return {
    /** The status of the answer. The answer's body is read and dropped. */
    post: ({ url, headers, body, signal }: PostRequest): Promise<number> =>
      new Promise((resolve, reject) => {
        const target = new URL(url);
        const isSecure = target.protocol === 'https:';
        const request = (isSecure ? https : http).request(
          target,
          {
            method: 'POST',
            agent: isSecure ? agents['https:'] : agents['http:'],
            headers: { ...headers, 'content-length': Buffer.byteLength(body) },
            signal,
          },
          (response) => {
            response.on('error', reject);
            response.on('end', () => resolve(response.statusCode ?? 0));
            response.resume();
          },
        );
        request.on('error', reject);
        request.end(body);
      }),
    close: () => {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}
