import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseJson } from './parse-json.ts';
import { validatorCompiler } from './validate.ts';
import { clientSignal } from './when-closed.ts';

const json = 'application/json';

/** JSON and nothing else, unless a route adds another type for itself. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(json, { parseAs: 'string' }, async (_: FastifyRequest, body: string) =>
    parseJson(body),
  );
}

/**
 * For calls with JSON so long that reading it would delay all other calls. `read` gets the bytes and does all that is
 * otherwise done with a body before the handler, also the check with the schema. Answers how a handler gets the result.
 */
export function readLongBodies<Body>(
  scope: FastifyInstance,
  read: (bytes: Buffer, request: FastifyRequest, signal: AbortSignal) => Promise<Body>,
): (request: FastifyRequest) => Body {
  scope.removeContentTypeParser(json);
  scope.addContentTypeParser(json, { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => body);
  scope.addHook('preValidation', async (request, reply) => {
    const bytes = (request.body as Buffer | undefined) ?? noFields;
    request.body = await read(bytes, request, clientSignal(reply));
  });
  scope.setValidatorCompiler<Parameters<typeof validatorCompiler>[0]['schema']>((route) =>
    route.httpPart === 'body' ? (value) => ({ value }) : validatorCompiler(route),
  );
  return (request) => request.body as Body;
}

/** A call without a body lacks its fields. */
const noFields = Buffer.from('{}');
