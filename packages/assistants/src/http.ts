import {
  createMcpHandler,
  hostHeaderValidationResponse,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { type AssistantParts, createToolServer } from './tool-server.ts';

export interface HttpParts extends Omit<AssistantParts, 'apiKey'> {
  /** Undefined if the request brought none that looks like one. */
  readonly apiKey: string | undefined;
  readonly bodyBytesMax: number;
}

/**
 * Answers one request of the Model Context Protocol, in both of its eras and without sessions, so that any process may answer the
 * next one. A page that a browser shows must not reach the endpoint through the person's network: `Host` and `Origin` have to be ours.
 */
export async function answerAssistant(
  request: Request,
  { apiKey, bodyBytesMax, ...parts }: HttpParts,
): Promise<Response> {
  const hosts = hostNamesOf(parts.publicUrl);
  const refusal = hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, hosts);
  if (refusal) return refusal;
  if (apiKey === undefined) return keyIsMissing();
  // Nothing is announced later, so there is nothing to subscribe to.
  const handler = createMcpHandler(() => createToolServer({ ...parts, apiKey }), {
    legacy: 'stateless',
    maxSubscriptions: 0,
    maxRequestBodySize: bodyBytesMax,
  });
  return handler.fetch(request);
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

function hostNamesOf(publicUrl: string): string[] {
  const { hostname } = new URL(publicUrl);
  return loopback.includes(hostname) ? loopback : [hostname];
}

const keyIsMissing = (): Response =>
  Response.json(
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_001, message: 'Send an API key of Assay as `Authorization: Bearer`.' },
    },
    { status: 401, headers: { 'www-authenticate': 'Bearer realm="Assay"' } },
  );
