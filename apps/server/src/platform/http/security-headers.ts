import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

export interface SecurityHeaderOptions {
  readonly publicUrl: string;
  /** Other origins that the web app's code talks to: the issuer, analytics. */
  readonly connectOrigins: readonly string[];
}

/** What a browser may do with anything that we serve. */
export function addSecurityHeaders(app: FastifyInstance, options: SecurityHeaderOptions): void {
  const isHttps = options.publicUrl.startsWith('https:');
  // Made once. Fastify's plugin for it makes the same headers again for every request, which takes 70 µs.
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        connectSrc: ["'self'", options.publicUrl.replace(/^http/, 'ws'), ...options.connectOrigins],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        ...(isHttps && { upgradeInsecureRequests: [] }),
      },
    },
    frameguard: { action: 'deny' },
    // Told to a browser over plain http it would be ignored, and on localhost it would lock out other projects.
    hsts: isHttps && { maxAge: 63_072_000, includeSubDomains: false },
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()');
    setHeaders(request.raw, reply.raw, (error) => done(error as Error | undefined));
  });
}
